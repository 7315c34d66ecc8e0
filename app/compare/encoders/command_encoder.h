// SPDX-License-Identifier: BSD-2-Clause
// x264's and FFmpeg's commands as encoders of a point.
#pragma once

#include <string>

#include "app/bench/child_process.h"
#include "app/compare/encoders/stream_encoder.h"
#include "video/source.h"

namespace tandem {

/// The codec of the stream that a command makes, as libavcodec names it. Throws InputError for FFmpeg's arguments that
/// do not say -c:v.
std::string codec_of_command(const Peer& peer);

/// The words of the command that codes `input` (y4m) to `output`.
std::vector<std::string> command_words(const Peer& peer, const PeerSettings& settings, const std::string& input,
                                       const std::string& output);

/// A y4m file of the clip's first `frames` pictures.
void write_clip(const std::string& path, FrameSource& source, std::int64_t frames);

std::vector<std::uint8_t> read_bytes(const std::string& path);

} // namespace tandem
