// SPDX-License-Identifier: BSD-2-Clause
#include "machine/long_work.h"

#include <algorithm>
#include <ctime>

#include "machine/errors.h"

namespace tandem {

namespace {

std::atomic<const std::atomic<std::int64_t>*> told_flag{nullptr};

std::int64_t now() {
    timespec time{};
    ::clock_gettime(CLOCK_MONOTONIC, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

} // namespace

void end_long_work_when(const std::atomic<std::int64_t>& told_at) { told_flag = &told_at; }

LongWork::LongWork() : begun_at_(now()) {}

void LongWork::end_if_told() const {
    constexpr std::int64_t patience = 1'000'000'000;
    const std::atomic<std::int64_t>* const flag = told_flag.load(std::memory_order_relaxed);
    const std::int64_t told_at = flag == nullptr ? 0 : flag->load(std::memory_order_relaxed);
    if (told_at != 0 && now() - std::max(told_at, begun_at_) > patience) throw Interrupted("a long search is given up");
}

} // namespace tandem
