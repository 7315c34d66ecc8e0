// SPDX-License-Identifier: BSD-2-Clause
// Other encoders that tandem compare measures, as a user names them.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tandem {

/// What a point asks of an encoder: a quantiser or a bit rate.
struct PointTarget {
    int qp = 0;   ///< Quantiser scale code, 1..31; 0: there is a rate.
    int kbps = 0; ///< 1 and more; 0: there is a quantiser.
    bool operator==(const PointTarget&) const = default;
};
/// "8" or "600 kbit/s"; and with a word before the quantiser: "qp 8".
std::string text_of(const PointTarget& target);
std::string words_of(const PointTarget& target);

enum class PeerKind {
    library, ///< An encoder of libavcodec, in process: "mpeg2video", "libx264:preset=superfast:tune=psnr".
    x264,    ///< x264's command: "x264:preset=superfast:no-cabac".
    ffmpeg,  ///< FFmpeg's command with these arguments: "ffmpeg:-c:v mpeg2video -g 12 -qscale:v {qp}".
};

/// "{qp}" in a value or argument is the quantiser of the point, "{h264_qp}" the one of H.264 that belongs to it. Where
/// neither stands, a library's encoder and x264 get the quantiser in the way that is theirs. "{kbps}" is the rate.
struct Peer {
    PeerKind kind = PeerKind::library;
    std::string text;                                         ///< As the user wrote it.
    std::string encoder;                                      ///< The name before the colon.
    std::vector<std::pair<std::string, std::string>> options; ///< library, x264; an option without "=" has no value.
    std::vector<std::string> arguments;                       ///< ffmpeg.
    bool sets_quantiser = false;                              ///< By "{qp}" or "{h264_qp}".
    bool sets_rate = false;                                   ///< By "{kbps}".
};

/// Peers separated by commas; a comma inside one is written "\,". Throws InputError for an empty one.
std::vector<Peer> parse_peers(const std::string& list);

/// The quantiser of H.264 with the step of MPEG's quantiser scale `qp`: 12 + 6 log2(qp / 0.85), which is x264's own
/// relation of the two. 2, 4, 8, 16, 31 become 19, 25, 31, 37, 43.
int h264_quantiser(int qp);

/// With the placeholders of the target replaced.
std::string with_target(std::string text, const PointTarget& target);

/// Throws InputError for a peer that names a quantiser where points have rates, or the other way round.
void check_target(const Peer& peer, const PointTarget& target);

} // namespace tandem
