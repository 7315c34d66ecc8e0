// SPDX-License-Identifier: BSD-2-Clause
// Everything a user can choose of an encode's rate.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "video/picture_type.h"

namespace tandem {

enum class RateMode : std::uint8_t {
    quantiser, ///< One quantiser for all pictures of a type.
    quality,   ///< One impression of quality: complex pictures, where the eye sees less, are quantised coarser.
    average,   ///< A bit rate over the whole stream.
};

/// Pictures first..last in display order are coded with a quantiser, or with so many times the bits.
struct Zone {
    std::int64_t first = 0, last = 0;
    std::optional<double> quantiser; ///< Of P pictures, in the codec's unit.
    double bits = 1;                 ///< 0.01..100.
};

/// What somebody wants of one picture.
struct GivenPicture {
    std::int64_t display_index = 0;
    std::optional<PictureType> type; ///< Nothing: as it comes. One that cannot be is refused.
    std::optional<double> quantiser; ///< Its own, in the codec's unit, whatever rates say; nothing: as it comes.
};

/// What is known of a picture from a pass before.
struct PassRecord {
    std::int64_t display_index = 0;
    PictureType type = PictureType::intra;
    double quantiser = 0;    ///< What it was coded with, in the codec's unit: Quality::even_quantiser().
    std::uint64_t bits = 0;  ///< What that took.
    std::uint64_t intra = 0; ///< Its PictureCosts.
    std::uint64_t inter = 0;
};

/// Quantisers are those of Quality. Users say them in codes: Settings::rate has quantiser_scale_codes, 1..31.
struct RateSettings {
    /// The mode is the bit rate's where there is one, else the quality's where there is one, else the quantiser's.
    RateMode mode() const;
    std::optional<double> quality;  ///< RateMode::quality, 0..51: 6 more halve the bits, roughly.
    double bits_per_second = 0;     ///< RateMode::average; 0: none.
    double vbv_bits_per_second = 0; ///< At which a decoder's buffer is filled at most; 0: there is no such buffer.
    double vbv_bits = 0;            ///< Its size.
    double vbv_initial = 0.9;       ///< The part of it that is full when the first picture is due, 0..1.
    bool constant = false;          ///< The buffer is filled without a pause; stuffing makes up for small pictures.
    double least_quantiser = 1;
    double largest_quantiser = 31;
    double step = 4;                 ///< From picture to picture the quantiser changes by 2^(step / 6) at most; 1..50.
    double compression = 1;          ///< 0: a constant rate, 1: a constant quantiser. x264's qcomp.
    double tolerance = 1;            ///< How far bits may be from the rate on the way; 0.01..100. x264's ratetol.
    std::vector<Zone> zones;         ///< The last that holds a picture counts.
    std::vector<GivenPicture> given; ///< By rising display_index.
    bool soft = false; ///< A picture that underflows the buffer at the coarsest quantiser does not end the encode.
    std::vector<PassRecord> before; ///< Of the pass before, in coding order; empty: this is the first.
    bool is_followed = false;       ///< By another pass: a first one need not pay back what it spends too much.
};

/// Units of what a stream can say of its buffer: bits per second (of `rate_unit`) and bits (of `buffer_unit`).
inline constexpr double rate_unit = 400, buffer_unit = 16384;

/// The buffer of the settings in whole units, as the stream says it: rounded so that who holds this holds what was
/// asked for. At a constant rate it is no larger than vbv_delay can say.
struct DeclaredBuffer {
    std::int64_t rate_units = 0, buffer_units = 0;
};
DeclaredBuffer declared_buffer(const RateSettings& settings);

/// Every problem as a sentence naming the value and the limit. `most_rate_units` and `most_buffer_units` are what the
/// codec can say.
std::vector<std::string> problems_of(const RateSettings& settings, std::int64_t most_rate_units,
                                     std::int64_t most_buffer_units);

} // namespace tandem
