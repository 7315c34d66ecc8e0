// SPDX-License-Identifier: BSD-2-Clause
// What temporally_filtered() does with a macroblock, by a warp. Every sum of integers is exact, and floating-point
// operations are those of the CPU in its order: both make the same samples.
#pragma once

#include "coding/filter/filter_arithmetic.h"
#include "cuda/coding/kernels/half_pels.h"
#include "cuda/coding/kernels/lanes.h"
#include "cuda/filter/filter_task.h"

namespace tandem::cuda {

struct FilterScratch {
    static constexpr int samples = 6 * filtered_side * filtered_side; ///< Of a macroblock: blocks in MPEG's order.
    float added[samples], weights[samples];
    std::int16_t across[(macroblock_side + fine_taps - 1) * macroblock_side]; ///< Interpolated along rows.
    std::uint8_t luma[2][macroblock_side * macroblock_side]; ///< Predicted: the best so far, and what is tried.
    std::uint8_t chroma[filtered_side * filtered_side];
};

/// Samples by rows.
struct FilterSquare {
    const std::uint8_t* first;
    int stride;

    TANDEM_HOST_DEVICE int at(int x, int y) const { return first[static_cast<std::ptrdiff_t>(y) * stride + x]; }
    TANDEM_HOST_DEVICE FilterSquare from(int x, int y) const {
        return {first + static_cast<std::ptrdiff_t>(y) * stride + x, stride};
    }
};

template <class Planes> TANDEM_HOST_DEVICE FilterSquare square_of(const Planes& planes, int plane) {
    return {planes.plane[plane], planes.stride[plane]};
}

TANDEM_HOST_DEVICE inline std::uint32_t squared_error(const Lanes& lanes, FilterSquare a, FilterSquare b, int side) {
    return lanes.sum(side * side, [&](int i) {
        const int difference = a.at(i % side, i / side) - b.at(i % side, i / side);
        return static_cast<std::uint32_t>(difference * difference);
    });
}

/// A plane of the neighbour, whose edge goes on outside of it.
struct FilterPlane {
    FilterSquare samples;
    int width, height;

    TANDEM_HOST_DEVICE int at(int x, int y) const {
        return samples.at(limited(x, 0, width - 1), limited(y, 0, height - 1));
    }
};

/// As predict_finely() of coding/filter/fine_prediction.h.
template <int side>
TANDEM_HOST_DEVICE void predict_finely(const Lanes& lanes, const FilterTask& task, const FilterPlane& plane, int x,
                                       int y, int right, int down, std::int16_t* across, std::uint8_t* to) {
    const std::int16_t *const by_column = task.taps[right & 15], *const by_row = task.taps[down & 15];
    const int left = x + (right >> 4) - fine_taps_before, top = y + (down >> 4) - fine_taps_before;
    lanes.each((side + fine_taps - 1) * side, [&](int i) {
        int sum = 32;
        for (int tap = 0; tap < fine_taps; ++tap)
            sum += by_column[tap] * plane.at(left + i % side + tap, top + i / side);
        across[i] = static_cast<std::int16_t>(sum >> 6);
    });
    lanes.each(side * side, [&](int i) {
        int sum = 32;
        for (int tap = 0; tap < fine_taps; ++tap)
            sum += by_row[tap] * across[i + tap * side];
        to[i] = static_cast<std::uint8_t>(limited(sum >> 6, 0, 255));
    });
}

/// How far the prediction is to move for `own`: see FilterKernels::gradients().
TANDEM_HOST_DEVICE inline Mv step_towards(const Lanes& lanes, FilterSquare own, FilterSquare predicted) {
    constexpr int inner = macroblock_side - 2;
    std::uint32_t sums[5];
    lanes.add_up(
        inner * inner,
        [&](int i, std::uint32_t(&parts)[5]) {
            const int column = 1 + i % inner, row = 1 + i / inner;
            const int x = predicted.at(column + 1, row) - predicted.at(column - 1, row);
            const int y = predicted.at(column, row + 1) - predicted.at(column, row - 1);
            const int missing = own.at(column, row) - predicted.at(column, row);
            parts[0] += static_cast<std::uint32_t>(x * x);
            parts[1] += static_cast<std::uint32_t>(x * y);
            parts[2] += static_cast<std::uint32_t>(y * y);
            parts[3] += static_cast<std::uint32_t>(x * missing);
            parts[4] += static_cast<std::uint32_t>(y * missing);
        },
        sums);
    return step_of({static_cast<std::int32_t>(sums[0]), static_cast<std::int32_t>(sums[1]),
                    static_cast<std::int32_t>(sums[2]), static_cast<std::int32_t>(sums[3]),
                    static_cast<std::int32_t>(sums[4])});
}

/// A macroblock of the filtered picture and what is added to it.
class FilteredMacroblock {
  public:
    TANDEM_HOST_DEVICE FilteredMacroblock(const Lanes& lanes, const FilterTask& task, int number,
                                          FilterScratch& scratch)
        : lanes_(lanes), task_(task), number_(number), scratch_(scratch), x_(number % task.columns * macroblock_side),
          y_(number / task.columns * macroblock_side), own_(square_of(task.picture, 0).from(x_, y_)) {
        lanes_.each(FilterScratch::samples, [&](int i) { scratch_.added[i] = scratch_.weights[i] = 0; });
    }

    TANDEM_HOST_DEVICE void add(const FilterTask::Neighbour& neighbour, SampleWeight weight) {
        const Refined found = refined(neighbour);
        for (int block = 0; block < 4; ++block) {
            const int x = block % 2 * filtered_side, y = block / 2 * filtered_side;
            add_block(block, own_.from(x, y), tried(found.place).from(x, y), weight);
        }
        for (int plane = 1; plane < 3; ++plane) {
            const FilterPlane chroma{square_of(neighbour.samples, plane), task_.columns * filtered_side,
                                     task_.rows * filtered_side};
            predict_finely<filtered_side>(lanes_, task_, chroma, x_ / 2, y_ / 2, found.mv.x, found.mv.y,
                                          scratch_.across, scratch_.chroma);
            add_block(3 + plane, square_of(task_.picture, plane).from(x_ / 2, y_ / 2), {scratch_.chroma, filtered_side},
                      weight);
        }
    }

    TANDEM_HOST_DEVICE void write() const {
        lanes_.each(FilterScratch::samples, [&](int i) {
            const int block = i / (filtered_side * filtered_side), column = i % filtered_side,
                      row = i / filtered_side % filtered_side;
            const bool is_luma = block < 4;
            const int plane = is_luma ? 0 : block - 3;
            const int x = column + (is_luma ? x_ + block % 2 * filtered_side : x_ / 2),
                      y = row + (is_luma ? y_ + block / 2 * filtered_side : y_ / 2);
            const int own = square_of(task_.picture, plane).at(x, y);
            task_.filtered.plane[plane][static_cast<std::ptrdiff_t>(y) * task_.filtered.stride[plane] + x] =
                filtered_sample(static_cast<std::uint8_t>(own), scratch_.added[i], scratch_.weights[i]);
        });
    }

  private:
    struct Found {
        Mv mv;
        std::uint32_t error = UINT32_MAX;
    };
    /// A vector, and which of scratch_.luma it predicts.
    struct Refined {
        Mv mv;
        int place;
    };

    TANDEM_HOST_DEVICE FilterSquare tried(int place) const { return {scratch_.luma[place], macroblock_side}; }

    TANDEM_HOST_DEVICE void measure(FilterSquare reference, int right, int down, Found& best) const {
        const int x = x_ + right, y = y_ + down;
        if (x < 0 || y < 0 || x + macroblock_side > task_.columns * macroblock_side ||
            y + macroblock_side > task_.rows * macroblock_side)
            return;
        const std::uint32_t error = squared_error(lanes_, own_, reference.from(x, y), macroblock_side);
        if (error < best.error) best = {mv_from_pels(right, down), error};
    }

    TANDEM_HOST_DEVICE Found best_start(const FilterTask::Neighbour& neighbour, FilterSquare reference) const {
        const int column = number_ % task_.columns, row = number_ / task_.columns;
        Found best;
        const auto measure_that_of = [&](int right, int down) {
            const int its_column = column + right, its_row = row + down;
            if (its_column < 0 || its_row < 0 || its_column >= task_.columns || its_row >= task_.rows) return;
            const Mv mv = neighbour.motion[its_row * task_.columns + its_column].mv;
            measure(reference, mv.x / eighths_per_pel, mv.y / eighths_per_pel, best);
        };
        measure(reference, 0, 0, best);
        measure_that_of(0, 0);
        measure_that_of(-1, 0);
        measure_that_of(1, 0);
        measure_that_of(0, -1);
        measure_that_of(0, 1);
        return best;
    }

    TANDEM_HOST_DEVICE void predict(FilterSquare reference, Mv mv, int place) const {
        const FilterPlane luma{reference, task_.columns * macroblock_side, task_.rows * macroblock_side};
        predict_finely<macroblock_side>(lanes_, task_, luma, x_, y_, 2 * mv.x, 2 * mv.y, scratch_.across,
                                        scratch_.luma[place]);
    }

    TANDEM_HOST_DEVICE Found stepped(const Found& from, FilterSquare predicted, FilterSquare reference,
                                     int place) const {
        const Mv step = step_towards(lanes_, own_, predicted);
        if (step == Mv{}) return from;
        const Mv mv{static_cast<std::int16_t>(from.mv.x + step.x), static_cast<std::int16_t>(from.mv.y + step.y)};
        predict(reference, mv, place);
        return {mv, squared_error(lanes_, own_, tried(place), macroblock_side)};
    }

    TANDEM_HOST_DEVICE Refined refined(const FilterTask::Neighbour& neighbour) const {
        const FilterSquare reference = square_of(neighbour.samples, 0);
        const Found start = best_start(neighbour, reference);
        const FilterSquare whole = reference.from(x_ + start.mv.x / eighths_per_pel, y_ + start.mv.y / eighths_per_pel);
        const Found once = stepped(start, whole, reference, 0);
        if (once.error >= start.error) {
            predict(reference, start.mv, 0);
            return {start.mv, 0};
        }
        const Found twice = stepped(once, tried(0), reference, 1);
        return twice.error < once.error ? Refined{twice.mv, 1} : Refined{once.mv, 0};
    }

    TANDEM_HOST_DEVICE void add_block(int block, FilterSquare own, FilterSquare other, SampleWeight weight) {
        constexpr int samples = filtered_side * filtered_side;
        weight.most = weight_of_block(squared_error(lanes_, own, other, filtered_side), weight);
        if (!counts(weight.most)) return;
        const float quarter = weight.half_inverse_variance / 4;
        lanes_.each(samples, [&](int i) {
            const int x = i % filtered_side, y = i / filtered_side;
            const auto difference = static_cast<float>(other.at(x, y) - own.at(x, y));
            const float left = 1 - difference * difference * quarter, root = left > 0 ? left : 0;
            const float w = weight.most * (root * root) * (root * root);
            scratch_.added[block * samples + i] += w * difference;
            scratch_.weights[block * samples + i] += w;
        });
    }

    const Lanes& lanes_;
    const FilterTask& task_;
    const int number_;
    FilterScratch& scratch_;
    const int x_, y_; ///< Of the first sample of luma.
    const FilterSquare own_;
};

TANDEM_HOST_DEVICE inline void filter_macroblock(const Lanes& lanes, const FilterTask& task, int number,
                                                 FilterScratch& scratch) {
    FilteredMacroblock macroblock(lanes, task, number, scratch);
    for (int i = 0; i < task.neighbours; ++i) {
        const FilterTask::Neighbour& neighbour = task.neighbour[i];
        const float strength =
            task.strength[number] * neighbour.nearness * gain(neighbour.motion[number].cost, task.intra[number]);
        if (counts(strength)) macroblock.add(neighbour, {strength, task.half_inverse_variance});
    }
    macroblock.write();
}

} // namespace tandem::cuda
