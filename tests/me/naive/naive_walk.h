// SPDX-License-Identifier: BSD-2-Clause
// Any walk of the table of searches, told again as plainly as its definition. Its pattern is the row's.
#pragma once

#include <algorithm>

#include "me/search/pattern.h"
#include "me/search_params.h"

namespace tandem::test {

/// `try_pels(x, y)` measures a vector, `best()` is the best so far, an Mv.
template <class TryPels, class Best> class NaiveWalk {
  public:
    NaiveWalk(const Walk& walk, const SearchParams& params, int reach_x, int reach_y, TryPels try_pels, Best best)
        : walk_(walk), params_(params), reach_x_(reach_x), reach_y_(reach_y), try_pels_(try_pels), best_(best) {}

    void run() {
        if (walk_.steps == WalkSteps::while_better) {
            while (about_best(walk_.pattern, 1, 1)) {
            }
        } else if (walk_.steps == WalkSteps::patient) {
            const int reach = std::max(reach_x_, reach_y_);
            int step = params_.first_step > 0 ? params_.first_step : (reach + 1) / 2;
            while (step > 1)
                step = about_best(walk_.pattern, step, step) ? step : step / 2;
        } else {
            for (int x = first(reach_x_), y = first(reach_y_); x > 0 || y > 0; x = next(x), y = next(y))
                about_best(walk_.pattern, std::max(x, 1), std::max(y, 1));
        }
        about_best(walk_.last, 1, 1);
    }

  private:
    int next(int step) const { return walk_.steps == WalkSteps::halved ? step / 2 : std::max(step - 1, 0); }
    int first(int range) const {
        if (params_.first_step > 0 && range > 0) return params_.first_step;
        int step = 0;
        while (step * (step + 1) / 2 < range)
            ++step;
        return walk_.steps == WalkSteps::one_less ? step : (range + 1) / 2;
    }
    bool about_best(const Pattern& pattern, int step_x, int step_y) {
        const Mv centre = best_();
        for (int i = pattern.count - 1; i >= 0; --i)
            try_pels_(centre.x / 8 + step_x * pattern.places[i].x, centre.y / 8 + step_y * pattern.places[i].y);
        return !(best_() == centre);
    }

    const Walk& walk_;
    const SearchParams& params_;
    int reach_x_, reach_y_;
    TryPels try_pels_;
    Best best_;
};

} // namespace tandem::test
