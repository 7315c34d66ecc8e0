// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/full_search_plan.h"

#include <algorithm>

namespace tandem::cuda {

namespace {

/// Ranks of rows fit into a byte, and a chunk's sums and rates into 48 KiB of shared memory.
constexpr int most_chunk_rows = 240;
constexpr int most_rates_of_tile = 4096;
constexpr int most_rates_of_several = 2048;
constexpr int columns_of_several = 32;
/// Warps that keep a large device busy; below that a column is better cut into shorter chunks.
constexpr int wanted_warps = 4096;
constexpr int least_chunk_rows = 16;

int words_of(int width) { return width > 8 ? 4 : width > 4 ? 2 : 1; }
int rows_of(int height) { return height > 8 ? 16 : height > 4 ? 8 : 4; }
int parts(int whole, int part) { return (whole + part - 1) / part; }

/// Whole-pel columns of vectors that a block at x may use.
int vector_columns(const SearchTask& task, int x) {
    if (task.padded) return 2 * task.range_x + 1;
    const int width = std::min(task.block_width, task.picture_width - x);
    return std::min(task.range_x, x) + std::min(task.range_x, task.picture_width - x - width) + 1;
}

void place_lanes(const SearchTask& task, FullSearchPlan& plan) {
    int lanes = 0, least = 2 * task.range_x + 1;
    for (int column = 0; column < task.columns; ++column) {
        const int count = vector_columns(task, column * task.block_width);
        plan.first_lane.push_back(lanes);
        plan.layout.key_columns = std::max(plan.layout.key_columns, count);
        least = std::min(least, count);
        lanes += count;
    }
    plan.first_lane.push_back(lanes);
    plan.layout.lanes = lanes;
    if (task.predictors == nullptr) return;
    const int group = plan.several_tiles ? columns_of_several : full_search_lanes;
    plan.layout.rate_tables = std::min(task.columns, group / least + 2);
}

void place_rows(const SearchTask& task, FullSearchPlan& plan) {
    FullSearchLayout& layout = plan.layout;
    const int rows = task.padded ? 2 * task.range_y + 1 : std::min(2 * task.range_y + 1, task.picture_height);
    const int most_rates = plan.several_tiles ? most_rates_of_several : most_rates_of_tile;
    const int most_rows = std::min(most_chunk_rows, most_rates / layout.rate_tables);
    int chunks = parts(rows, most_rows);
    const int warps = std::max(parts(layout.lanes, 32) * task.rows, 1);
    while (warps * chunks < wanted_warps && parts(rows, chunks + 1) >= least_chunk_rows)
        ++chunks;
    layout.chunk_rows = parts(rows, chunks);
    layout.chunk_cells = CellRows{layout.chunk_rows, layout.cell_rows}.cells();
    layout.key_rows = parts(rows, layout.chunk_rows) * layout.chunk_cells;
}

} // namespace

FullSearchPlan plan_full_search(const SearchTask& task, std::size_t most_keys) {
    FullSearchPlan plan;
    plan.packed = task.metric == Metric::sad;
    plan.tile = {words_of(task.block_width), rows_of(task.block_height)};
    plan.several_tiles = plan.packed && (task.block_width > 16 || task.block_height > 16);
    // One candidate needs one key per column; more are found again in their cells, where smaller cells mean less work
    // but more keys.
    plan.layout.cell_rows = !plan.packed ? 16 : task.candidates == 1 ? 256 : plan.several_tiles ? 4 : 16;
    place_lanes(task, plan);
    place_rows(task, plan);
    plan.keys_per_row = static_cast<std::size_t>(task.columns) * static_cast<std::size_t>(plan.layout.key_rows) *
                        static_cast<std::size_t>(plan.layout.key_columns);
    const std::size_t affordable = std::max<std::size_t>(most_keys / plan.keys_per_row, 1);
    plan.rows_at_once = static_cast<int>(std::min(affordable, static_cast<std::size_t>(std::max(task.rows, 1))));
    return plan;
}

StepSequence step_sequence(Algorithm algorithm, int range_x, int range_y) {
    if (algorithm == Algorithm::three_step) return {(range_x + 1) / 2, (range_y + 1) / 2, StepRule::halve};
    const auto least_sum_step = [](int range) {
        int step = 0;
        for (int reach = 0; reach < range; reach += step)
            ++step;
        return step;
    };
    return {least_sum_step(range_x), least_sum_step(range_y), StepRule::one_less};
}

} // namespace tandem::cuda
