// SPDX-License-Identifier: BSD-2-Clause
#include "coding/mpeg/residual.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>

#include "coding/mpeg/mode.h"
#include "coding/mpeg/quantiser/pattern_choice.h"
#include "coding/mpeg/quantiser/trellis.h"
#include "video/fetch_lines.h"

namespace tandem {

/// One of a macroblock's six blocks: where its samples are.
struct ResidualCoder::BlockPlace {
    std::size_t plane;
    int x, y; ///< Within the macroblock's part of the plane.
};
constexpr std::array<ResidualCoder::BlockPlace, 6> ResidualCoder::block_places{
    {{0, 0, 0}, {0, 8, 0}, {0, 0, 8}, {0, 8, 8}, {1, 0, 0}, {2, 0, 0}}};

/// A block of a predicted macroblock: its samples, and what is predicted of them.
struct ResidualCoder::PredictedBlock {
    Pointers samples;
    std::ptrdiff_t source_stride, out_stride;
    const std::uint8_t* predicted;
    std::ptrdiff_t stride;
};

namespace {

template <int width>
void copy_rows(const std::uint8_t* from, std::ptrdiff_t from_stride, std::uint8_t* to, std::ptrdiff_t to_stride,
               int rows) {
    for (int row = 0; row < rows; ++row)
        std::memcpy(to + row * to_stride, from + row * from_stride, width);
}

} // namespace

ResidualCoder::ResidualCoder(const ResidualInput& input, SliceExtent slice, MpegPicture& picture, Frame& reconstruction)
    : in_(input), slice_(slice), kernels_(transform_kernels()), picture_(picture),
      scan_(scan_order(picture.alternate_scan)),
      table_(picture.intra_vlc_format ? CoefficientTable::b15 : CoefficientTable::b14) {
    for (std::size_t p = 0; p < 3; ++p) {
        source_[p] = input.source->plane(static_cast<int>(p)).view();
        out_[p] = reconstruction.plane(static_cast<int>(p)).view();
    }
}

void ResidualCoder::code(int index) {
    const Quantisers* quantisers = &in_.quantisers_of(index);
    lambda_q6_ = quantisers->lambda_q6;
    code_with(*quantisers, index);
    while (is_cut_)
        code_with(*++quantisers, index);
    settle_flags(index);
}

void ResidualCoder::code_prediction_alone(int index) {
    prediction_alone_ = true;
    code_with(in_.quantisers_of(index), index);
    prediction_alone_ = false;
    settle_flags(index);
}

void ResidualCoder::fetch(int index) const {
    const auto i = static_cast<std::size_t>(index);
    const int x = index % picture_.mb_columns * 16;
    const int y = index / picture_.mb_columns * 16;
    fetch_lines<Use::write>(&out_[0].at(x, y), out_[0].stride, 16, 16); // The source's luma has been looked at.
    for (const std::size_t p : {std::size_t{1}, std::size_t{2}}) {
        fetch_lines(&source_[p].at(x / 2, y / 2), source_[p].stride, 8, 8);
        fetch_lines<Use::write>(&out_[p].at(x / 2, y / 2), out_[p].stride, 8, 8);
    }
    const std::uint8_t flags = picture_.flags[i];
    if (flags & mb_forward) fetch_prediction(*in_.references->forward, picture_.forward[i], x, y);
    if (flags & mb_backward) fetch_prediction(*in_.references->backward, picture_.backward[i], x, y);
}

void ResidualCoder::code_with(const Quantisers& quantisers, int index) {
    const auto i = static_cast<std::size_t>(index);
    const int x = index % picture_.mb_columns * 16;
    const int y = index / picture_.mb_columns * 16;
    quantisers_ = &quantisers;
    is_cut_ = false;
    picture_.quantiser_scale_code[i] = static_cast<std::uint8_t>(quantisers.code);
    if (picture_.flags[i] & mb_intra) {
        code_intra(i, x, y);
    } else {
        code_inter(i, x, y);
    }
}

/// GCC would call it for each block; in line, a macroblock's blocks share what they have in common.
[[gnu::always_inline]] inline ResidualCoder::Pointers ResidualCoder::block_at(const BlockPlace& place, int x,
                                                                              int y) const {
    const int shift = place.plane == 0 ? 0 : 1;
    const PlaneView& source = source_[place.plane];
    const MutablePlaneView& out = out_[place.plane];
    return {&source.at(x >> shift, y >> shift) + place.y * source.stride + place.x,
            &out.at(x >> shift, y >> shift) + place.y * out.stride + place.x};
}

/// Quantises into `levels` (raster order, for the rebuilding) and into MpegPicture; true when a level is not zero
/// (intra: besides DC).
bool ResidualCoder::quantise(const Block& coefficients, const Quantiser& quantiser, std::size_t block, Block& levels) {
    if (in_.trellis) {
        const TrellisChoice choice =
            trellis_quantise(coefficients, quantiser, quantiser.intra ? table_ : CoefficientTable::b14,
                             picture_.alternate_scan, lambda_q6_, &picture_.levels[block * 64]);
        saving_[block % 6] = choice.saving;
        fetch_levels(block, choice.nonzero, levels);
        levels.value[0] = quantiser.intra ? picture_.levels[block * 64] : levels.value[0];
    } else {
        store_levels(block, kernels_.quantise(coefficients, quantiser, levels), levels);
        if (quantiser.intra) picture_.levels[block * 64] = levels.value[0];
    }
    if (quantiser.vanishes) drop_what_vanishes(quantiser, block, levels);
    if (!quantiser.intra && saturates(levels.value[0], quantiser, 0))
        drop(picture_.nonzero[block] & ~std::uint64_t{1}, block, levels);
    if (quantisers_ != &in_.quantisers.back()) is_cut_ |= has_largest_level(quantiser, block);
    return picture_.nonzero[block] != 0;
}

void ResidualCoder::drop_what_vanishes(const Quantiser& quantiser, std::size_t block, Block& levels) {
    std::uint64_t vanishing = 0;
    for (std::uint64_t mask = picture_.nonzero[block]; mask != 0; mask &= mask - 1) {
        const auto position = static_cast<std::size_t>(std::countr_zero(mask));
        const bool vanishes = rebuilds_nothing(picture_.levels[block * 64 + position], quantiser, scan_[position]);
        vanishing |= static_cast<std::uint64_t>(vanishes) << position;
    }
    drop(vanishing, block, levels);
}

/// Makes the levels at these scan positions 0.
void ResidualCoder::drop(std::uint64_t positions, std::size_t block, Block& levels) {
    picture_.nonzero[block] &= ~positions;
    for (; positions != 0; positions &= positions - 1) {
        const auto position = static_cast<std::size_t>(std::countr_zero(positions));
        picture_.levels[block * 64 + position] = 0;
        levels.value[scan_[position]] = 0;
    }
}

/// Whether a level may have been cut.
bool ResidualCoder::has_largest_level(const Quantiser& quantiser, std::size_t block) const {
    for (std::uint64_t mask = picture_.nonzero[block]; mask != 0; mask &= mask - 1) {
        const auto position = static_cast<std::size_t>(std::countr_zero(mask));
        if (std::abs(picture_.levels[block * 64 + position]) >= quantiser.largest_level) return true;
    }
    return false;
}

/// MpegPicture's levels to raster order.
void ResidualCoder::fetch_levels(std::size_t block, std::uint64_t mask, Block& levels) {
    picture_.nonzero[block] = mask;
    clear_values(levels.value);
    for (; mask != 0; mask &= mask - 1) {
        const auto position = static_cast<std::size_t>(std::countr_zero(mask));
        levels.value[scan_[position]] = picture_.levels[block * 64 + position];
    }
}

/// Levels in raster order to MpegPicture's scan order.
void ResidualCoder::store_levels(std::size_t block, std::uint64_t raster_mask, const Block& levels) {
    std::uint64_t mask = 0;
    if (raster_mask != 0) {
        const std::uint64_t with_dc =
            kernels_.scan_levels(levels, raster_mask, picture_.alternate_scan, &picture_.levels[block * 64]);
        mask = with_dc & (~std::uint64_t{1} | raster_mask); // DC is the first in both orders.
    }
    picture_.nonzero[block] = mask;
}

void ResidualCoder::code_intra(std::size_t i, int x, int y) {
    Block values, coefficients, levels;
    for (std::size_t b = 0; b < 6; ++b) {
        const BlockPlace& place = block_places[b];
        const Pointers at = block_at(place, x, y);
        kernels_.widen(at.source, source_[place.plane].stride, values);
        kernels_.forward_dct(values, coefficients);
        quantise(coefficients, quantisers_->intra, i * 6 + b, levels);
        kernels_.dequantise(levels, quantisers_->intra, coefficients);
        kernels_.inverse_dct(coefficients, values);
        kernels_.store_clamped(values, at.out, out_[place.plane].stride);
    }
    picture_.pattern[i] = 63;
}

std::array<ResidualCoder::PredictedBlock, 6> ResidualCoder::predicted_blocks(const Prediction& prediction, int x,
                                                                             int y) const {
    std::array<PredictedBlock, 6> blocks;
#pragma GCC unroll 6
    for (std::size_t b = 0; b < 6; ++b) {
        const BlockPlace& place = block_places[b];
        const std::ptrdiff_t stride = prediction.stride[place.plane];
        blocks[b] = {block_at(place, x, y), source_[place.plane].stride, out_[place.plane].stride,
                     prediction.data[place.plane] + place.y * stride + place.x, stride};
    }
    return blocks;
}

void ResidualCoder::code_inter(std::size_t i, int x, int y) {
    Prediction prediction;
    predict_luma(*in_.references, picture_.flags[i], picture_.forward[i], picture_.backward[i], x, y, prediction);
    predict_chroma(*in_.references, picture_.flags[i], picture_.forward[i], picture_.backward[i], x, y, prediction);
    const std::array<PredictedBlock, 6> blocks = predicted_blocks(prediction, x, y);
    std::array<Block, 6> values, levels;
    std::array<std::uint32_t, 6> energies;
    if (!prediction_alone_) measure_differences(blocks, values, energies);
    int pattern = 0;
    for (std::size_t b = 0; b < 6; ++b) {
        picture_.nonzero[i * 6 + b] = 0;
        const bool coded = !prediction_alone_ && quantise_inter(i * 6 + b, values[b], energies[b], levels[b]);
        pattern = pattern << 1 | static_cast<int>(coded);
    }
    if (in_.trellis)
        pattern = choose_pattern(pattern, saving_.data(), lambda_q6_, code_length_tables::coded_block_pattern.data());
    picture_.pattern[i] = static_cast<std::uint8_t>(pattern);
    if (pattern == 0) {
        std::fill_n(&picture_.nonzero[i * 6], 6, std::uint64_t{0});
        rebuild_prediction(prediction, blocks);
        return;
    }
    for (std::size_t b = 0; b < 6; ++b) {
        const bool coded = (pattern & (32 >> b)) != 0;
        picture_.nonzero[i * 6 + b] &= -static_cast<std::uint64_t>(coded);
        rebuild_inter(blocks[b], coded, levels[b]);
    }
}

/// What the prediction leaves of the source, and the sum of its squares.
void ResidualCoder::measure_differences(std::span<const PredictedBlock, 6> blocks, std::span<Block, 6> values,
                                        std::span<std::uint32_t, 6> energies) const {
    for (const std::size_t b : {0U, 2U}) {
        const PredictedBlock& at = blocks[b];
        kernels_.difference_of_two(at.samples.source, at.source_stride, at.predicted, at.stride, &values[b],
                                   &energies[b]);
    }
    for (const std::size_t b : {4U, 5U}) {
        const PredictedBlock& at = blocks[b];
        energies[b] = kernels_.difference(at.samples.source, at.source_stride, at.predicted, at.stride, values[b]);
    }
}

/// The levels of what the prediction leaves of a block; true when there are any.
bool ResidualCoder::quantise_inter(std::size_t block, const Block& values, std::uint32_t energy, Block& levels) {
    const std::uint32_t zero_energy = quantisers_->inter.zero_energy;
    if (energy <= zero_energy) return false;
    if (energy <= 4 * zero_energy && kernels_.largest_part(values) <= 4 * zero_energy) return false;
    Block coefficients;
    kernels_.forward_dct(values, coefficients);
    return quantise(coefficients, quantisers_->inter, block, levels);
}

/// Writes the block's samples: the prediction, and what its levels add where it is coded.
void ResidualCoder::rebuild_inter(const PredictedBlock& at, bool coded, const Block& levels) {
    if (!coded) return copy_rows<8>(at.predicted, at.stride, at.samples.out, at.out_stride, 8);
    Block values, coefficients;
    kernels_.dequantise(levels, quantisers_->inter, coefficients);
    kernels_.inverse_dct(coefficients, values);
    kernels_.add_clamped(at.predicted, at.stride, values, at.samples.out, at.out_stride);
}

/// Writes a macroblock's samples where none of its blocks is coded.
void ResidualCoder::rebuild_prediction(const Prediction& prediction, std::span<const PredictedBlock, 6> blocks) {
    copy_rows<16>(prediction.data[0], prediction.stride[0], blocks[0].samples.out, blocks[0].out_stride, 16);
    for (const PredictedBlock& at : blocks.last<2>())
        copy_rows<8>(at.predicted, at.stride, at.samples.out, at.out_stride, 8);
}

/// Settles flags that depend on the pattern.
void ResidualCoder::settle_flags(int index) {
    const auto i = static_cast<std::size_t>(index);
    const bool inside = index != slice_.first && index != slice_.end - 1;
    const Mode before = inside ? decided_mode(picture_, i - 1) : Mode{};
    picture_.flags[i] = static_cast<std::uint8_t>(
        settled_flags(picture_.type, decided_mode(picture_, i), before, picture_.pattern[i], inside));
}

void code_residual(const ResidualInput& input, SliceExtent slice, MpegPicture& picture, Frame& reconstruction) {
    ResidualCoder coder(input, slice, picture, reconstruction);
    constexpr int ahead = 4; // Macroblocks: a line of the cache.
    for (int index = slice.first; index < slice.end; ++index) {
        if (index + ahead < slice.end) coder.fetch(index + ahead);
        coder.code(index);
    }
}

} // namespace tandem
