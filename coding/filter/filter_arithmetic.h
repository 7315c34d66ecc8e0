// SPDX-License-Identifier: BSD-2-Clause
// The formulas of the temporal filter, for the CPU and for devices: every operation is rounded by itself, so that both
// have the same numbers.
#pragma once

#include <cmath>
#include <cstdint>

#include "coding/filter/kernels/filter_kernels.h"
#include "me/motion.h"

namespace tandem {

/// Of a macroblock of luma, and of the blocks that are weighed.
inline constexpr int macroblock_side = 16, filtered_side = 8;

/// Whether a weight is not too small to add anything.
TANDEM_HOST_DEVICE inline bool counts(float weight) { return weight >= 1.0F / 256; }

/// exp(-x), about, and 0 from 4 on.
TANDEM_HOST_DEVICE inline float falling(float x) {
    const float left = 1 - x / 4, root = left > 0 ? left : 0;
    const float square = root * root;
    return square * square;
}

/// Of a prediction beside the mean of the macroblock: in full from half the cost on.
TANDEM_HOST_DEVICE inline float gain(std::uint32_t predicted, std::uint32_t intra) {
    if (predicted >= intra) return 0;
    const float all = 2 - 2 * static_cast<float>(predicted) / static_cast<float>(intra);
    return all < 1 ? all : 1;
}

/// The most that the samples of a block count, whose squared differences sum up to `error`.
TANDEM_HOST_DEVICE inline float weight_of_block(std::uint32_t error, const SampleWeight& weight) {
    constexpr float samples = filtered_side * filtered_side;
    return weight.most * falling(static_cast<float>(error) / samples * weight.half_inverse_variance);
}

/// A sample and what is added to it.
TANDEM_HOST_DEVICE inline std::uint8_t filtered_sample(std::uint8_t own, float added, float weights) {
    const float mean = static_cast<float>(own) + added / (1 + weights);
    return static_cast<std::uint8_t>(mean + 0.5F);
}

/// `moved` / `determinant` of a step in eighth-pels, at most a pel: a difference of two samples is twice the gradient.
TANDEM_HOST_DEVICE inline std::int16_t eighths_of_step(double moved, double determinant) {
    const double eighths = 16 * moved / determinant;
    return static_cast<std::int16_t>(lround(eighths < -8 ? -8 : eighths > 8 ? 8 : eighths));
}

/// How far a prediction is to move, in eighth-pels, by its gradient: the least squares of Lucas and Kanade.
TANDEM_HOST_DEVICE inline Mv step_of(const GradientSums& sums) {
    constexpr double noise = 512; // So that what has no gradient does not move.
    const double a = sums.xx + noise, b = sums.xy, c = sums.yy + noise, determinant = a * c - b * b;
    return {eighths_of_step(c * sums.x_missing - b * sums.y_missing, determinant),
            eighths_of_step(a * sums.y_missing - b * sums.x_missing, determinant)};
}

} // namespace tandem
