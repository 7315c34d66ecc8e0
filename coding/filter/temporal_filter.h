// SPDX-License-Identifier: BSD-2-Clause
// A picture that others are predicted from, made more like them before it is coded.
#pragma once

#include <vector>

#include "coding/costs/costs.h"
#include "machine/workers.h"
#include "video/frame.h"

namespace tandem {

/// A picture near the one that is filtered.
struct FilterNeighbour {
    FramePtr picture;
    int distance = 1; ///< Pictures between the two and one more: 1..farthest_filter_neighbour.
    /// Of the filtered picture's macroblocks as they are predicted from this one, by vectors that are right to a pel or
    /// two.
    std::vector<PredictedCost> motion;
};

/// What is filtered.
struct FilterInput {
    FramePtr picture;                 ///< Sides are multiples of 16, as those of the neighbours.
    std::vector<std::uint32_t> intra; ///< Costs of its macroblocks by their means, in the units of PredictedCost.
    std::vector<FilterNeighbour> neighbours; ///< At most most_filter_neighbours.
    std::vector<float> strength;             ///< By macroblock, from 0 on.
    double quantiser = 8;                    ///< What pictures are coded with, more or less (Quality::quantiser).
};

inline constexpr int farthest_filter_neighbour = 2, most_filter_neighbours = 2 * farthest_filter_neighbour;

/// The mean of each sample s and of what the neighbours have in its place, p, along the motion:
///     s + sum of w (p - s) / (1 + sum of w),
///     w = strength * nearness * gain * g(e / 2v) * g((p - s)^2 / 2v),   g(x) = (1 - x / 4)^4, 0 from 4 on: about
///     exp(-x).
/// e is the mean of (p - s)^2 over the block of 8x8 and v the variance of what the quantiser will leave, so that what
/// differs by more than coding errors stays as it is. `gain` is 1 where the neighbour predicts the macroblock at half
/// the cost of its own mean or less, and falls to 0 where it predicts no better: so pictures on the two sides of a cut
/// stay apart. Noise and the errors of coding are new in each picture: the mean has less of both, predicts its
/// neighbours better and takes fewer bits itself. Vectors are refined to 1/8 pel by the gradient of the picture (Lucas
/// and Kanade, "An iterative image registration technique", 1981), and samples between samples are interpolated by six
/// taps: blur would cost more than noise does.
///
/// The idea and the form of w are those of Enhorn, Sjoberg and Wennersten, "A temporal pre-filter for video coding
/// based on bilateral filtering" (ICIP 2020).
///
/// The picture itself where there is nothing to do. The same for any number of workers.
FramePtr temporally_filtered(const FilterInput& input, Workers& workers);

/// 1 / 2v at a quantiser.
float half_inverse_variance(double quantiser);
/// By the distance of a neighbour, from 1 on.
float nearness_of(int distance);
/// Whether there is nothing to do.
bool is_left_alone(const FilterInput& input);

} // namespace tandem
