// SPDX-License-Identifier: BSD-2-Clause
// Which series this machine can run.
#pragma once

#include <optional>
#include <vector>

#include "app/compare/compare_plan.h"

namespace tandem {

struct AvailableSeries {
    std::vector<Series> series;
    /// One for each series: a peer's version, the names of the GPUs that Tandem searches on; empty on the CPU.
    std::vector<std::string> makers;
};

/// Leaves out, with one warning each, GPUs and peers that are not here, and searches that a GPU does not run. Nothing
/// after an interrupt. Throws InputError for a peer's options that its encoder refuses, RunError when nothing is left.
std::optional<AvailableSeries> available_series(const CompareOptions& options, const std::vector<ComparedClip>& clips);

} // namespace tandem
