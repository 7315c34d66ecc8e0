// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/mpeg/mpeg_decisions.h"

#include <array>
#include <limits>
#include <numeric>
#include <utility>

#include "files/little_endian.h"
#include "me/kernels/distortion.h"
#include "video/quality/quality.h"

namespace tandem {

namespace {

constexpr std::uint8_t no_candidate = 255;

/// The numbers of a record, appended one by one.
class Record {
  public:
    explicit Record(const MpegDecisions& of) : of_(of), picture_(of.coding.picture) {}
    const MpegDecisions& of() const { return of_; }
    const MpegPicture& picture() const { return picture_; }
    std::size_t macroblocks() const { return picture_.flags.size(); }
    template <class Number> void put(Number number) { append_little_endian(bytes_, number); }
    void put(Mv mv) {
        put(mv.x);
        put(mv.y);
    }
    std::vector<std::uint8_t> take() { return std::move(bytes_); }

    int x_of(std::size_t macroblock) const { return static_cast<int>(macroblock) % picture_.mb_columns * 16; }
    int y_of(std::size_t macroblock) const { return static_cast<int>(macroblock) / picture_.mb_columns * 16; }

  private:
    const MpegDecisions& of_;
    const MpegPicture& picture_;
    std::vector<std::uint8_t> bytes_;
};

/// The candidate that the macroblock is coded as: without levels the prediction alone, unless its residual vanished
/// when it was tried with one.
std::uint8_t chosen_candidate(const Record& record, std::size_t i) {
    const Mode mode = decided_mode(record.picture(), i);
    const std::span<const TriedMode> tried = record.of().coding.tried[i].all();
    const bool is_alone = record.picture().pattern[i] == 0;
    std::uint8_t chosen = no_candidate;
    for (std::size_t k = 0; k < tried.size(); ++k) {
        if (!(tried[k].mode == mode)) continue;
        if (chosen == no_candidate || tried[k].prediction_alone == is_alone) chosen = static_cast<std::uint8_t>(k);
    }
    return chosen;
}

std::uint32_t squared_error(const Record& record, std::size_t i, int plane) {
    const int shift = plane == 0 ? 0 : 1;
    const int x = record.x_of(i) >> shift, y = record.y_of(i) >> shift;
    const PlaneView source = record.of().job.plan.original->plane(plane).view();
    const Frame& coded = *record.of().coding.reconstruction;
    const PlaneView rebuilt = coded.plane(plane).view();
    return distortion_kernels().ssd(&source.at(x, y), source.stride, &rebuilt.at(x, y), rebuilt.stride, 16 >> shift,
                                    16 >> shift);
}

/// Sum of (x - mean)^2, to the nearest integer.
std::uint32_t energy_about_mean(PlaneView source, int x, int y) {
    std::uint64_t sum = 0, squares = 0;
    for (int row = y; row < y + 16; ++row) {
        for (int column = x; column < x + 16; ++column) {
            const std::uint64_t sample = source.at(column, row);
            sum += sample;
            squares += sample * sample;
        }
    }
    return static_cast<std::uint32_t>(squares - (sum * sum + 128) / 256);
}

std::uint32_t residual_energy(const Record& record, std::size_t i) {
    const PlaneView source = record.of().coding.source->luma().view();
    const int x = record.x_of(i), y = record.y_of(i);
    const Mode mode = decided_mode(record.picture(), i);
    if ((mode.flags & mb_intra) != 0) return energy_about_mean(source, x, y);
    Prediction prediction;
    predict_luma(record.of().coding.references, mode.flags, mode.forward, mode.backward, x, y, prediction);
    return distortion_kernels().ssd(&source.at(x, y), source.stride, prediction.data[0], prediction.stride[0], 16, 16);
}

/// A column, and how its numbers are made.
struct Row {
    DecisionColumn column;
    void (*write)(Record& record);
};

/// One number of a picture.
template <auto value> void once(Record& record) { record.put(value(record)); }

/// Of each macroblock the number that `value` gives.
template <auto value> void each(Record& record) {
    for (std::size_t i = 0; i < record.macroblocks(); ++i)
        record.put(value(record, i));
}

/// Of each macroblock a number for each place that a candidate can have; where there is none, that of an empty one.
template <auto value> void each_candidate(Record& record) {
    for (std::size_t i = 0; i < record.macroblocks(); ++i) {
        const TriedModes& tried = record.of().coding.tried[i];
        for (std::size_t k = 0; k < TriedModes::most; ++k)
            record.put(value(k < static_cast<std::size_t>(tried.count) ? tried.mode[k] : TriedMode{}));
    }
}

std::uint32_t sum_of(const std::vector<std::uint8_t>& bits) {
    return std::accumulate(bits.begin(), bits.end(), std::uint32_t{0});
}

// Of a picture.
std::int64_t coding_index(const Record& r) { return r.of().job.coding_index; }
std::int64_t display_index(const Record& r) { return r.of().job.plan.display_index; }
std::uint8_t type(const Record& r) { return static_cast<std::uint8_t>(r.picture().type); }
std::uint8_t opens_group(const Record& r) { return r.of().job.plan.opens_group ? 1 : 0; }
double quantiser(const Record& r) { return r.of().job.quality.quantiser; }
std::uint64_t bits(const Record& r) { return r.of().packet_bits; }
std::uint32_t header_bits(const Record& r) { return static_cast<std::uint32_t>(r.of().header_bits); }
std::uint32_t slice_header_bits(const Record& r) { return sum_of(r.of().bits.slice_headers); }
std::uint32_t stuffing_bits(const Record& r) {
    return sum_of(r.of().bits.alignment) + static_cast<std::uint32_t>(r.of().stuffing_bits);
}

void references(Record& r) {
    for (std::size_t direction = 0; direction < 2; ++direction) {
        const auto& known = r.of().job.plan.references;
        r.put(direction < known.size() ? known[direction].display_index : std::int64_t{-1});
    }
}

void f_codes(Record& r) {
    for (const std::array<int, 2>& direction : r.picture().f_code) {
        for (const int code : direction)
            r.put(static_cast<std::uint8_t>(code));
    }
}

void picture_errors(Record& r) {
    const SquaredErrors errors = squared_errors(*r.of().job.plan.original, *r.of().coding.reconstruction,
                                                r.of().format.width, r.of().format.height);
    for (const std::uint64_t error : errors.error)
        r.put(error);
}

// Of a macroblock.
std::uint8_t flags(const Record& r, std::size_t i) { return r.picture().flags[i]; }
Mv forward(const Record& r, std::size_t i) { return decided_mode(r.picture(), i).forward; }
Mv backward(const Record& r, std::size_t i) { return decided_mode(r.picture(), i).backward; }
std::uint8_t quantiser_code(const Record& r, std::size_t i) { return r.picture().quantiser_scale_code[i]; }
std::uint8_t pattern(const Record& r, std::size_t i) { return r.picture().pattern[i]; }

float offset(const Record& r, std::size_t i) {
    const std::vector<float>& offsets = r.of().job.quality.offsets;
    return offsets.empty() ? 0 : offsets[i];
}

float importance(const Record& r, std::size_t i) {
    const ImportancePtr& known = r.of().job.plan.importance;
    return known && !known->factor.empty() ? known->factor[i] : std::numeric_limits<float>::quiet_NaN();
}

void element_bits(Record& r) {
    for (const MacroblockBits& macroblock : r.of().bits.macroblocks) {
        for (const std::uint16_t element : macroblock.of)
            r.put(element);
    }
}

void errors(Record& r) {
    for (std::size_t i = 0; i < r.macroblocks(); ++i) {
        for (int plane = 0; plane < 3; ++plane)
            r.put(squared_error(r, i, plane));
    }
}

// Of candidates.
std::uint8_t candidates(const Record& r, std::size_t i) {
    return static_cast<std::uint8_t>(r.of().coding.tried[i].count);
}
std::uint8_t candidate_flags(const TriedMode& one) {
    constexpr std::uint8_t without_residual = 64;
    return static_cast<std::uint8_t>(one.mode.flags | (one.prediction_alone ? without_residual : 0));
}
Mv candidate_forward(const TriedMode& one) { return one.mode.forward; }
Mv candidate_backward(const TriedMode& one) { return one.mode.backward; }
std::uint32_t candidate_distortion(const TriedMode& one) { return static_cast<std::uint32_t>(one.distortion); }
std::uint16_t candidate_bits(const TriedMode& one) { return static_cast<std::uint16_t>(one.bits); }

/// By how much more each candidate costs than the one that was chosen.
void candidate_excess(Record& r) {
    for (std::size_t i = 0; i < r.macroblocks(); ++i) {
        const TriedModes& tried = r.of().coding.tried[i];
        const std::uint8_t chosen = chosen_candidate(r, i);
        for (std::size_t k = 0; k < TriedModes::most; ++k) {
            const bool is_one = chosen != no_candidate && k < static_cast<std::size_t>(tried.count);
            r.put(is_one ? static_cast<float>(tried.mode[k].cost - tried.mode[chosen].cost) : 0.0F);
        }
    }
}

constexpr auto of_picture = DecisionsOf::picture;
constexpr auto by_mb = DecisionsOf::macroblock;
constexpr int most = TriedModes::most;

// clang-format off
const std::array rows{
    Row{{"coding", "<i8", of_picture, 1, "number in coding order, from 0"}, once<coding_index>},
    Row{{"display", "<i8", of_picture, 1, "number in display order, from 0"}, once<display_index>},
    Row{{"type", "u1", of_picture, 1, "1 I, 2 P, 3 B"}, once<type>},
    Row{{"opens_group", "u1", of_picture, 1, "1: a sequence and a group header stand before it"}, once<opens_group>},
    Row{{"references", "<i8", of_picture, 2,
         "display numbers of the pictures that it is predicted from, forward and backward; -1: none"}, references},
    Row{{"f_code", "u1", of_picture, 4, "forward x, y, backward x, y; 15: not used"}, f_codes},
    Row{{"quantiser", "<f8", of_picture, 1, "mean quantiser_scale_code that was asked for"}, once<quantiser>},
    Row{{"bits", "<u8", of_picture, 1, "of the whole packet"}, once<bits>},
    Row{{"header_bits", "<u4", of_picture, 1, "of these, in sequence, group and picture headers"}, once<header_bits>},
    Row{{"slice_header_bits", "<u4", of_picture, 1, "of these, in start codes and headers of slices"},
        once<slice_header_bits>},
    Row{{"stuffing_bits", "<u4", of_picture, 1, "of these, zeros at the ends of slices and of the picture"},
        once<stuffing_bits>},
    Row{{"squared_error", "<u8", of_picture, 3, "of Y, Cb, Cr against the source, where it is displayed"},
        picture_errors},

    Row{{"flags", "u1", by_mb, 1, "1 intra, 2 forward, 4 backward, 8 skipped, added; without 1, 2 and 4 it is predicted "
         "forward by the zero vector"}, each<flags>},
    Row{{"forward", "<i2", by_mb, 2, "vector x, y in eighths of a pel: prediction(p) = reference(p + vector)"},
        each<forward>},
    Row{{"backward", "<i2", by_mb, 2, "the same from the picture after"}, each<backward>},
    Row{{"quantiser_code", "u1", by_mb, 1, "quantiser_scale_code, 1..31; says something where the pattern is not 0"},
        each<quantiser_code>},
    Row{{"offset", "<f4", by_mb, 1, "what rate control added to the picture's quantiser"}, each<offset>},
    Row{{"pattern", "u1", by_mb, 1, "coded_block_pattern: 32 is the first luma block, 1 is Cr"}, each<pattern>},
    Row{{"element_bits", "<u2", by_mb, static_cast<int>(syntax_elements),
         "bits of address, type, quantiser, vectors, pattern, DC, coefficients"}, element_bits},
    Row{{"distortion", "<u4", by_mb, 3, "squared error of Y, Cb, Cr against the source, padding included"}, errors},
    Row{{"residual", "<u4", by_mb, 1, "sum of the squares of luma less its prediction, of intra less its mean"},
        each<residual_energy>},
    Row{{"importance", "<f4", by_mb, 1,
         "what its quantiser is multiplied by for what later pictures take from it, to 1; NaN: not known"},
        each<importance>},

    Row{{"candidates", "u1", by_mb, 1, "modes that were measured against each other; 0: there was no choice"},
        each<candidates>},
    Row{{"chosen", "u1", by_mb, 1, "which of these it has, from 0; 255: none of these"}, each<chosen_candidate>},
    Row{{"candidate_flags", "u1", by_mb, 1, "as flags, and 64: without a residual", most}, each_candidate<candidate_flags>},
    Row{{"candidate_forward", "<i2", by_mb, 2, "vectors, as forward", most}, each_candidate<candidate_forward>},
    Row{{"candidate_backward", "<i2", by_mb, 2, "vectors, as backward", most}, each_candidate<candidate_backward>},
    Row{{"candidate_distortion", "<u4", by_mb, 1,
         "squared error of all planes (--decision rd), SAD of luma (cost), squared error of luma (tm5, sm3)", most},
        each_candidate<candidate_distortion>},
    Row{{"candidate_bits", "<u2", by_mb, 1, "as the decision reckoned them", most}, each_candidate<candidate_bits>},
    Row{{"candidate_excess", "<f4", by_mb, 1,
         "distortion + lambda * bits, less that of the chosen one, in the distortion's unit", most}, candidate_excess},
};
// clang-format on

} // namespace

std::vector<DecisionColumn> mpeg_decision_columns() {
    std::vector<DecisionColumn> columns;
    for (const Row& row : rows)
        columns.push_back(row.column);
    return columns;
}

std::vector<std::uint8_t> mpeg_decision_record(const MpegDecisions& picture) {
    Record record(picture);
    for (const Row& row : rows)
        row.write(record);
    return record.take();
}

} // namespace tandem
