// SPDX-License-Identifier: BSD-2-Clause
// How far a sweep is and how long it will take.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace tandem {

/// One run of one point, as work to come: its size (samples, say) and whose speed it is measured by.
struct SweepStep {
    std::size_t series = 0;
    double size = 0;
};

/// Guesses from the speed of each series so far, and of all where a series has not run yet.
class SweepProgress {
  public:
    void expect(const SweepStep& step);
    /// A step is over, with the seconds it took; or it will not come (nothing).
    void done(const SweepStep& step, double seconds);
    void drop(const SweepStep& step);
    /// Nothing known yet: 0.
    double seconds_left() const;

  private:
    struct Speed {
        double size = 0, seconds = 0, size_left = 0;
    };
    std::map<std::size_t, Speed> speeds_;
};

} // namespace tandem
