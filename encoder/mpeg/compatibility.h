// SPDX-License-Identifier: BSD-2-Clause
// What discs and broadcasts allow of a stream: the standards of --compat as a table.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bitstream/mpeg/mpeg_picture.h"
#include "encoder/settings.h"

namespace tandem {

/// A size that a standard allows, with what it allows there.
struct AllowedPicture {
    int width, height;     ///< Luma samples.
    unsigned frame_rates;  ///< Bit N: frame_rate_code N of 13818-2 table 6-4.
    unsigned aspect_codes; ///< Bit N: aspect_ratio_information N of 13818-2 table 6-3; 0: any.
};

/// One standard for one codec and one level; a name may have several rows.
struct CompatibilityRow {
    Compatibility compatibility;
    Codec codec;
    std::string_view source; ///< Where the limits stand.
    std::span<const AllowedPicture> pictures;
    int profile_and_level;        ///< MPEG-2: the field of the sequence extension that the stream has to have.
    std::int64_t bits_per_second; ///< Of the video, at most.
    int buffer_units;             ///< Of 16384 bits, at most.
    double most_group_seconds;    ///< From I picture to I picture, at 24, 25, 30, ... pictures a second; 0: any.
    double usual_group_seconds;   ///< Where nobody says otherwise.
    double most_delay_seconds;    ///< Of vbv_delay, at a constant rate; 0: what the field can say.
    double constant_kbps;         ///< The rate has to be constant, and is this where nobody says; 0: it may vary.
    bool progressive_sequence;    ///< False: the sequence extension has to say that frames may be interlaced.
    const char* program_stream;   ///< libavformat's name of the program stream that the standard wants; null: any.
};

std::span<const CompatibilityRow> compatibility_table();

/// The row that holds for the video; null where the settings name no standard or it has no such pictures.
const CompatibilityRow* compatibility_row(const Settings& settings, const VideoFormat& format);

/// What the user chose, and a standard leaves as it is.
struct ChosenOptions {
    bool keyint = false, bframes = false, quality = false, buffer_rate = false, buffer_size = false;
};

/// Sets what the settings' standard wants and nobody chose: group, B pictures, rate and buffer. Nothing where there is
/// no row.
void fit_to_standard(const ChosenOptions& chosen, const VideoFormat& format, Settings& settings);

/// Every limit of the settings' standard that they break with this video, whose headers would say `sequence`, as a
/// sentence with the value and the limit.
std::vector<std::string> compatibility_problems(const Settings& settings, const VideoFormat& format,
                                                const MpegSequence& sequence);

/// The same of what a stream's headers say.
std::vector<std::string> compatibility_problems(const CompatibilityRow& row, const MpegSequence& sequence);

/// How far vectors reach: f_code at most (constrained parameters: 11172-2 clause 2.4.3.2; levels: 13818-2 table 8-8, of
/// frame pictures).
int most_horizontal_f_code(const CompatibilityRow& row);
int most_vertical_f_code(const CompatibilityRow& row);

/// Pictures of a group at most, at a frame_rate_code; 0: any.
int most_group_pictures(const CompatibilityRow& row, int frame_rate_code);

} // namespace tandem
