// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/lookahead/macroblock_costs.h"

#include <array>

#include "me/kernels/distortion.h"

namespace tandem {

namespace {

constexpr int side = half_macroblock;
using Block = std::array<std::uint8_t, side * side>;

/// Calls body(macroblock, x, y) with the place of each macroblock of a row.
template <class Body> void for_macroblocks(PlaneView half, int row, Body body) {
    const int columns = half.width / side;
    for (int column = 0; column < columns; ++column)
        body(static_cast<std::size_t>(row * columns + column), column * side, row * side);
}

std::uint32_t satd(PlaneView half, int x, int y, const std::uint8_t* prediction, std::ptrdiff_t stride) {
    return distortion_kernels().satd(&half.at(x, y), half.stride, prediction, stride, side, side);
}

Mv halved(Mv mv) { return {static_cast<std::int16_t>(mv.x / 2), static_cast<std::int16_t>(mv.y / 2)}; }
Mv doubled(Mv mv) { return {static_cast<std::int16_t>(2 * mv.x), static_cast<std::int16_t>(2 * mv.y)}; }

Block mean_of(const std::uint8_t* a, std::ptrdiff_t stride_a, const std::uint8_t* b, std::ptrdiff_t stride_b) {
    Block mean;
    for (int row = 0; row < side; ++row) {
        for (int column = 0; column < side; ++column)
            mean[static_cast<std::size_t>(row * side + column)] =
                static_cast<std::uint8_t>((a[row * stride_a + column] + b[row * stride_b + column] + 1) >> 1);
    }
    return mean;
}

} // namespace

void measure_intra(PlaneView half, int row, CostRow::Costs& costs) {
    for_macroblocks(half, row, [&](std::size_t i, int x, int y) {
        int sum = 0;
        for (int line = 0; line < side; ++line)
            for (int column = 0; column < side; ++column)
                sum += half.at(x + column, y + line);
        Block flat;
        flat.fill(static_cast<std::uint8_t>((sum + side * side / 2) / (side * side)));
        costs[i] = satd(half, x, y, flat.data(), side);
    });
}

void measure_predicted(const MotionField& field, PlaneView half, const SubpelPlanes& reference, int row,
                       CostRow::PredictedCosts& costs) {
    for_macroblocks(half, row, [&](std::size_t i, int x, int y) {
        const Candidate& best = field.best(x / side, y / side);
        const std::uint32_t left = satd(half, x, y, reference.at(x, y, best.mv), reference.stride());
        costs[i] = {left + best.cost - best.distortion, doubled(best.mv)};
    });
}

void measure_both(PlaneView half, const BothReferences& references, int row, CostRow::Costs& costs) {
    const SubpelPlanes &first = references.first, &last = references.last;
    for_macroblocks(half, row, [&](std::size_t i, int x, int y) {
        const Block mean = mean_of(first.at(x, y, halved(references.forward[i].mv)), first.stride(),
                                   last.at(x, y, halved(references.backward[i].mv)), last.stride());
        costs[i] = satd(half, x, y, mean.data(), side);
    });
}

} // namespace tandem
