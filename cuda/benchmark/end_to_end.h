// SPDX-License-Identifier: BSD-2-Clause
// Fields per second with the pictures in host memory and the fields back in host memory.
#pragma once

#include <memory>
#include <vector>

#include "me/estimator.h"

namespace tandem::cuda {

/// Each picture of `pictures` is searched in the one before it, by `threads` threads that take turns on the estimators.
/// `at_once` of them a call. Every picture is new to them. After a warm-up.
double fields_per_second(const std::vector<std::unique_ptr<Estimator>>& estimators, const SearchParams& params,
                         const std::vector<FramePtr>& pictures, int threads, std::size_t at_once);

} // namespace tandem::cuda
