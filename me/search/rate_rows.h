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

    /// Rows for vectors x = first_x, first_x + 8, ... and y = first_y, first_y + 8, ... (eighth-pels), so many columns
    /// and rows of them, against the predictor.
    void prepare(Mv predictor, int first_x, int columns, int first_y, int rows) {
        const Key key{first_x - predictor.x, columns, first_y - predictor.y, rows};
        if (key == key_) return;
        key_ = key;
        for (std::vector<std::uint32_t>& row : rows_)
            row.clear();
        bits_x_.resize(static_cast<std::size_t>(columns));
        for (int i = 0; i < columns; ++i) {
            bits_x_[static_cast<std::size_t>(i)] = component_bits(key.x + i * eighths_per_pel, rate_unit_);
        }
        const int least_bits = *std::min_element(bits_x_.begin(), bits_x_.end());
        bits_y_.resize(static_cast<std::size_t>(rows));
        least_.resize(static_cast<std::size_t>(rows));
        for (std::size_t i = 0; i < least_.size(); ++i) {
            bits_y_[i] = component_bits(key.y + static_cast<int>(i) * eighths_per_pel, rate_unit_);
            least_[i] = rate_of(least_bits + bits_y_[i], lambda_q8_);
        }
    }

    /// The rates of a row, counted from the first.
    const std::uint32_t* row(int index) {
        const int bits_y = bits_y_[static_cast<std::size_t>(index)];
        std::vector<std::uint32_t>& row = rows_[static_cast<std::size_t>(bits_y)];
        if (row.empty()) {
            row.resize(bits_x_.size());
            for (std::size_t i = 0; i < row.size(); ++i)
                row[i] = rate_of(bits_x_[i] + bits_y, lambda_q8_);
        }
        return row.data();
    }

    /// The least rate of a row.
    std::uint32_t least(int index) const { return least_[static_cast<std::size_t>(index)]; }

  private:
    struct Key {
        int x = 0, columns = 0, y = 0, rows = 0;
        bool operator==(const Key&) const = default;
    };
    static constexpr std::size_t most_bits = 2 * 17 + 2;
    std::uint32_t lambda_q8_;
    int rate_unit_;
    Key key_;
    std::vector<int> bits_x_, bits_y_;
    std::vector<std::uint32_t> least_;
    std::vector<std::uint32_t> rows_[most_bits]; ///< By the bits of y.
};

} // namespace tandem
