// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/phase/phase_plan.h"

#include <gtest/gtest.h>

namespace tandem::cuda {
namespace {

TEST(PhasePlan, BatchesCoverAllBlocksEvenly) {
    for (const int side : {16, 32, 64, 128, 256}) {
        for (const int most : {1, 1 << 16, 1 << 23}) {
            for (const int blocks : {1, 2, 127, 396, 8160, 32400}) {
                const PhaseBatches batches = phase_batches(blocks, side, most);
                EXPECT_GE(batches.count * batches.batch, blocks);
                EXPECT_LT(batches.count * batches.batch - blocks, batches.count) << "the last is nearly full";
                EXPECT_TRUE(batches.batch == 1 || batches.batch * side * side <= most);
            }
        }
    }
}

TEST(PhasePlan, AFieldOf1080pIsOneBatch) {
    EXPECT_EQ(phase_batches(120 * 68, 32, 1 << 23), (PhaseBatches{1, 8160}));
    EXPECT_EQ(phase_batches(120 * 68, 64, 1 << 23), (PhaseBatches{4, 2040}));
}

} // namespace
} // namespace tandem::cuda
