// SPDX-License-Identifier: BSD-2-Clause
// The containers behind open_packet_sink(), written by libavformat.
#pragma once

#include <memory>
#include <string>

#include "machine/errors.h"
#include "video/codec.h"
#include "video/copied_rest.h"
#include "video/frame.h"
#include "video/packet_sink.h"

namespace tandem {

/// `extension`: in lower case with its dot. In a build without FFmpeg an InputError says so.
std::unique_ptr<PacketSink> open_libav_sink(const std::string& path, const std::string& extension, Codec codec,
                                            const VideoFormat& format, const CarriedRate& rate, const CopiedRest& rest);

} // namespace tandem
