// SPDX-License-Identifier: BSD-2-Clause
// Requests of every kind, drawn from a seed.
#pragma once

#include <random>
#include <string>

#include "me/estimator.h"
#include "tests/me/pictures.h"

namespace tandem::test {

class RandomRequest {
  public:
    explicit RandomRequest(std::uint32_t seed) : random_(cases_of(seed)) {}

    int from(int least, int most) { return std::uniform_int_distribution<int>(least, most)(random_); }
    template <std::size_t count> int one_of(const int (&values)[count]) {
        return values[from(0, static_cast<int>(count) - 1)];
    }
    bool chance(int in_hundred) { return from(1, 100) <= in_hundred; }

    int side(int most) { return any_side(random_, most); }

    /// Two pictures of any content.
    void draw_pictures(int width, int height, MotionRequest& request);
    /// Lambda, predictor, hint, null rules, candidates, boundary and band.
    void draw_rules(MotionRequest& request);
    /// Any search of the table that the device runs exactly but the full one, and its own parameters.
    void draw_search(const Estimator& device, SearchParams& params);
    std::shared_ptr<const MotionField> hint(const MotionRequest& request);

  private:
    std::mt19937 random_;
};

/// The searches of the table that the device runs by whole numbers, but for the full one.
std::vector<Algorithm> searches_on(const Estimator& device);

/// The request in a line, for a failing test.
std::string describe(const MotionRequest& request);

} // namespace tandem::test
