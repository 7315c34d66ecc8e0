// SPDX-License-Identifier: BSD-2-Clause
// Times of kernels by events of the device: warmed up, the median of several.
#pragma once

#include <functional>

#include "cuda/device/handles.h"

namespace tandem::cuda {

/// Milliseconds of one call of `queue`, which queues work on the stream: the median of `measurements`, each the mean
/// of as many calls as take about `least_ms`.
double milliseconds_of(Stream& stream, const std::function<void(int call)>& queue, int measurements = 7,
                       double least_ms = 8);

/// Absolute differences of samples per second that the arithmetic alone reaches.
double ceiling_rate(Stream& stream, int multiprocessors);

} // namespace tandem::cuda
