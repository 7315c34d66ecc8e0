// SPDX-License-Identifier: BSD-2-Clause
// What a whole stream says of itself: the sequence header's values, from the settings and the video's format.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "bitstream/mpeg/mpeg_picture.h"
#include "encoder/settings.h"

namespace tandem {

/// Limits of a level of MPEG-2's Main or High Profile for 4:2:0 (13818-2 tables 8-10 to 8-14).
struct Level {
    const char* name;
    int profile_and_level; ///< The field of the sequence extension.
    int width, height;     ///< Luma samples.
    int frame_rate;        ///< Pictures per second.
    std::int64_t luma_samples_per_second;
    int max_kbps;  ///< kbit/s.
    int vbv_units; ///< Of 16384 bits.
    int f_code_x, f_code_y;
};

/// The levels of the lowest profile that has the precision of intra DC, 8..11, from the lowest on: Main Profile has 10
/// at most (13818-2 table 8-5).
std::span<const Level> levels_for(int intra_dc_precision);

/// The lowest of the levels that holds the video, the declared bit rate (0: any), the vectors' range and a buffer of so
/// many units; null where even the highest does not.
const Level* level_for(std::span<const Level> levels, const VideoFormat& format, int max_bitrate_kbps,
                       const VectorLimits& limits, int vbv_units = 0);

/// All alike, but for the first entry: it leaves less squared error at the same rate than the standard's, which is
/// coarser for fine detail. How coarse it is beside matrices of 16 was measured: docs/plan.md.
const QuantiserMatrix& usual_intra_matrix();

/// The header's values. The format must have passed Settings::validate(). `notes` gets what a user should know.
MpegSequence make_sequence(const Settings& settings, const VideoFormat& format, std::vector<std::string>& notes);

/// 11172-2 clause 2.4.3.2: true when every constrained parameter is within its bound; `f_code` is the largest used.
bool meets_constrained_parameters(const MpegSequence& sequence, Rational frame_rate, int f_code);

} // namespace tandem
