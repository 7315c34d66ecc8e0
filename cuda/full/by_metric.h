// SPDX-License-Identifier: BSD-2-Clause
// From a metric that a search was asked for to the kernel that was compiled for it.
#pragma once

#include <stdexcept>
#include <type_traits>

#include "me/search_params.h"

namespace tandem::cuda {

/// Whether GPUs have it: CudaEstimator::supports() refuses others.
constexpr bool has_kernels(Metric metric) { return metric != Metric::ncc; }

/// Whether sweeps measure it (block_sweep.cuh), a column of vectors a thread.
constexpr bool is_swept(Metric metric) { return metric == Metric::sad || metric == Metric::ssd; }

/// Calls launch(constant), where decltype(constant)::value is the metric. std::logic_error where there are no kernels.
template <class Launch> void by_metric(Metric metric, Launch launch) {
    switch (metric) {
    case Metric::sad:
        launch(std::integral_constant<Metric, Metric::sad>());
        break;
    case Metric::ssd:
        launch(std::integral_constant<Metric, Metric::ssd>());
        break;
    case Metric::satd:
        launch(std::integral_constant<Metric, Metric::satd>());
        break;
    case Metric::zsad:
        launch(std::integral_constant<Metric, Metric::zsad>());
        break;
    case Metric::ncc:
        throw std::logic_error("a GPU was asked for normalised correlation, which it does not have");
    }
}

} // namespace tandem::cuda
