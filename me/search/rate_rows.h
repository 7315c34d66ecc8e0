// SPDX-License-Identifier: BSD-2-Clause
// The rates of all vectors of a row of positions, made once per predictor and kept.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "me/cost.h"

namespace tandem {

/// Vectors of equal code length in y share one row of rates, and there are about twenty code lengths.
class RateRows {
  public:
    RateRows(std::uint32_t lambda_q8, int rate_unit) : lambda_q8_(lambda_q8), rate_unit_(rate_unit) {}

    /// Rows for vectors with x = first_x, first_x + step_x, ... (eighth-pels), `count` of them, against the predictor.
    void prepare(Mv predictor, int first_x, int step_x, int count) {
        predictor_y_ = predictor.y;
        const int first_difference = first_x - predictor.x;
        if (first_difference == first_difference_ && step_x == step_x_ && count == count_) return;
        first_difference_ = first_difference;
        step_x_ = step_x;
        count_ = count;
        for (std::vector<std::uint32_t>& row : rows_)
            row.clear();
        bits_.resize(static_cast<std::size_t>(count));
        least_bits_ = INT32_MAX;
        for (int i = 0; i < count; ++i) {
            bits_[static_cast<std::size_t>(i)] = component_bits(first_difference + i * step_x, rate_unit_);
            least_bits_ = std::min(least_bits_, bits_[static_cast<std::size_t>(i)]);
        }
    }

    /// The rates of the row at y (eighth-pels).
    const std::uint32_t* row(int y) {
        const int bits_y = component_bits(y - predictor_y_, rate_unit_);
        std::vector<std::uint32_t>& row = rows_[static_cast<std::size_t>(bits_y)];
        if (row.empty()) {
            row.resize(static_cast<std::size_t>(count_));
            for (std::size_t i = 0; i < row.size(); ++i)
                row[i] = rate_of(bits_[i] + bits_y, lambda_q8_);
        }
        return row.data();
    }

    /// The least rate of the row at y.
    std::uint32_t least(int y) const {
        if (lambda_q8_ == 0) return 0;
        return rate_of(least_bits_ + component_bits(y - predictor_y_, rate_unit_), lambda_q8_);
    }

  private:
    static constexpr std::size_t most_bits = 2 * 17 + 2;
    std::uint32_t lambda_q8_;
    int rate_unit_;
    int predictor_y_ = 0, first_difference_ = 0, step_x_ = 0, count_ = 0, least_bits_ = 0;
    std::vector<int> bits_;
    std::vector<std::uint32_t> rows_[most_bits];
};

} // namespace tandem
