// SPDX-License-Identifier: BSD-2-Clause
// Which series this machine can run.
#pragma once

#include <optional>
#include <vector>

#include "app/compare_plan.h"

namespace tandem {

struct AvailableSeries {
    std::vector<Series> series;
    std::string gpu;                        ///< Names of the GPUs that are used; empty: none.
    std::vector<std::string> peer_versions; ///< One for each series; empty for Tandem's.
};

/// Leaves out, with one warning each, GPUs and peers that are not here, and searches that a GPU does not run. Nothing
/// after an interrupt. Throws InputError for a peer's options that its encoder refuses, RunError when nothing is left.
std::optional<AvailableSeries> available_series(const CompareOptions& options, const std::vector<ComparedClip>& clips);

} // namespace tandem
