// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/requests/queue_search.h"

#include <algorithm>

#include "cuda/kernels.h"
#include "me/search/levels/coarse_motion.h"
#include "me/search/levels/wide_rules.h"

namespace tandem::cuda {

namespace {

void queue_correlation(const SearchTask& task, const FullSearchPlan& plan, std::uint8_t* memory, Stream& stream) {
    const CorrelationPlanes planes = plan_correlation(task).planes_in(memory);
    launch_make_squares(task, planes, stream.get());
    launch_full_correlation(task, plan.layout, planes, stream.get());
}

PyramidLevel pictures_of(const HeldPyramids& pyramids, int level) {
    const HeldLevel& current = pyramids.current[static_cast<std::size_t>(level - 1)];
    const HeldLevel& reference = pyramids.reference[static_cast<std::size_t>(level - 1)];
    return {current.words, reference.words, current.width, current.height};
}

PyramidLevels levels_of_pyramids(int count, int candidates, const SearchTask& task, const HeldPyramids& pyramids) {
    PyramidLevels levels;
    levels.count = count;
    levels.candidates = candidates;
    levels.level[0] = {task.current, task.reference.whole, task.picture_width, task.picture_height};
    for (int level = 1; level < count; ++level)
        levels.level[level] = pictures_of(pyramids, level);
    return levels;
}

/// Pels of the picture that ask for cells.
struct PelRows {
    int first, end;
};

CoarseLevel coarse_level(int number, const VectorLimits& limits, const PelRows& pels, const HeldPyramids& pyramids) {
    CoarseLevel level;
    level.pictures = pictures_of(pyramids, number);
    level.number = number;
    const VectorLimits scaled = on_level(limits, number);
    level.limit_x = scaled.x;
    level.limit_y = scaled.y;
    level.columns = blocks_along(level.pictures.width, coarse_cell_side);
    level.rows = blocks_along(level.pictures.height, coarse_cell_side);
    const CellBand wanted = cells_wanted(number, pels.first, pels.end, level.rows);
    level.first_row = wanted.first;
    level.end_row = wanted.end;
    return level;
}

/// `before`: of the level before; without cells this is the smallest one.
void queue_level(const SearchTask& task, const CoarseLevel& level, const CoarseCells& before,
                 std::span<const PictureBatch> levels, Stream& stream) {
    const bool is_smallest = before.vectors == nullptr;
    if (levels.empty()) {
        if (is_smallest)
            launch_coarse_smallest(task, level, stream.get());
        else
            launch_coarse_finer(task, level, before, stream.get());
        return;
    }
    const PictureBatch& planes = levels[static_cast<std::size_t>(level.number - 1)];
    if (is_smallest)
        launch_coarse_smallest_batch(task, level, planes, stream.get());
    else
        launch_coarse_finer_batch(task, level, before, planes, stream.get());
}

} // namespace

void queue_full_sweep(const SearchTask& task, const FullSearchPlan& plan, std::uint8_t* memory, Stream& stream) {
    const bool squared = task.metric == Metric::ssd;
    switch (plan.kind) {
    case FullSearchPlan::Kind::sweep:
        (squared ? launch_full_ssd : launch_full_sad)(task, plan.layout, plan.tile, stream.get());
        break;
    case FullSearchPlan::Kind::sweep_tiles:
        (squared ? launch_full_ssd_tiles : launch_full_sad_tiles)(task, plan.layout, plan.tile, plan.tile_warps,
                                                                  stream.get());
        break;
    case FullSearchPlan::Kind::correlation:
        queue_correlation(task, plan, memory, stream);
        break;
    case FullSearchPlan::Kind::satd:
        launch_full_satd(task, plan.layout, plan.satd, stream.get());
        break;
    case FullSearchPlan::Kind::any:
        launch_full_any(task, plan.layout, stream.get());
        break;
    }
}

void queue_full_end(const SearchTask& task, const FullSearchPlan& plan, Stream& stream) {
    if (plan.layout.settles) {
        launch_write_best(task, plan.layout, stream.get());
    } else if (plan.sweeps_stretches) {
        launch_select_stretches(task, plan.layout, stream.get());
        launch_sweep_stretches(task, plan.layout, plan.tile, stream.get());
        launch_merge_stretches(task, plan.layout, stream.get());
    } else {
        launch_full_finish(task, plan.layout, stream.get());
    }
}

void queue_smpuhex(const SearchParams& params, const SearchTask& task, const CoarseCells& coarse, PassMemory& memory,
                   Stream& stream) {
    SmpUHexPass rules{params.smpuhex_converged, params.smpuhex_wide, params.smpuhex_wide_small,
                      std::max(params.range_x, params.range_y)};
    const int end = task.first_row + task.rows;
    // Each pass reads one row above those that the next one searches.
    for (int pass = 0; pass + 1 < params.passes; ++pass) {
        SearchTask part = task;
        const int earlier = std::min(params.passes - 1 - pass, task.first_row);
        part.first_row -= earlier;
        part.rows = end - part.first_row;
        part.candidates = 1;
        if (task.predictors != nullptr) part.predictors -= static_cast<std::ptrdiff_t>(earlier) * task.columns;
        part.found = memory.found[pass % 2].reserve(static_cast<std::size_t>(part.rows) *
                                                    static_cast<std::size_t>(part.columns));
        launch_smpuhex(part, rules, coarse, stream.get());
        rules.before = part.found;
        rules.before_first_row = part.first_row;
    }
    launch_smpuhex(task, rules, coarse, stream.get());
}

CoarseCells queue_coarse(const SearchParams& params, const SearchTask& task, int rows_above,
                         const HeldPyramids& pyramids, std::span<const PictureBatch> levels, CoarseMemory& memory,
                         Stream& stream) {
    if (!begins_at_predictors(params)) return {};
    const VectorLimits limits{task.range_x, task.range_y};
    const int smallest = smallest_coarse_level(limits, task.picture_width, task.picture_height);
    const int first_y = (task.first_row - rows_above) * task.block_height;
    const int end_y = std::min((task.first_row + task.rows) * task.block_height, task.picture_height);
    // Room for the largest level, so that none is taken while a kernel reads it.
    const CoarseLevel half = coarse_level(1, limits, {first_y, end_y}, pyramids);
    const auto pictures = static_cast<std::size_t>(levels.empty() ? 1 : levels.front().count);
    const std::size_t most = pictures * static_cast<std::size_t>(half.columns) * static_cast<std::size_t>(half.rows);
    Position* const found[] = {memory.found[0].reserve(most), memory.found[1].reserve(most)};
    CoarseCells before;
    for (int number = smallest; number > 0; --number) {
        CoarseLevel level = coarse_level(number, limits, {first_y, end_y}, pyramids);
        level.found = found[number % 2];
        queue_level(task, level, before, levels, stream);
        before = {level.found, level.columns, level.rows};
    }
    return before;
}

void queue_hierarchical(const SearchParams& params, const SearchTask& task, const HeldPyramids& pyramids,
                        Stream& stream) {
    launch_hierarchical(task, levels_of_pyramids(params.levels, params.level_candidates, task, pyramids), stream.get());
}

void queue_predictive(const SearchParams& params, const SearchTask& task, const CoarseCells& coarse,
                      const HeldPyramids& pyramids, Stream& stream) {
    if (params.wide_range == 0) return launch_predictive(task, params.range_x, params.range_y, coarse, stream.get());
    WideLevels wide;
    wide.pyramid = levels_of_pyramids(wide_search_levels, wide_search_candidates, task, pyramids);
    wide.range = wide_range_on_smallest_level(params.wide_range);
    wide.range_about_zero = wide_range_on_smallest_level(wide_range_about_zero(params.wide_range));
    launch_predictive_wide(task, params.range_x, params.range_y, coarse, wide, stream.get());
}

} // namespace tandem::cuda
