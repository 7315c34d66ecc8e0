// SPDX-License-Identifier: BSD-2-Clause
// Elementary streams in files and pipes, and libavformat's containers: what is written by which name.
#pragma once

#include <memory>
#include <string>

#include "video/codec.h"
#include "video/copied_rest.h"
#include "video/frame.h"
#include "video/packet_sink.h"

namespace tandem {

/// "-", /dev/stdout and their like, or an elementary stream (.m1v .m2v .mpv .m2ve .bin); .mpg .mpeg .vob .ts .m2ts .mkv
/// .mp4 .mov .avi through libavformat. Coding order runs at most one picture behind display order. `rate`: for
/// program streams, whose clock only pictures that keep to it have.
/// `rest`: what a container gets from the source beside the pictures. Throws InputError for an extension this build
/// cannot write or a directory that does not exist.
std::unique_ptr<PacketSink> open_packet_sink(const std::string& path, Codec codec, const VideoFormat& format,
                                             const CarriedRate& rate = {}, const CopiedRest& rest = {});
/// Whether that writes a container, which can hold more than pictures.
bool is_container_name(const std::string& path);
/// Whether the container can ask players to turn pictures, and whether it can say that luma has its full range: .mp4
/// has a box for that beside primaries, transfer and matrix, and libavformat writes it where all three are known.
bool container_says_rotation(const std::string& path);
bool container_says_range(const std::string& path, const ColourDescription& colour);
/// Whether open_packet_sink() knows what to write by this name, and all the extensions that it knows, for messages.
bool is_packet_sink_name(const std::string& path);
std::string packet_sink_extensions();

} // namespace tandem
