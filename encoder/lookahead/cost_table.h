// SPDX-License-Identifier: BSD-2-Clause
// How hard pictures are to predict from their neighbours, before any of them is coded.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "coding/costs/costs.h"
#include "me/motion.h"

namespace tandem {

/// How a macroblock would be predicted for the least cost.
struct CheapestPrediction {
    std::uint32_t cost = 0;      ///< Never more than intra's.
    const Mv* forward = nullptr; ///< Null: not used. Of the row.
    const Mv* backward = nullptr;
};

/// What a picture of some type may be predicted from, by macroblock: found once for all of them. It looks into a
/// CostRow.
struct Predictions {
    const Costs* intra;
    const PredictedCosts* forward = nullptr; ///< Null: not known, or not for this type.
    const PredictedCosts* backward = nullptr;
    const Costs* both = nullptr; ///< Only where the other two are there.

    /// Of those that cost the same, intra before forward before backward before both.
    CheapestPrediction cheapest(std::size_t macroblock) const {
        CheapestPrediction best{(*intra)[macroblock], nullptr, nullptr};
        if (forward != nullptr && (*forward)[macroblock].cost < best.cost)
            best = {(*forward)[macroblock].cost, &(*forward)[macroblock].mv, nullptr};
        if (backward != nullptr && (*backward)[macroblock].cost < best.cost)
            best = {(*backward)[macroblock].cost, nullptr, &(*backward)[macroblock].mv};
        if (both != nullptr && (*both)[macroblock] < best.cost)
            best = {(*both)[macroblock], &(*forward)[macroblock].mv, &(*backward)[macroblock].mv};
        return best;
    }
};

/// What is known of one picture, by macroblock in raster order. Costs are sums of absolute transformed differences of
/// 8x8 blocks at half the picture's size: for intra, of the block less its mean.
class CostRow {
  public:
    /// With as many costs as the picture has macroblocks, as all others have.
    explicit CostRow(CostsPtr intra) : intra_(std::move(intra)) {}

    /// Predicted from the picture so many before it, or after it, in display order; distances from 1.
    void set_forward(int distance, PredictedCostsPtr costs) { forward_[distance] = {std::move(costs), {}}; }
    void set_backward(int distance, PredictedCostsPtr costs) { backward_[distance] = {std::move(costs), {}}; }
    /// From the mean of the two predictions.
    void set_both(int before, int after, CostsPtr costs) { both_[{before, after}] = {std::move(costs), {}}; }
    /// Finds the sums of all that is set; what was summed up before is not looked at again.
    void sum_up();

    std::size_t macroblocks() const { return intra_->size(); }
    const Costs& intra() const { return *intra_; }
    std::uint32_t intra(std::size_t macroblock) const { return (*intra_)[macroblock]; }
    /// Whether prediction from so far before is known, or from between two pictures.
    bool knows(int distance) const { return forward_.contains(distance); }
    bool knows(int before, int after) const { return both_.contains({before, after}); }
    /// As an I picture.
    Predictions unpredicted() const { return {intra_.get()}; }
    /// As a P picture. What is not known is intra.
    Predictions predicted(int distance) const;
    /// As a B picture.
    Predictions between(int before, int after) const;

    /// The sums over the macroblocks; of what is not known, that of intra.
    std::uint64_t intra_sum() const { return intra_sum_.value(); }
    std::uint64_t predicted_sum(int distance) const;
    std::uint64_t between_sum(int before, int after) const;

  private:
    template <class Measured> struct Known {
        Measured costs;
        std::optional<std::uint64_t> sum; ///< Of the cheapest predictions with these costs.
    };

    CostsPtr intra_;
    std::optional<std::uint64_t> intra_sum_;
    std::map<int, Known<PredictedCostsPtr>> forward_, backward_; ///< By distance.
    std::map<std::pair<int, int>, Known<CostsPtr>> both_;        ///< By the distances before and after.
};

/// Pictures of one size, neighbours in display order. Types and importance are functions of it alone.
struct CostTable {
    int columns = 0, rows = 0; ///< Macroblocks of a picture.
    std::deque<CostRow> pictures;
};

} // namespace tandem
