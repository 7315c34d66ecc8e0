// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/mpeg/sequence.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "bitstream/mpeg/code_length.h"
#include "encoder/mpeg/compatibility.h"
#include "encoder/mpeg/frame_rate_codes.h"
#include "encoder/reach.h"
#include "video/frame_rate.h"

namespace tandem {

namespace {

constexpr std::array<Level, 4> main_profile{{
    {"Low", 0x4A, 352, 288, 30, 3041280, 4000, 29, 7, 4},
    {"Main", 0x48, 720, 576, 30, 10368000, 15000, 112, 8, 5},
    {"High 1440", 0x46, 1440, 1152, 60, 47001600, 60000, 448, 9, 5},
    {"High", 0x44, 1920, 1152, 60, 62668800, 80000, 597, 9, 5},
}};

constexpr std::array<Level, 3> high_profile{{
    {"Main", 0x18, 720, 576, 30, 14745600, 20000, 149, 8, 5},
    {"High 1440", 0x16, 1440, 1152, 60, 62668800, 80000, 597, 9, 5},
    {"High", 0x14, 1920, 1152, 60, 83558400, 100000, 746, 9, 5},
}};

/// 11172-2 table 2-D.1: height over width of a sample, codes 1 to 14.
constexpr std::array<double, 14> mpeg1_aspects{1.0,    0.6735, 0.7031, 0.7615, 0.8055, 0.8437, 0.8935,
                                               0.9157, 0.9815, 1.0255, 1.0695, 1.0950, 1.1575, 1.2015};

/// Table 2-D.1: height over width of a sample.
int mpeg1_aspect_code(Rational sample_aspect, std::vector<std::string>& notes) {
    if (sample_aspect.numerator <= 0) return 1;
    const double height_over_width = 1.0 / sample_aspect.value();
    const auto nearest = std::min_element(mpeg1_aspects.begin(), mpeg1_aspects.end(), [&](double a, double b) {
        return std::abs(a - height_over_width) < std::abs(b - height_over_width);
    });
    if (std::abs(*nearest / height_over_width - 1) > 0.03) {
        notes.push_back("samples " + std::to_string(sample_aspect.value()) +
                        " times as wide as high are none that MPEG-1 can say: the stream says " +
                        std::to_string(1 / *nearest));
    }
    return static_cast<int>(nearest - mpeg1_aspects.begin()) + 1;
}

/// Table 6-3: 1 square samples, 2 to 4 the display's aspect.
int mpeg2_aspect_code(const VideoFormat& format, std::vector<std::string>& notes) {
    const Rational sample = format.sample_aspect;
    if (sample.numerator <= 0 || same_value(sample, {1, 1})) return 1;
    const double display = sample.value() * format.width / format.height;
    constexpr std::array<double, 3> displays{4.0 / 3.0, 16.0 / 9.0, 2.21};
    for (std::size_t i = 0; i < displays.size(); ++i) {
        if (std::abs(display / displays[i] - 1.0) < 0.03) return static_cast<int>(i) + 2;
    }
    notes.push_back(
        "the display aspect " + std::to_string(display) +
        " is none of 4:3, 16:9 and 2.21:1, which is all that MPEG-2 can say: the stream says square samples");
    return 1;
}

/// The rate and the buffer that rate control keeps to.
void declare_buffer(const Settings& settings, MpegSequence& sequence, std::vector<std::string>& notes) {
    const DeclaredBuffer buffer = declared_buffer(settings.rate);
    sequence.bit_rate = static_cast<std::uint32_t>(buffer.rate_units);
    sequence.vbv_buffer_size = static_cast<int>(buffer.buffer_units);
    const double asked = std::floor(settings.rate.vbv_bits / buffer_unit);
    if (static_cast<double>(buffer.buffer_units) < asked) {
        notes.push_back("at a constant rate no decoder can be told to wait longer than 0.728 seconds: the buffer is " +
                        std::to_string(buffer.buffer_units * 16384 / 1000) + " kbit large");
    }
}

/// kbit/s of which a level has to be capable; 0: any.
int demanded_kbps(const Settings& settings) {
    if (settings.rate.vbv_bits <= 0) return settings.max_bitrate_kbps;
    return static_cast<int>((declared_buffer(settings.rate).rate_units * 400 + 999) / 1000);
}

int demanded_buffer(const Settings& settings) {
    return settings.rate.vbv_bits > 0 ? static_cast<int>(declared_buffer(settings.rate).buffer_units) : 0;
}

void describe_mpeg1(const Settings& settings, const VideoFormat& format, MpegSequence& sequence,
                    std::vector<std::string>& notes) {
    sequence.aspect_ratio_code = mpeg1_aspect_code(format.sample_aspect, notes);
    sequence.vbv_buffer_size = 112;
    const VectorLimits limits = longest_vectors(settings, format.width, format.height);
    const int range_f_code = f_code_for(2 * std::max(limits.x, limits.y) + 1);
    if (settings.rate.vbv_bits > 0) {
        declare_buffer(settings, sequence, notes);
        sequence.constrained_parameters = meets_constrained_parameters(sequence, format.frame_rate, range_f_code);
        return;
    }
    if (settings.max_bitrate_kbps == 0) return;
    sequence.bit_rate = static_cast<std::uint32_t>((settings.max_bitrate_kbps * 1000LL + 399) / 400);
    // A constrained stream has a buffer of at most 20 units; ask for it only where the rest is constrained too.
    sequence.vbv_buffer_size = 20;
    sequence.constrained_parameters = meets_constrained_parameters(sequence, format.frame_rate, range_f_code);
    if (!sequence.constrained_parameters) sequence.vbv_buffer_size = 112;
}

/// The level that the settings' standard wants, else the lowest; null where it does not hold the video.
const Level* level_of(const Settings& settings, const VideoFormat& format) {
    std::span<const Level> levels = levels_for(settings.intra_dc_precision);
    if (const CompatibilityRow* row = compatibility_row(settings, format)) {
        const auto wanted = std::ranges::find(levels, row->profile_and_level, &Level::profile_and_level);
        if (wanted != levels.end()) levels = {wanted, 1};
    }
    const VectorLimits limits = longest_vectors(settings, format.width, format.height);
    return level_for(levels, format, demanded_kbps(settings), limits, demanded_buffer(settings));
}

void describe_mpeg2(const Settings& settings, const VideoFormat& format, MpegSequence& sequence,
                    std::vector<std::string>& notes) {
    sequence.aspect_ratio_code = mpeg2_aspect_code(format, notes);
    const Level* level = level_of(settings, format);
    if (level == nullptr) {
        notes.push_back("no level of MPEG-2 holds this size, rate, bit rate and buffer: the stream says High Level; "
                        "programs play it, but discs' and broadcasts' players may not, unless the picture (--filter "
                        "scale=...), the rate (--fps) or --vbv-maxrate is made smaller");
        level = &levels_for(settings.intra_dc_precision).back();
    }
    const CompatibilityRow* row = compatibility_row(settings, format);
    sequence.progressive = row == nullptr || row->progressive_sequence;
    sequence.profile_and_level = level->profile_and_level;
    const int kbps = settings.max_bitrate_kbps > 0 ? settings.max_bitrate_kbps : level->max_kbps;
    sequence.bit_rate = static_cast<std::uint32_t>((kbps * 1000LL + 399) / 400);
    sequence.vbv_buffer_size = level->vbv_units;
    if (settings.rate.vbv_bits > 0) declare_buffer(settings, sequence, notes);
    sequence.has_display_extension = format.colour.specified();
    sequence.colour_primaries = format.colour.primaries;
    sequence.transfer_characteristics = format.colour.transfer;
    sequence.matrix_coefficients = format.colour.matrix;
}

} // namespace

std::span<const Level> levels_for(int intra_dc_precision) {
    if (intra_dc_precision > 10) return high_profile;
    return main_profile;
}

const Level* level_for(std::span<const Level> levels, const VideoFormat& format, int max_bitrate_kbps,
                       const VectorLimits& limits, int vbv_units) {
    // Of whole macroblocks: the limits are those of 1088 rows and the like. Exact: samples * numerator <= limit *
    // denominator.
    const auto whole = [](int side) { return std::int64_t{(side + 15) / 16 * 16}; };
    const std::int64_t samples = whole(format.width) * whole(format.height);
    const int f_code_x = f_code_for(2 * limits.x + 1);
    const int f_code_y = f_code_for(2 * limits.y + 1);
    for (const Level& level : levels) {
        const bool fits =
            format.width <= level.width && format.height <= level.height &&
            format.frame_rate.numerator <= level.frame_rate * format.frame_rate.denominator &&
            samples * format.frame_rate.numerator <= level.luma_samples_per_second * format.frame_rate.denominator &&
            max_bitrate_kbps <= level.max_kbps && vbv_units <= level.vbv_units && f_code_x <= level.f_code_x &&
            f_code_y <= level.f_code_y;
        if (fits) return &level;
    }
    return nullptr;
}

bool meets_constrained_parameters(const MpegSequence& sequence, Rational frame_rate, int f_code) {
    const std::int64_t macroblocks =
        static_cast<std::int64_t>((sequence.width + 15) / 16) * ((sequence.height + 15) / 16);
    return sequence.width <= 768 && sequence.height <= 576 && macroblocks <= 396 &&
           macroblocks * frame_rate.numerator <= 396 * 25 * frame_rate.denominator &&
           frame_rate.numerator <= 30 * frame_rate.denominator && f_code <= 4 && sequence.vbv_buffer_size <= 20 &&
           sequence.bit_rate <= 1856000 / 400;
}

const QuantiserMatrix& usual_intra_matrix() {
    static constexpr QuantiserMatrix matrix = [] {
        QuantiserMatrix flat{};
        flat.fill(22);
        flat.front() = 8;
        return flat;
    }();
    return matrix;
}

MpegSequence make_sequence(const Settings& settings, const VideoFormat& format, std::vector<std::string>& notes) {
    MpegSequence sequence;
    sequence.width = format.width;
    sequence.height = format.height;
    const FrameRateCode rate = frame_rate_code(settings.codec, format.frame_rate).value();
    sequence.frame_rate_code = rate.code;
    sequence.frame_rate_extension_n = rate.extension_n;
    sequence.frame_rate_extension_d = rate.extension_d;
    sequence.intra_matrix = settings.intra_matrix.value_or(usual_intra_matrix());
    sequence.non_intra_matrix = settings.non_intra_matrix.value_or(default_non_intra_matrix());
    sequence.custom_intra_matrix = sequence.intra_matrix != default_intra_matrix();
    sequence.custom_non_intra_matrix = sequence.non_intra_matrix != default_non_intra_matrix();
    if (settings.codec == Codec::mpeg1) {
        describe_mpeg1(settings, format, sequence, notes);
    } else {
        describe_mpeg2(settings, format, sequence, notes);
    }
    return sequence;
}

} // namespace tandem
