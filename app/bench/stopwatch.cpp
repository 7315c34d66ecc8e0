// SPDX-License-Identifier: BSD-2-Clause
#include "app/bench/stopwatch.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <ctime>

namespace tandem {
namespace {

double seconds_of(const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

} // namespace

double Stopwatch::now() const {
    if (threads_ > 1) return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double seconds_of_children() {
    rusage usage{};
    ::getrusage(RUSAGE_CHILDREN, &usage);
    return seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}

double median(std::vector<double> figures) {
    std::ranges::sort(figures);
    const std::size_t half = figures.size() / 2;
    return figures.size() % 2 == 1 ? figures[half] : (figures[half - 1] + figures[half]) / 2;
}

} // namespace tandem
