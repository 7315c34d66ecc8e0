// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/benchmark/timing.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "cuda/kernels.h"

namespace tandem::cuda {

namespace {

double mean_of(Stream& stream, const std::function<void(int)>& queue, int calls) {
    Event begin(Event::Kind::timed), end(Event::Kind::timed);
    begin.record(stream);
    for (int call = 0; call < calls; ++call)
        queue(call);
    end.record(stream);
    end.synchronise();
    return static_cast<double>(elapsed_ms(begin, end)) / calls;
}

} // namespace

double milliseconds_of(Stream& stream, const std::function<void(int)>& queue, int measurements, double least_ms) {
    const double first = mean_of(stream, queue, 3);
    const int calls = std::clamp(static_cast<int>(std::ceil(least_ms / std::max(first, 1e-3))), 3, 1000);
    mean_of(stream, queue, calls);
    std::vector<double> times;
    for (int i = 0; i < measurements; ++i)
        times.push_back(mean_of(stream, queue, calls));
    std::nth_element(times.begin(), times.begin() + measurements / 2, times.end());
    return times[static_cast<std::size_t>(measurements / 2)];
}

double ceiling_rate(Stream& stream, int multiprocessors) {
    constexpr int threads = 256, repeats = 32;
    const int blocks = multiprocessors * 8;
    DeviceBuffer<std::uint32_t> out;
    out.reserve(static_cast<std::size_t>(blocks) * threads);
    const double milliseconds =
        milliseconds_of(stream, [&](int) { launch_ceiling(blocks, threads, repeats, out.data(), stream.get()); });
    return 4.0 * ceiling_words * repeats * blocks * threads / (milliseconds * 1e-3);
}

} // namespace tandem::cuda
