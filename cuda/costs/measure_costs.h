// SPDX-License-Identifier: BSD-2-Clause
// The cost of a macroblock, measured by one thread: for a kernel, and for the host in a test.
#pragma once

#include <cstddef>

#include "cuda/costs/cost_task.h"
#include "me/kernels/hadamard.h"

namespace tandem::cuda {

/// A macroblock has four cells of 4x4 samples at half size.
inline constexpr int cell_side = 4, cell_samples = cell_side * cell_side, cells_along = 2;

/// A picture of half size, whose edge goes on outside of it.
struct HalfLuma {
    const std::uint8_t* samples;
    int width, height, stride;

    TANDEM_HOST_DEVICE int at(int x, int y) const {
        const int column = x < width ? x : width - 1, row = y < height ? y : height - 1;
        return samples[static_cast<std::ptrdiff_t>(row) * stride + column];
    }
};

/// A cell as a vector of half pels predicts it, bilinearly. (4a + 2) >> 2 is a, and (2a + 2b + 2) >> 2 the mean of two.
TANDEM_HOST_DEVICE inline void predict_cell(const HalfLuma& reference, int x, int y, Mv mv, int (&to)[cell_samples]) {
    const int left = x + (mv.x >> 3), top = y + (mv.y >> 3);
    const int right = mv.x >> 2 & 1;
    const bool below = (mv.y >> 2 & 1) != 0;
    int pairs[cell_side + 1][cell_side]; ///< Sums of neighbours in a row.
    for (int row = 0; row <= cell_side; ++row)
        for (int column = 0; column < cell_side; ++column)
            pairs[row][column] =
                reference.at(left + column, top + row) + reference.at(left + column + right, top + row);
    for (int row = 0; row < cell_side; ++row)
        for (int column = 0; column < cell_side; ++column) {
            const int other = below ? pairs[row + 1][column] : pairs[row][column];
            to[cell_side * row + column] = (pairs[row][column] + other + 2) >> 2;
        }
}

/// A macroblock of one of the pictures.
class MeasuredMacroblock {
  public:
    TANDEM_HOST_DEVICE MeasuredMacroblock(const CostTask& task, const CostItem& item, int number)
        : task_(task), item_(item), number_(number), x_(number % task.columns * cells_along * cell_side),
          y_(number / task.columns * cells_along * cell_side) {}

    TANDEM_HOST_DEVICE void measure_intra() const {
        constexpr int samples = cells_along * cells_along * cell_samples;
        const HalfLuma picture = luma(item_.picture);
        int sum = samples / 2;
        for (int i = 0; i < samples; ++i)
            sum += picture.at(x_ + i % (cells_along * cell_side), y_ + i / (cells_along * cell_side));
        const int mean = sum / samples;
        item_.costs[number_] = over_cells([&](int, int, int(&prediction)[cell_samples]) {
            for (int& sample : prediction)
                sample = mean;
        });
    }

    TANDEM_HOST_DEVICE void measure_predicted() const {
        const Candidate& best = item_.field[static_cast<std::ptrdiff_t>(number_) * item_.candidates];
        const HalfLuma reference = luma(item_.first);
        const std::uint32_t left = over_cells(
            [&](int x, int y, int(&prediction)[cell_samples]) { predict_cell(reference, x, y, best.mv, prediction); });
        item_.predicted[number_] = {
            left + best.cost - best.distortion,
            {static_cast<std::int16_t>(2 * best.mv.x), static_cast<std::int16_t>(2 * best.mv.y)}};
    }

    TANDEM_HOST_DEVICE void measure_both() const {
        const HalfLuma first = luma(item_.first), last = luma(item_.last);
        const Mv forward = halved(item_.forward[number_].mv), backward = halved(item_.backward[number_].mv);
        item_.costs[number_] = over_cells([&](int x, int y, int(&prediction)[cell_samples]) {
            int other[cell_samples];
            predict_cell(first, x, y, forward, prediction);
            predict_cell(last, x, y, backward, other);
            for (int i = 0; i < cell_samples; ++i)
                prediction[i] = (prediction[i] + other[i] + 1) >> 1;
        });
    }

  private:
    TANDEM_HOST_DEVICE HalfLuma luma(const std::uint8_t* samples) const {
        return {samples, task_.columns * cells_along * cell_side, task_.rows * cells_along * cell_side, task_.stride};
    }
    TANDEM_HOST_DEVICE static Mv halved(Mv mv) {
        return {static_cast<std::int16_t>(mv.x / 2), static_cast<std::int16_t>(mv.y / 2)};
    }

    /// Of the four cells, each of which predict(x, y, samples) fills.
    template <class Predict> TANDEM_HOST_DEVICE std::uint32_t over_cells(const Predict& predict) const {
        const HalfLuma picture = luma(item_.picture);
        std::uint32_t sum = 0;
        for (int cell = 0; cell < cells_along * cells_along; ++cell) {
            const int x = x_ + cell % cells_along * cell_side, y = y_ + cell / cells_along * cell_side;
            int differences[cell_samples];
            predict(x, y, differences);
            for (int i = 0; i < cell_samples; ++i)
                differences[i] = picture.at(x + i % cell_side, y + i / cell_side) - differences[i];
            sum += satd_of_cell(differences);
        }
        return sum;
    }

    const CostTask& task_;
    const CostItem& item_;
    const int number_;
    const int x_, y_; ///< Of the first sample.
};

template <CostKind kind>
TANDEM_HOST_DEVICE void measure_macroblock(const CostTask& task, const CostItem& item, int number) {
    const MeasuredMacroblock macroblock(task, item, number);
    if constexpr (kind == CostKind::intra) macroblock.measure_intra();
    if constexpr (kind == CostKind::predicted) macroblock.measure_predicted();
    if constexpr (kind == CostKind::both) macroblock.measure_both();
}

} // namespace tandem::cuda
