// SPDX-License-Identifier: BSD-2-Clause
// The rates of cost.h by a table.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "me/cost.h"

namespace tandem {

/// rate_of() by bits of a vector, divided by 2^shift, for who asks often.
class Rates {
  public:
    explicit Rates(std::uint32_t lambda_q8, int shift = 0) {
        for (std::size_t bits = 0; bits < rates_.size(); ++bits)
            rates_[bits] = rate_of(static_cast<int>(bits), lambda_q8) >> shift;
    }
    std::uint32_t of(int bits) const { return rates_[static_cast<std::size_t>(bits)]; }
    /// Of the predictor itself: no vector costs less.
    std::uint32_t least() const { return of(2 * component_bits(0, 1)); }

  private:
    static constexpr int most_bits = 2 * component_bits(2 * 65535, 1);
    std::array<std::uint32_t, most_bits + 1> rates_;
};

} // namespace tandem
