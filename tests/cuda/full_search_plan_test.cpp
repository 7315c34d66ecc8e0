// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/full/full_search_plan.h"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <vector>

#include "me/block.h"
#include "me/cost.h"

namespace tandem::cuda {
namespace {

SearchTask task_for(int width, int height, int block_width, int block_height, int range) {
    SearchTask task;
    task.picture_width = width;
    task.picture_height = height;
    task.block_width = block_width;
    task.block_height = block_height;
    task.columns = (width + block_width - 1) / block_width;
    task.rows = (height + block_height - 1) / block_height;
    task.range_x = task.range_y = range;
    return task;
}

constexpr std::size_t plenty = std::size_t{1} << 25;

TEST(FullSearchPlan, LanesAreTheColumnsOfTheWindows) {
    for (const bool padded : {false, true}) {
        for (const int range : {0, 1, 7, 16, 100}) {
            SearchTask task = task_for(353, 287, 16, 16, range);
            task.padded = padded;
            const FullSearchPlan plan = plan_full_search(task, plenty, Matrices::none);
            SearchParams params;
            params.range_x = params.range_y = range;
            params.boundary = padded ? Boundary::padded : Boundary::inside;
            const MotionField field(353, 287, 16, 16, 1);
            int threads = 0;
            for (int column = 0; column < task.columns; ++column) {
                EXPECT_EQ(plan.first_thread[static_cast<std::size_t>(column)], threads);
                const Window window = search_window(block_rect(field, column, 3), 353, 287, params);
                threads += window.max_x - window.min_x + 1;
                EXPECT_LE(window.max_x - window.min_x + 1, plan.layout.key_columns);
            }
            EXPECT_EQ(plan.layout.thread_count, threads);
            EXPECT_EQ(plan.first_thread.back(), threads);
            const std::vector<std::uint32_t> places = lane_places(plan.first_thread);
            ASSERT_EQ(places.size(), static_cast<std::size_t>(threads));
            for (int thread = 0, block = 0; thread < threads; ++thread) {
                if (thread == plan.first_thread[static_cast<std::size_t>(block) + 1]) ++block;
                const auto column =
                    static_cast<std::uint32_t>(thread - plan.first_thread[static_cast<std::size_t>(block)]);
                EXPECT_EQ(places[static_cast<std::size_t>(thread)],
                          static_cast<std::uint32_t>(block) << place_column_bits | column);
            }
        }
    }
}

TEST(FullSearchPlan, ChunksAndStretchesCoverEveryRowOfVectors) {
    for (const int range : {0, 3, 16, 33, 64, 256, 1024}) {
        for (const int candidates : {1, 4}) {
            for (const int size : {4, 16, 64}) {
                SearchTask task = task_for(4096, 1000, size, size, range); // Less high than the longest range.
                task.candidates = candidates;
                task.padded = true;
                const FullSearchLayout layout = plan_full_search(task, plenty, Matrices::none).layout;
                ASSERT_GE(layout.chunk_rows, 1);
                EXPECT_LE(layout.chunk_rows, 255) << "ranks fit into a byte";
                const int chunks = layout.chunks;
                EXPECT_GE(chunks * layout.chunk_rows, 2 * range + 1);
                EXPECT_LT((chunks - 1) * layout.chunk_rows, 2 * range + 1);
                EXPECT_EQ(layout.chunk_stretches, (StretchRows{layout.chunk_rows, layout.stretch_rows}.stretches()));
                EXPECT_EQ(layout.stretch_rows % 4, 0);
            }
        }
    }
}

TEST(FullSearchPlan, SharedMemoryStaysBelow48KiB) {
    const Mv predictor;
    for (const int range : {0, 1, 16, 64, 1024}) {
        for (const int size : {4, 16, 64}) {
            for (const Metric metric : {Metric::sad, Metric::ssd}) {
                SearchTask task = task_for(1920, 1080, size, size, range);
                task.metric = metric;
                task.range_y = 1024;
                task.predictors = &predictor;
                const FullSearchPlan plan = plan_full_search(task, plenty, Matrices::none);
                const FullSearchLayout& layout = plan.layout;
                const int sums = plan.kind == FullSearchPlan::Kind::sweep_tiles ? layout.chunk_rows * 32 * 4 : 0;
                const int addends = layout.rate_rows * layout.rate_row_length() * (metric == Metric::sad ? 4 : 8);
                EXPECT_LE(addends + layout.chunk_rows + 16 + sums, 48 * 1024);
            }
        }
    }
}

TEST(FullSearchPlan, RatesHaveRoomForTheBlocksOfAGroupAndAnyPredictor) {
    const Mv predictor;
    for (const int range : {0, 1, 3, 7, 10, 15, 16, 31, 100}) {
        for (int shift = 0; shift < 4; ++shift) {
            SearchTask task = task_for(1920, 16, 16, 16, range);
            task.predictors = &predictor;
            task.rate_shift = shift;
            task.grid_shift = range % 2;
            const FullSearchPlan plan = plan_full_search(task, plenty, Matrices::none);
            const FullSearchLayout& layout = plan.layout;
            for (int first = -task.step() * layout.key_columns; first <= 8; ++first) {
                std::set<int> lengths;
                for (int column = 0; column < layout.key_columns; ++column)
                    lengths.insert(component_bits(first + task.step() * column, 1 << shift));
                EXPECT_LE((*lengths.rbegin() - *lengths.begin()) / 2 + 1, layout.rate_classes);
            }
            const std::vector<std::uint32_t> places = lane_places(plan.first_thread);
            for (std::size_t first = 0; first < places.size(); first += full_search_workspaces) {
                const std::size_t last = std::min(first + full_search_workspaces, places.size()) - 1;
                const std::uint32_t blocks =
                    (places[last] >> place_column_bits) - (places[first] >> place_column_bits) + 1;
                EXPECT_LE(static_cast<int>(blocks) * layout.rate_classes, layout.rate_rows);
            }
        }
    }
}

TEST(FullSearchPlan, KeysAreSplitIntoBandsOfRows) {
    SearchTask task = task_for(1920, 1080, 16, 16, 64);
    task.candidates = 4;
    const FullSearchPlan all = plan_full_search(task, plenty * 16, Matrices::none);
    EXPECT_EQ(all.rows_at_once, task.rows);
    // For each candidate of each block a selected key and the distortions of its stretch, which take the room of 16
    // keys.
    const std::size_t row = all.keys_per_row + std::size_t{120} * 4 * 17;
    EXPECT_EQ(plan_full_search(task, row * 5, Matrices::none).rows_at_once, 5);
    EXPECT_EQ(plan_full_search(task, row * 5 - 1, Matrices::none).rows_at_once, 4);
    EXPECT_EQ(plan_full_search(task, 1, Matrices::none).rows_at_once, 1);
}

TEST(FullSearchPlan, ATileIsThatOfTheBlock) {
    const auto tile = [](int width, int height) {
        return plan_full_search(task_for(640, 480, width, height, 8), plenty, Matrices::none);
    };
    EXPECT_EQ(tile(16, 16).tile.words, 4);
    EXPECT_EQ(tile(16, 16).tile.rows, 16);
    EXPECT_EQ(tile(16, 16).kind, FullSearchPlan::Kind::sweep);
    EXPECT_EQ(tile(4, 8).tile.words, 1);
    EXPECT_EQ(tile(4, 8).tile.rows, 8);
    EXPECT_EQ(tile(4, 17).kind, FullSearchPlan::Kind::sweep_tiles);
    EXPECT_EQ(tile(4, 17).tile.rows, 16);
    EXPECT_EQ(tile(20, 4).kind, FullSearchPlan::Kind::sweep_tiles);
    EXPECT_EQ(tile(20, 4).tile.words, 4);
    EXPECT_EQ(tile(96, 54).tile.rows, 8) << "54 is 7 times 8, nearly, but not 4 times 16";
    EXPECT_EQ(tile(96, 64).tile.rows, 16);
}

TEST(FullSearchPlan, AFinerGridHasAsManyLanesAndChunksMore) {
    SearchTask task = task_for(352, 288, 16, 16, 8);
    task.padded = true;
    for (const int shift : {0, 1, 2, 3}) {
        task.grid_shift = shift;
        const FullSearchPlan plan = plan_full_search(task, plenty, Matrices::none);
        EXPECT_EQ(plan.layout.thread_count, task.columns * (16 * task.grid() + 1));
        EXPECT_EQ(plan.layout.key_rows, task.grid() * plan.layout.chunks * plan.layout.chunk_stretches);
    }
}

/// What the kernel for several pictures makes of a thread's number.
TEST(BatchPlan, LanesAreTheColumnsOfAllPicturesSideBySide) {
    for (const int pictures : {1, 2, 7, 32}) {
        for (const bool padded : {false, true}) {
            SearchTask task = task_for(75, 50, 16, 16, 9);
            task.padded = padded;
            const FullSearchPlan one = plan_batch(task, 1), plan = plan_batch(task, pictures);
            EXPECT_EQ(one.first_thread, plan_full_search(task, plenty, Matrices::none).first_thread);
            ASSERT_EQ(plan.layout.thread_count, pictures * one.layout.thread_count);
            const std::vector<std::uint32_t> places = lane_places(plan.first_thread);
            const std::vector<std::uint32_t> own_places = lane_places(one.first_thread);
            ASSERT_EQ(places.size(), static_cast<std::size_t>(plan.layout.thread_count));
            for (int thread = 0; thread < plan.layout.thread_count; ++thread) {
                const std::uint32_t place = places[static_cast<std::size_t>(thread)];
                const std::uint32_t own = own_places[static_cast<std::size_t>(thread % one.layout.thread_count)];
                const BatchColumn column(task, static_cast<int>(place >> place_column_bits));
                EXPECT_EQ(column.picture, thread / one.layout.thread_count);
                EXPECT_EQ(column.column, static_cast<int>(own >> place_column_bits));
                EXPECT_EQ(place & ((1u << place_column_bits) - 1), own & ((1u << place_column_bits) - 1));
            }
        }
    }
}

TEST(BatchPlan, EachBlockHasANumberOfItsOwnAndPicturesFollowOneAnother) {
    SearchTask task = task_for(75, 50, 16, 16, 9);
    task.first_row = 1;
    task.rows = 2;
    std::size_t next = 0;
    for (int picture = 0; picture < 4; ++picture) {
        for (int row = 1; row < 3; ++row) {
            for (int column = 0; column < task.columns; ++column, ++next)
                EXPECT_EQ(BatchColumn(task, picture * task.columns + column).block_number(task, row), next);
        }
    }
    const SearchTask all = blocks_of_batch(task, 4);
    EXPECT_EQ(static_cast<std::size_t>(all.rows * all.columns), next);
    EXPECT_EQ(all.first_row, 0);
}

TEST(BatchPlan, SmallPicturesFillTheDeviceTogetherAndAreCutNoFurther) {
    const SearchTask cif = task_for(352, 288, 16, 16, 16);
    EXPECT_EQ(pictures_at_once(cif), 32);
    EXPECT_EQ(plan_batch(cif, 32).layout.chunks, 1);
    EXPECT_GT(plan_batch(cif, 1).layout.chunks, 1) << "alone it is cut, so that there are enough threads";
    EXPECT_EQ(pictures_at_once(task_for(1920, 1080, 16, 16, 16)), 7) << "a few share the ends of a launch";
    EXPECT_EQ(pictures_at_once(task_for(1920, 1080, 16, 16, 32)), 3);
    EXPECT_EQ(pictures_at_once(task_for(1920, 1080, 16, 16, 64)), 1) << "long searches fill it alone";
    const int middling = pictures_at_once(task_for(720, 480, 16, 16, 16));
    EXPECT_GT(middling, 1);
    EXPECT_LT(middling, 32);
    EXPECT_LT(pictures_at_once(task_for(352, 288, 16, 16, 32)), 32);
    SearchTask none = cif;
    none.rows = 0;
    EXPECT_EQ(pictures_at_once(none), 32);
    EXPECT_EQ(most_pictures_of(task_for(16384, 16, 4, 4, 1)), 8) << "places have 15 bits for columns of blocks";
    EXPECT_EQ(pictures_at_once(task_for(4096, 4, 4, 4, 0)), 32);
    SearchTask largest = task_for(16384, 16384, 4, 4, 4080);
    largest.padded = true;
    EXPECT_EQ(pictures_at_once(largest), 1) << "warps beyond an int";
}

TEST(BatchPlan, IsForTheCommonSearch) {
    const SearchTask common = task_for(352, 288, 16, 16, 16);
    EXPECT_TRUE(can_batch(common));
    const auto without = [&](auto change) {
        SearchTask task = common;
        change(task);
        EXPECT_EQ(pictures_at_once(task), 1);
        return !can_batch(task);
    };
    EXPECT_TRUE(without([](SearchTask& task) { task.metric = Metric::ssd; }));
    EXPECT_TRUE(without([](SearchTask& task) { task.metric = Metric::satd; }));
    EXPECT_TRUE(without([](SearchTask& task) { task.candidates = 2; }));
    EXPECT_TRUE(without([](SearchTask& task) { task.grid_shift = 1; }));
    EXPECT_TRUE(without([](SearchTask& task) { task.null_gain = 1; }));
    EXPECT_TRUE(without([](SearchTask& task) { task.null_threshold = 1; }));
    EXPECT_TRUE(without([](SearchTask& task) { task.null_level = 1; }));
    EXPECT_TRUE(without([](SearchTask& task) { task.block_height = 17; }));
}

TEST(BatchPlan, SharedMemoryStaysBelow48KiB) {
    const Mv predictor;
    for (const int range : {0, 1, 16, 256, 1024}) {
        for (const int size : {4, 16}) {
            SearchTask task = task_for(64, 2048, size, size, range);
            task.padded = true;
            task.range_y = 1024;
            task.predictors = &predictor;
            const FullSearchLayout layout = plan_batch(task, 32).layout;
            EXPECT_LE(layout.rate_rows * layout.rate_row_length() * 4 + layout.chunk_rows + 16, 48 * 1024);
            EXPECT_LE(layout.chunk_rows, 255);
            EXPECT_GE(layout.chunks * layout.chunk_rows, 2049);
        }
    }
}

TEST(FullSearchPlan, TransformedCellsAreForWholeOnesThatFitIntoSharedMemory) {
    for (const int range : {0, 1, 16, 32, 127, 128, 1000, 4080}) {
        for (const int size : {4, 8, 16, 32, 64, 128}) {
            SearchTask task = task_for(704, 576, size, size, range);
            task.metric = Metric::satd;
            const FullSearchPlan plan = plan_full_search(task, plenty, Matrices::none);
            EXPECT_EQ(plan.kind == FullSearchPlan::Kind::satd, size < 128) << size;
            const SatdGroups& groups = plan.satd;
            if (plan.kind != FullSearchPlan::Kind::satd) continue;
            EXPECT_LE(groups.shared_bytes(task), most_satd_bytes);
            EXPECT_LE(groups.threads(), most_satd_threads);
            EXPECT_GE(groups.columns * groups.parts, 2 * range + 1);
            EXPECT_TRUE(groups.blocks == 1 || groups.parts == 1);
            EXPECT_GE(groups.pitch, (groups.blocks - 1) * size + groups.columns + size - 4);
        }
    }
    SearchTask task = task_for(704, 576, 16, 16, 16);
    task.metric = Metric::satd;
    EXPECT_EQ(plan_full_search(task, plenty, Matrices::none).satd.blocks, 5)
        << "44 blocks by 165 columns, in nine times 192 threads";
    task.block_height = 68;
    EXPECT_EQ(plan_full_search(task, plenty, Matrices::none).kind, FullSearchPlan::Kind::any);
    for (const auto& [width, height, block_width, block_height] :
         {std::array{702, 576, 16, 16}, {704, 574, 16, 16}, {704, 576, 18, 16}, {704, 576, 16, 18}}) {
        SearchTask cut = task_for(width, height, block_width, block_height, 16);
        cut.metric = Metric::satd;
        EXPECT_EQ(plan_full_search(cut, plenty, Matrices::none).kind, FullSearchPlan::Kind::any);
    }
}

TEST(FullSearchPlan, ZeroMeansAreSearchedByTheKernelForAnyBlock) {
    for (const auto& [block, candidates] : {std::pair{4, 1}, {16, 1}, {16, 4}, {64, 1}, {128, 2}}) {
        SearchTask task = task_for(704, 576, block, block, 32);
        task.metric = Metric::zsad;
        task.candidates = candidates;
        const FullSearchPlan plan = plan_full_search(task, plenty, Matrices::everywhere);
        EXPECT_EQ(plan.kind, FullSearchPlan::Kind::any);
        EXPECT_FALSE(plan.layout.settles) << "keys are written for each stretch";
        EXPECT_FALSE(plan.sweeps_stretches);
        EXPECT_FALSE(can_batch(task));
    }
}

TEST(FullSearchPlan, MatricesAreForSsdOfMiddlingBlocks) {
    using Kind = FullSearchPlan::Kind;
    SearchTask task = task_for(640, 480, 16, 16, 16);
    task.range_x = task.range_y = 32;
    const auto everywhere = [&] { return plan_full_search(task, plenty, Matrices::everywhere).kind; };
    const auto where_faster = [&] { return plan_full_search(task, plenty, Matrices::where_faster).kind; };
    EXPECT_EQ(everywhere(), Kind::sweep) << "of SAD";
    task.metric = Metric::ssd;
    EXPECT_EQ(everywhere(), Kind::correlation);
    EXPECT_EQ(where_faster(), Kind::correlation);
    EXPECT_EQ(plan_full_search(task, plenty, Matrices::none).kind, Kind::sweep);
    task.rows = 20;
    EXPECT_EQ(everywhere(), Kind::correlation);
    EXPECT_EQ(where_faster(), Kind::sweep) << "of few blocks";
    task = task_for(640, 480, 8, 8, 32);
    task.metric = Metric::ssd;
    EXPECT_EQ(everywhere(), Kind::correlation);
    EXPECT_EQ(where_faster(), Kind::sweep) << "of small blocks";
    task.grid_shift = 1;
    EXPECT_EQ(everywhere(), Kind::sweep) << "on a finer grid";
    task.grid_shift = 0;
    task.range_x = 1024;
    EXPECT_EQ(everywhere(), Kind::sweep) << "over more than shared memory holds";
}

TEST(FullSearchPlan, TheRoomForMatricesTakesEveryGoOfRows) {
    for (const bool padded : {false, true}) {
        SearchTask task = task_for(320, 480, 16, 16, 40);
        task.metric = Metric::ssd;
        task.candidates = 4;
        task.padded = padded;
        const FullSearchPlan whole = plan_full_search(task, plenty, Matrices::everywhere);
        ASSERT_EQ(whole.kind, FullSearchPlan::Kind::correlation);
        EXPECT_EQ(whole.correlation_bytes, plan_correlation(task).bytes);
        const std::size_t row = whole.keys_per_row + static_cast<std::size_t>(task.columns) * 4 * 17;
        const FullSearchPlan plan = plan_full_search(task, row * 4, Matrices::everywhere);
        ASSERT_EQ(plan.rows_at_once, 4);
        for (int first = 0; first < task.rows; first += 4) {
            const CorrelationMemory memory = plan_correlation(part_of(task, first, std::min(4, task.rows - first)));
            EXPECT_LE(memory.bytes, plan.correlation_bytes) << "from row " << first;
        }
        EXPECT_LT(plan.correlation_bytes, whole.correlation_bytes);
        task.metric = Metric::sad;
        EXPECT_EQ(plan_full_search(task, plenty, Matrices::everywhere).correlation_bytes, 0u);
    }
}

TEST(FullSearchPlan, WhatMatricesReadCoversEveryBlock) {
    for (const bool padded : {false, true}) {
        for (const int width : {64, 75}) {
            SearchTask task = task_for(width, 45, 16, 16, 20);
            task.metric = Metric::ssd;
            task.padded = padded;
            const CorrelationMemory memory = plan_correlation(task);
            const CorrelationPlanes& planes = memory.planes;
            EXPECT_EQ(planes.pitch % 16, 0);
            EXPECT_EQ(planes.first_x % 16, 0);
            const int reach = padded ? 20 : 0;
            EXPECT_LE(planes.first_x, -reach);
            EXPECT_GE(planes.first_x + planes.pitch, width + reach);
            EXPECT_LE(planes.first_y, -reach);
            EXPECT_GE(planes.first_y + planes.rows, 45 + reach);
            EXPECT_EQ(planes.squares[0].width, 16);
            EXPECT_EQ(planes.squares[1].width, width == 64 ? 0 : 11) << "the cut column";
            EXPECT_EQ(planes.squares[2].height, 13) << "the cut row";
            std::size_t bytes = static_cast<std::size_t>(planes.pitch) * static_cast<std::size_t>(planes.rows);
            for (const SquareSums& squares : planes.squares) {
                EXPECT_LE(squares.columns, squares.stride);
                bytes += 4 * static_cast<std::size_t>(squares.stride) * static_cast<std::size_t>(squares.rows);
            }
            EXPECT_EQ(memory.bytes, bytes);
        }
    }
}

} // namespace
} // namespace tandem::cuda
