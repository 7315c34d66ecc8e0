// SPDX-License-Identifier: BSD-2-Clause
// The 8x8 DCT of 13818-2 annex A in double precision: what the integer and float kernels are measured against.
#pragma once

#include <array>

namespace tandem {

using RealBlock = std::array<double, 64>; ///< Raster order.

RealBlock real_forward_dct(const RealBlock& values);
RealBlock real_inverse_dct(const RealBlock& coefficients);

} // namespace tandem
