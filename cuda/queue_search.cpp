// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/queue_full.h"

#include "cuda/kernels.h"

namespace tandem::cuda {

void queue_full_sweep(const SearchTask& task, const FullSearchPlan& plan, Stream& stream) {
    const bool squared = task.metric == Metric::ssd;
    switch (plan.kind) {
    case FullSearchPlan::Kind::sweep:
        (squared ? launch_full_ssd : launch_full_sad)(task, plan.layout, plan.tile, stream.get());
        break;
    case FullSearchPlan::Kind::sweep_tiles:
        (squared ? launch_full_ssd_tiles : launch_full_sad_tiles)(task, plan.layout, plan.tile, plan.tile_warps,
                                                                  stream.get());
        break;
    case FullSearchPlan::Kind::any:
        launch_full_any(task, plan.layout, stream.get());
        break;
    }
}

void queue_full(const SearchTask& task, const FullSearchPlan& plan, Stream& stream) {
    queue_full_sweep(task, plan, stream);
    if (plan.layout.settles) return;
    if (plan.sweeps_cells) {
        launch_select_cells(task, plan.layout, stream.get());
        launch_sweep_cells(task, plan.layout, plan.tile, stream.get());
        launch_merge_cells(task, plan.layout, stream.get());
    } else {
        launch_full_finish(task, plan.layout, stream.get());
    }
}

} // namespace tandem::cuda
