// SPDX-License-Identifier: BSD-2-Clause
// From a metric that a search was asked for to the kernel that was compiled for it.
#pragma once

#include <type_traits>

#include "me/search_params.h"

namespace tandem::cuda {

/// Calls launch(constant), where decltype(constant)::value is the metric.
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
    }
}

} // namespace tandem::cuda
