// SPDX-License-Identifier: BSD-2-Clause
// Pictures of half size and what is to be measured of them, by chance.
#pragma once

#include <deque>
#include <memory>
#include <random>

#include "coding/costs/macroblock_costs.h"

namespace tandem::test {

/// Pieces of work in the order in which a lookahead makes them, each of which may refer to costs of those before it.
/// Costs are poisoned until they are measured.
class RandomCosts {
  public:
    explicit RandomCosts(std::mt19937& random);
    RandomCosts(const RandomCosts&) = delete;

    /// Of the next one to four pictures.
    CostWork next();
    /// All costs of the work, one after the other.
    static std::vector<std::uint32_t> measured(const CostWork& work);
    /// The same, measured again by the CPU.
    static std::vector<std::uint32_t> measured_by_cpu(const CostWork& work);

  private:
    static void poison(const CostWork& work);
    int number(int least, int most);
    HalfPicture next_picture();
    MotionField field();
    std::shared_ptr<CostMemory> memory();
    template <class Array> Array& add(std::deque<Array>& arrays, const std::shared_ptr<CostMemory>& memory) const;
    CostWork::Predicted predicted(const HalfPicture& picture, const HalfPicture& reference,
                                  const std::shared_ptr<CostMemory>& memory);

    std::mt19937& random_;
    int columns_, rows_;
    std::deque<HalfPicture> pictures_;
    std::deque<Costs> costs_;
    std::deque<PredictedCosts> predicted_;
    std::vector<std::vector<const PredictedCosts*>> forward_; ///< [picture][distance - 1].
};

} // namespace tandem::test
