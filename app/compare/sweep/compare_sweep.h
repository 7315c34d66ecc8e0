// SPDX-License-Identifier: BSD-2-Clause
// Runs the points of a plan.
#pragma once

#include <optional>

#include "app/compare/compare_series.h"
#include "app/compare/sweep/results_file.h"

namespace tandem {

struct SweepContext {
    const CompareOptions& options;
    const ComparePlan& plan;
    const AvailableSeries& available;
    Json provenance; ///< Common to all rows.
    bool has_vmaf = false;
};

/// All runs of one point: its row, or nothing after an interrupt. Throws what the runs throw.
std::optional<Json> run_whole_point(const SweepContext& context, const ComparePoint& point);

struct SweepOutcome {
    int failed = 0;           ///< Points; each was said.
    bool interrupted = false; ///< What is done is in the file.
};

/// Runs what is not in `results` yet. Runs of the points of one clip and target take turns, forward and backward,
/// so that what slows the machine for a while slows no series alone.
SweepOutcome run_sweep(const SweepContext& context, ResultsFile& results);

} // namespace tandem
