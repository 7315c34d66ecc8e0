// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/requests/request_task.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "cuda/full/full_search_plan.h"
#include "me/block.h"

namespace tandem::cuda {
namespace {

TEST(RequestTask, HasTheBlocksOfTheBand) {
    SearchParams params;
    params.block_width = 16;
    params.block_height = 8;
    params.range_x = 5;
    params.grid = params.precision = 4;
    params.rate_unit = 2;
    params.boundary = Boundary::padded;
    const MotionField field(75, 50, 16, 8, 3);
    const SearchTask task = task_of(params, 75, 50, {2, 6});
    EXPECT_EQ(task.columns, field.columns());
    EXPECT_EQ(task.first_row, 2);
    EXPECT_EQ(task.rows, 4);
    EXPECT_EQ(task.grid(), 4);
    EXPECT_EQ(task.rate_shift, 1);
    EXPECT_TRUE(task.padded);
    EXPECT_EQ(reach_of(params), 18) << "the longer range, and what refinement reads beyond it";
    params.boundary = Boundary::inside;
    EXPECT_EQ(reach_of(params), 0);
}

TEST(RequestTask, SlotsOfABandLieTogether) {
    MotionField field(75, 50, 16, 8, 3);
    const std::span<Candidate> slots = slots_of(field, {2, 6});
    ASSERT_EQ(slots.size(), 4u * 5u * 3u);
    EXPECT_EQ(slots.data(), field.block(0, 2).data());
    EXPECT_TRUE(slots_of(field, {3, 3}).empty());
}

TEST(RequestTask, PartsHaveTheirRowsOfPredictorsAndCandidates) {
    const std::vector<Mv> predictors(22 * 18);
    std::vector<Candidate> found(22 * 18 * 3);
    SearchParams params;
    params.candidates = 3;
    SearchTask task = task_of(params, 352, 288, {0, 18});
    task.predictors = predictors.data();
    task.found = found.data();
    const SearchTask part = part_of(part_of(task, 4, 9), 1, 2);
    EXPECT_EQ(std::pair(part.first_row, part.rows), std::pair(5, 2));
    EXPECT_EQ(part.predictors, &predictors[22 * 5]);
    EXPECT_EQ(part.found, &found[22 * 5 * 3]);
}

TEST(RequestTask, PredictorsAreTheHintsVectorsAndElseZero) {
    MotionField hint(40, 40, 16, 16, 2);
    for (int i = 0; i < 9; ++i)
        hint.block(i % 3, i / 3)[0] = {{static_cast<std::int16_t>(i), static_cast<std::int16_t>(-i)}, 1, 1};
    hint.block(1, 1)[0] = {{77, 77}, UINT32_MAX, UINT32_MAX};
    std::vector<Mv> predictors(6, Mv{5, 5});
    copy_predictors(&hint, {1, 3}, predictors);
    EXPECT_EQ(predictors, (std::vector<Mv>{{3, -3}, {0, 0}, {5, -5}, {6, -6}, {7, -7}, {8, -8}}));
    copy_predictors(nullptr, {1, 3}, predictors);
    EXPECT_EQ(predictors, std::vector<Mv>(6));
}

} // namespace
} // namespace tandem::cuda
