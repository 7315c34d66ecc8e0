// SPDX-License-Identifier: BSD-2-Clause
// Other encoders that tandem compare measures, as a user names them.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tandem {

enum class PeerKind {
    library, ///< An encoder of libavcodec, in process: "mpeg2video", "libx264:preset=superfast:tune=psnr".
    x264,    ///< x264's command: "x264:preset=superfast:no-cabac".
    ffmpeg,  ///< FFmpeg's command with these arguments: "ffmpeg:-c:v mpeg2video -g 12 -qscale:v {qp}".
};

/// "{qp}" in a value or argument is the quantiser of the point, "{h264_qp}" the one of H.264 that belongs to it. Where
/// neither stands, a library's encoder and x264 get the quantiser in the way that is theirs.
struct Peer {
    PeerKind kind = PeerKind::library;
    std::string text;                                         ///< As the user wrote it.
    std::string encoder;                                      ///< The name before the colon.
    std::vector<std::pair<std::string, std::string>> options; ///< library, x264; an option without "=" has no value.
    std::vector<std::string> arguments;                       ///< ffmpeg.
    bool sets_quantiser = false;                              ///< By "{qp}" or "{h264_qp}".
};

/// Peers separated by commas; a comma inside one is written "\,". Throws InputError for an empty one.
std::vector<Peer> parse_peers(const std::string& list);

/// The quantiser of H.264 with the step of MPEG's quantiser scale `qp`: 12 + 6 log2(qp / 0.85), which is x264's own
/// relation of the two. 2, 4, 8, 16, 31 become 19, 25, 31, 37, 43.
int h264_quantiser(int qp);

/// With the placeholders replaced.
std::string with_quantiser(std::string text, int qp);

} // namespace tandem
