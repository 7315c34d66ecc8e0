// SPDX-License-Identifier: BSD-2-Clause
// Arrays of costs that share a piece of memory.
#include "coding/costs/costs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

namespace tandem {
namespace {

TEST(Costs, HaveMemoryOfTheirOwnAndAValue) {
    const Costs costs(5, 7);
    EXPECT_EQ(std::ranges::count(costs, 7U), 5);
    EXPECT_EQ(PredictedCosts(3)[2], PredictedCost());
}

TEST(Costs, ShareMemoryWithoutTouchingEachOther) {
    const std::size_t count = 33;
    auto memory = std::make_shared<CostMemory>(CostMemory::bytes_of<std::uint32_t>(count) +
                                               CostMemory::bytes_of<PredictedCost>(count));
    Costs first(memory, count);
    PredictedCosts second(memory, count);
    std::ranges::fill(first, 1U);
    std::ranges::fill(second, PredictedCost{2, {3, 4}});
    EXPECT_EQ(std::ranges::count(first, 1U), 33);
    EXPECT_EQ(first.data(), static_cast<void*>(memory->data()));
    EXPECT_GE(reinterpret_cast<std::uint8_t*>(second.data()), memory->data() + count * sizeof(std::uint32_t));
    EXPECT_LE(reinterpret_cast<std::uint8_t*>(second.end()), memory->data() + memory->bytes());
}

TEST(Costs, KeepTheirMemory) {
    auto memory = std::make_shared<CostMemory>(CostMemory::bytes_of<std::uint32_t>(4));
    Costs costs(memory, 4);
    std::ranges::fill(costs, 9U);
    const std::weak_ptr<CostMemory> watched = memory;
    memory = nullptr;
    EXPECT_FALSE(watched.expired());
    EXPECT_EQ(costs[3], 9U);
}

TEST(Costs, DoNotFitIntoTooLittleMemory) {
    const auto memory = std::make_shared<CostMemory>(CostMemory::bytes_of<std::uint32_t>(20));
    EXPECT_THROW(PredictedCosts(memory, 20), std::logic_error);
    const Costs fits(memory, 20);
    EXPECT_THROW(Costs(memory, 1), std::logic_error);
}

} // namespace
} // namespace tandem
