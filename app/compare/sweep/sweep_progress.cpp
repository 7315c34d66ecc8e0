// SPDX-License-Identifier: BSD-2-Clause
#include "app/compare/sweep/sweep_progress.h"

namespace tandem {

void SweepProgress::expect(const SweepStep& step) { speeds_[step.series].size_left += step.size; }

void SweepProgress::done(const SweepStep& step, double seconds) {
    Speed& speed = speeds_[step.series];
    speed.size += step.size;
    speed.seconds += seconds;
    drop(step);
}

void SweepProgress::drop(const SweepStep& step) { speeds_[step.series].size_left -= step.size; }

double SweepProgress::seconds_left() const {
    double size = 0, seconds = 0, left = 0;
    for (const auto& [series, speed] : speeds_) {
        size += speed.size;
        seconds += speed.seconds;
    }
    if (size <= 0) return 0;
    for (const auto& [series, speed] : speeds_)
        left += speed.size_left * (speed.size > 0 ? speed.seconds / speed.size : seconds / size);
    return left;
}

} // namespace tandem
