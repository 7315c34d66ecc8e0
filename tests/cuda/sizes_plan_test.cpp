// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/sizes/sizes_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "cuda/full/full_search_plan.h"
#include "cuda/requests/request_task.h"
#include "me/block.h"

namespace tandem::cuda {
namespace {

SearchTask macroblocks(int width, int height, int range_x, int range_y, bool padded) {
    SearchParams params;
    params.range_x = range_x;
    params.range_y = range_y;
    params.boundary = padded ? Boundary::padded : Boundary::inside;
    return task_of(params, width, height, {0, (height + 15) / 16});
}

TEST(Parts, OfEachShapeCoverTheMacroblockOnce) {
    int next = 0;
    for (const PartShape& shape : part_shapes) {
        EXPECT_EQ(shape.first, next);
        next += shape.count();
        std::set<std::pair<int, int>> covered;
        for (int number = shape.first; number < next; ++number) {
            const Part part = part_of_number(number);
            EXPECT_EQ(part.width, shape.width);
            EXPECT_EQ(part.height, shape.height);
            for (int i = 0; i < part.width * part.height; ++i)
                covered.insert({part.x + i % part.width, part.y + i / part.width});
            const RowsOfClass rows = rows_of_class(row_class_of(part.y, part.height));
            EXPECT_EQ(rows.y, part.y);
            EXPECT_EQ(rows.height, part.height);
        }
        EXPECT_EQ(covered.size(), 256u);
        EXPECT_EQ(find_shape({shape.width, shape.height}), &shape);
    }
    EXPECT_EQ(next, part_count);
    EXPECT_EQ(find_shape({16, 4}), nullptr);
    EXPECT_EQ(find_shape({32, 32}), nullptr);
}

TEST(Parts, BlocksOfAFieldFindTheirKeys) {
    const SearchTask task = macroblocks(75, 37, 8, 8, false);
    for (const PartShape& shape : part_shapes) {
        const MotionField field(75, 37, shape.width, shape.height, 1);
        const SizedField sized{shape.first, field.columns(), field.rows(), nullptr};
        for (int block = 0; block < field.columns() * field.rows(); ++block) {
            const std::size_t key = number_of_part(task, sized, block);
            const Part part = part_of_number(static_cast<int>(key % part_count));
            const int macroblock = static_cast<int>(key / part_count);
            const BlockRect rect = block_rect(field, block % field.columns(), block / field.columns());
            EXPECT_EQ(macroblock % task.columns * 16 + part.x, rect.x);
            EXPECT_EQ(macroblock / task.columns * 16 + part.y, rect.y);
            EXPECT_EQ(part.width, shape.width);
        }
    }
}

TEST(Parts, DisplacementsAreThoseOfTheWindows) {
    for (const int picture : {1, 3, 16, 18, 37, 64}) {
        for (const int range : {0, 5, 16, 40}) {
            for (const bool padded : {false, true}) {
                SearchParams params;
                params.range_x = params.range_y = range;
                params.boundary = padded ? Boundary::padded : Boundary::inside;
                for (int at = 0; at < picture; at += 4) {
                    for (const int size : {4, 8, 16}) {
                        const BlockRect block{at, at, std::min(size, picture - at), std::min(size, picture - at)};
                        const Window window = search_window(block, picture, picture, params);
                        const Displacements found = displacements_of(at, size, picture, range, padded);
                        EXPECT_EQ(found.first, window.min_x);
                        EXPECT_EQ(found.last, window.max_x);
                        const Displacements all = displacements_of_macroblock(at / 16 * 16, picture, range, padded);
                        EXPECT_LE(all.first, found.first);
                        EXPECT_GE(all.last, found.last);
                    }
                }
                EXPECT_EQ(displacements_of(picture, 4, picture, range, padded).count(), 0);
            }
        }
    }
}

TEST(SizesPlan, ThreadsCoverEveryVectorOfEveryMacroblock) {
    const BlockSize sizes[] = {{16, 16}, {4, 4}};
    for (const int width : {1, 20, 75, 352}) {
        for (const int range_x : {0, 1, 16, 300}) {
            for (const int range_y : {0, 7, 130, 1024}) {
                for (const bool padded : {false, true}) {
                    SearchTask task = macroblocks(width, 50, range_x, range_y, padded);
                    const SizesPlan plan = plan_sizes(task, sizes);
                    const SizesLayout& layout = plan.layout;
                    EXPECT_TRUE(plan.small_parts);
                    EXPECT_EQ(layout.chunk_rows % rows_together, 0);
                    EXPECT_LE(layout.chunk_rows, 240);
                    EXPECT_LE(layout.shared_bytes(), 48 * 1024);
                    EXPECT_EQ(layout.rate_row_length() % 8, 4) << "rows on different banks";
                    EXPECT_GE(layout.rate_row_length(), layout.chunk_rows);
                    for (int row = 0; row < task.rows; ++row) {
                        EXPECT_GE(layout.chunks * layout.chunk_rows,
                                  displacements_of_macroblock(16 * row, 50, range_y, padded).count());
                    }
                    ASSERT_EQ(plan.first_thread.size(), static_cast<std::size_t>(task.columns) + 1);
                    EXPECT_EQ(plan.first_thread.back(), layout.thread_count);
                    const std::vector<std::uint32_t> places = lane_places(plan.first_thread);
                    for (int first = 0; first < layout.thread_count; first += sizes_lanes) {
                        const auto block = [&](int thread) {
                            return static_cast<int>(places[static_cast<std::size_t>(thread)] >> place_column_bits);
                        };
                        const int last = std::min(first + sizes_lanes, layout.thread_count) - 1;
                        EXPECT_LE(block(last) - block(first) + 1, layout.macroblocks);
                    }
                }
            }
        }
    }
}

TEST(SizesPlan, OnePassIsForTheCommonSearch) {
    const std::vector<BlockSize> all{{16, 16}, {16, 8}, {8, 16}, {8, 8}, {8, 4}, {4, 8}, {4, 4}};
    EXPECT_TRUE(sizes_in_one_pass({}, true, all));
    const auto refuses = [&](auto change) {
        SearchParams params;
        change(params);
        return !sizes_in_one_pass(params, true, all);
    };
    EXPECT_TRUE(refuses([](SearchParams& params) { params.algorithm = Algorithm::diamond; }));
    EXPECT_TRUE(refuses([](SearchParams& params) { params.metric = Metric::ssd; }));
    EXPECT_TRUE(refuses([](SearchParams& params) { params.grid = params.precision = 2; }));
    EXPECT_TRUE(refuses([](SearchParams& params) { params.candidates = 2; }));
    EXPECT_TRUE(refuses([](SearchParams& params) { params.null_gain = 1; }));
    EXPECT_TRUE(refuses([](SearchParams& params) { params.null_threshold = 1; }));
    EXPECT_TRUE(refuses([](SearchParams& params) { params.null_level = 1; }));
    EXPECT_TRUE(refuses([](SearchParams& params) { params.predictor = Predictor::hint; }));
    EXPECT_TRUE(refuses([](SearchParams& params) { params.planes = Planes::all; }));
    SearchParams hinted;
    hinted.predictor = Predictor::hint;
    EXPECT_TRUE(sizes_in_one_pass(hinted, false, all)) << "no hint: zero";
    const std::vector<BlockSize> one{{16, 16}}, other{{16, 16}, {16, 4}}, nine(9, BlockSize{8, 8});
    EXPECT_FALSE(sizes_in_one_pass({}, false, one));
    EXPECT_FALSE(sizes_in_one_pass({}, false, other));
    EXPECT_FALSE(sizes_in_one_pass({}, false, nine));
    const std::vector<BlockSize> large{{16, 16}, {8, 8}};
    EXPECT_FALSE(plan_sizes(macroblocks(64, 64, 8, 8, false), large).small_parts);
}

} // namespace
} // namespace tandem::cuda
