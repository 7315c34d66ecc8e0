// SPDX-License-Identifier: BSD-2-Clause
// The rules by which a macroblock can get its mode.
#pragma once

#include <cstdint>

namespace tandem {

enum class Decision : std::uint8_t {
    tm5,  ///< Test Model 5: variances and squared errors against fixed factors.
    sm3,  ///< MPEG-1 Simulation Model 3, as in the Berkeley encoder.
    cost, ///< Least SAD + lambda * bits of type and vectors.
    rd,   ///< Least squared error + lambda * bits of the macroblock, coded in each of the likeliest modes.
};

} // namespace tandem
