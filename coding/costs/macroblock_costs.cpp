// SPDX-License-Identifier: BSD-2-Clause
#include "coding/costs/macroblock_costs.h"

#include <array>

#include "me/kernels/distortion.h"

namespace tandem {

namespace {

using HalfBlock = std::array<std::uint8_t, half_macroblock * half_macroblock>;

/// Calls body(macroblock, x, y) with the place of each macroblock of a row.
template <class Body> void for_macroblocks(PlaneView half, int row, Body body) {
    const int columns = half.width / half_macroblock;
    for (int column = 0; column < columns; ++column)
        body(static_cast<std::size_t>(row * columns + column), column * half_macroblock, row * half_macroblock);
}

std::uint32_t satd(PlaneView half, int x, int y, const std::uint8_t* prediction, std::ptrdiff_t stride) {
    return distortion_kernels().satd(&half.at(x, y), half.stride, prediction, stride, half_macroblock, half_macroblock);
}

Mv halved(Mv mv) { return {static_cast<std::int16_t>(mv.x / 2), static_cast<std::int16_t>(mv.y / 2)}; }
Mv doubled(Mv mv) { return {static_cast<std::int16_t>(2 * mv.x), static_cast<std::int16_t>(2 * mv.y)}; }

HalfBlock mean_of(const std::uint8_t* a, std::ptrdiff_t stride_a, const std::uint8_t* b, std::ptrdiff_t stride_b) {
    HalfBlock mean;
    for (int row = 0; row < half_macroblock; ++row) {
        for (int column = 0; column < half_macroblock; ++column)
            mean[static_cast<std::size_t>(row * half_macroblock + column)] =
                static_cast<std::uint8_t>((a[row * stride_a + column] + b[row * stride_b + column] + 1) >> 1);
    }
    return mean;
}

void measure_intra(const CostWork::Intra& work, int row) {
    const PlaneView half = work.picture->frame->luma().view();
    for_macroblocks(half, row, [&](std::size_t i, int x, int y) {
        int sum = 0;
        for (int line = 0; line < half_macroblock; ++line)
            for (int column = 0; column < half_macroblock; ++column)
                sum += half.at(x + column, y + line);
        HalfBlock flat;
        flat.fill(static_cast<std::uint8_t>((sum + half_macroblock * half_macroblock / 2) /
                                            (half_macroblock * half_macroblock)));
        (*work.costs)[i] = satd(half, x, y, flat.data(), half_macroblock);
    });
}

void measure_predicted(const CostWork::Predicted& work, int row) {
    const PlaneView half = work.picture->frame->luma().view();
    const SubpelPlanes& reference = work.reference->half_pels;
    for_macroblocks(half, row, [&](std::size_t i, int x, int y) {
        const Candidate& best = work.field.best(x / half_macroblock, y / half_macroblock);
        const std::uint32_t left = satd(half, x, y, reference.at(x, y, best.mv), reference.stride());
        (*work.costs)[i] = {left + best.cost - best.distortion, doubled(best.mv)};
    });
}

void measure_both(const CostWork::Both& work, int row) {
    const PlaneView half = work.picture->frame->luma().view();
    const SubpelPlanes &first = work.first->half_pels, &last = work.last->half_pels;
    for_macroblocks(half, row, [&](std::size_t i, int x, int y) {
        const HalfBlock mean = mean_of(first.at(x, y, halved((*work.forward)[i].mv)), first.stride(),
                                       last.at(x, y, halved((*work.backward)[i].mv)), last.stride());
        (*work.costs)[i] = satd(half, x, y, mean.data(), half_macroblock);
    });
}

} // namespace

const Frame& CostWork::any_picture() const {
    const HalfPicture& any = !intra.empty()       ? *intra.front().picture
                             : !predicted.empty() ? *predicted.front().picture
                                                  : *both.front().picture;
    return *any.frame;
}

void measure_row(const CostWork& work, int row) {
    for (const CostWork::Intra& intra : work.intra)
        measure_intra(intra, row);
    for (const CostWork::Predicted& predicted : work.predicted)
        measure_predicted(predicted, row);
    for (const CostWork::Both& both : work.both)
        measure_both(both, row);
}

} // namespace tandem
