// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/queue_search.h"

#include <algorithm>

#include "cuda/kernels.h"

namespace tandem::cuda {

namespace {

void queue_correlation(const SearchTask& task, const FullSearchPlan& plan, std::uint8_t* room, Stream& stream) {
    const CorrelationPlanes planes = plan_correlation(task).planes_in(room);
    launch_make_squares(task, planes, stream.get());
    launch_full_correlation(task, plan.layout, planes, stream.get());
}

} // namespace

void queue_full_sweep(const SearchTask& task, const FullSearchPlan& plan, std::uint8_t* room, Stream& stream) {
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
        queue_correlation(task, plan, room, stream);
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
    } else if (plan.sweeps_cells) {
        launch_select_cells(task, plan.layout, stream.get());
        launch_sweep_cells(task, plan.layout, plan.tile, stream.get());
        launch_merge_cells(task, plan.layout, stream.get());
    } else {
        launch_full_finish(task, plan.layout, stream.get());
    }
}

void queue_smpuhex(const SearchParams& params, const SearchTask& task, PassRoom& room, Stream& stream) {
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
        part.found =
            room.found[pass % 2].reserve(static_cast<std::size_t>(part.rows) * static_cast<std::size_t>(part.columns));
        launch_smpuhex(part, rules, stream.get());
        rules.before = part.found;
        rules.before_first_row = part.first_row;
    }
    launch_smpuhex(task, rules, stream.get());
}

void queue_hierarchical(const SearchParams& params, const SearchTask& task, const HeldPyramids& pyramids,
                        Stream& stream) {
    PyramidLevels levels;
    levels.count = params.levels;
    levels.candidates = params.level_candidates;
    levels.level[0] = {task.current, task.reference.whole, task.picture_width, task.picture_height};
    for (std::size_t i = 0; i < pyramids.current.size(); ++i) {
        levels.level[i + 1] = {pyramids.current[i].words, pyramids.reference[i].words, pyramids.current[i].width,
                               pyramids.current[i].height};
    }
    launch_hierarchical(task, levels, stream.get());
}

} // namespace tandem::cuda
