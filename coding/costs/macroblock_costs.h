// SPDX-License-Identifier: BSD-2-Clause
// How hard macroblocks are to predict, measured in pictures of half size: sums of absolute transformed differences
// (Metric::satd) of their blocks of 8x8.
#pragma once

#include <vector>

#include "coding/costs/costs.h"
#include "coding/costs/half_picture.h"
#include "me/motion_field.h"

namespace tandem {

/// Samples of a macroblock's side at half size.
inline constexpr int half_macroblock = 8;

/// What is to be measured of pictures of one size, which live as long as the work does. Costs have the size of a
/// picture, and stay where they are. Those that lie in one CostMemory are measured by one piece of work.
struct CostWork {
    /// Of the block less its mean.
    struct Intra {
        const HalfPicture* picture;
        Costs* costs;
    };
    /// What the best vectors of a field leave, and their bits as the field counts them.
    struct Predicted {
        const HalfPicture *picture, *reference;
        MotionField field;
        PredictedCosts* costs;
    };
    /// From the mean of what two vectors predict, one in each of two pictures. Theirs may be costs of the same work.
    struct Both {
        const HalfPicture *picture, *first, *last;
        const PredictedCosts *forward, *backward;
        Costs* costs;
    };
    std::vector<Intra> intra;
    std::vector<Predicted> predicted;
    std::vector<Both> both;

    bool empty() const { return intra.empty() && predicted.empty() && both.empty(); }
    const Frame& any_picture() const; ///< One of half size. Not of empty work.
};

/// Fills a row of all costs. Rows are independent.
void measure_row(const CostWork& work, int row);

} // namespace tandem
