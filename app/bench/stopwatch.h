// SPDX-License-Identifier: BSD-2-Clause
// Time for benchmarks.
#pragma once

#include <vector>

namespace tandem {

/// Seconds of one thread's work are processor time, which other programs do not stretch by taking turns; of several
/// threads, wall clock.
class Stopwatch {
  public:
    explicit Stopwatch(int threads) : threads_(threads), begin_(now()) {}
    double seconds() const { return now() - begin_; }

  private:
    double now() const;
    int threads_;
    double begin_;
};

/// Processor time of all child processes that have ended.
double seconds_of_children();

/// Of one figure or more; of an even number of them, the mean of the two in the middle.
double median(std::vector<double> figures);

} // namespace tandem
