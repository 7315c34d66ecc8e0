// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/device/memory_pool.h"

#include <gtest/gtest.h>

#include "machine/errors.h"

namespace tandem::cuda {
namespace {

/// Memory of a device that has room for so many bytes.
class FakeMemory {
  public:
    static inline std::size_t room = 0;
    static inline int allocations = 0;

    explicit FakeMemory(std::size_t bytes) : bytes_(bytes) {
        if (bytes > memory) throw RunError("out of memory");
        room -= bytes;
        ++allocations;
    }
    FakeMemory(const FakeMemory&) = delete;
    FakeMemory& operator=(const FakeMemory&) = delete;
    ~FakeMemory() { room += bytes_; }
    std::size_t bytes() const { return bytes_; }

  private:
    std::size_t bytes_;
};

class MemoryPoolTest : public testing::Test {
  protected:
    void SetUp() override {
        FakeMemory::room = 1000;
        FakeMemory::allocations = 0;
    }
    std::shared_ptr<MemoryPool<FakeMemory>> pool_ = std::make_shared<MemoryPool<FakeMemory>>();
};

TEST_F(MemoryPoolTest, UsesAPieceAgain) {
    for (int i = 0; i < 10; ++i)
        EXPECT_EQ(pool_->take(100)->bytes(), 100u);
    EXPECT_EQ(FakeMemory::allocations, 1);
    EXPECT_EQ(pool_->spares(), 1u);
}

TEST_F(MemoryPoolTest, APieceInUseIsNotGivenTwice) {
    const auto first = pool_->take(100), second = pool_->take(100);
    EXPECT_NE(first.get(), second.get());
}

TEST_F(MemoryPoolTest, SparePiecesMakeRoomForOtherSizes) {
    pool_->take(600);
    EXPECT_EQ(pool_->take(700)->bytes(), 700u);
    EXPECT_EQ(FakeMemory::memory, 300u);
}

TEST_F(MemoryPoolTest, WhatDoesNotFitIsAnError) {
    const auto held = pool_->take(600);
    EXPECT_THROW(pool_->take(700), RunError);
    EXPECT_EQ(pool_->take(300)->bytes(), 300u);
}

TEST_F(MemoryPoolTest, PiecesOutliveTheHandleOfTheirPool) {
    auto piece = pool_->take(100);
    pool_.reset();
    piece.reset();
    EXPECT_EQ(FakeMemory::memory, 1000u);
}

TEST_F(MemoryPoolTest, KeepsALimitedNumberOfSpares) {
    std::vector<std::shared_ptr<const FakeMemory>> held;
    for (int i = 1; i <= 40; ++i)
        held.push_back(pool_->take(static_cast<std::size_t>(i)));
    held.clear();
    EXPECT_EQ(pool_->spares(), 16u);
}

TEST_F(MemoryPoolTest, KeepsManySmallSpares) {
    const auto pool = std::make_shared<MemoryPool<FakeMemory>>(60);
    std::vector<std::shared_ptr<const FakeMemory>> held;
    for (int i = 0; i < 40; ++i)
        held.push_back(pool->take(1));
    held.clear();
    EXPECT_EQ(pool->spares(), 40u);
    pool->take(30);
    EXPECT_EQ(pool->spares(), 31u) << "the oldest have gone, until there is room for it";
    pool->take(50);
    EXPECT_EQ(pool->spares(), 16u) << "so few whatever they have";
}

} // namespace
} // namespace tandem::cuda
