// SPDX-License-Identifier: BSD-2-Clause
#include "coding/mpeg/quantiser/quantiser_ladder.h"

#include <algorithm>
#include <cmath>

#include "coding/mpeg/quantiser/trellis.h"

namespace tandem {

namespace {

/// Whether the largest coefficients of differences of -255..255 have levels beyond the limit: MPEG-1's 255 at
/// quantisers 1 to 3.
bool may_cut_levels(const Quantisers& quantisers) {
    constexpr int largest = 16 * 8 * 255; // In sixteenths, as quantisers divide them.
    for (std::size_t i = 0; i < 64; ++i) {
        const bool intra_dc = i == 0;
        if (largest > quantisers.inter.largest_level * quantisers.inter.weight[i]) return true;
        if (!intra_dc && largest > quantisers.intra.largest_level * quantisers.intra.weight[i]) return true;
    }
    return false;
}

Quantisers quantisers_of(const MpegTools& tools, int code) {
    const bool mpeg1 = tools.codec == Codec::mpeg1;
    const int scale = quantiser_scale(code, tools.non_linear_quantiser);
    const auto quantiser = [&](const QuantiserMatrix& matrix, bool intra, int trellis_rounding, int deadzone) {
        const int rounding = tools.trellis ? trellis_rounding : 32 - deadzone;
        return make_quantiser(matrix, scale, intra, mpeg1, tools.intra_dc_precision, rounding);
    };
    return {code, squared_error_lambda_q6(scale),
            quantiser(tools.intra_matrix, true, trellis_rounding_intra, tools.deadzone_intra),
            quantiser(tools.non_intra_matrix, false, trellis_rounding_inter, tools.deadzone_inter)};
}

} // namespace

// A uniform quantiser of step 2q is at its best where a bit is worth about 0.85 q^2 of squared error (Sullivan and
// Wiegand 1998), and the root of that in absolute differences. Vectors of noise are dear further on, intra blocks' DC
// is not weighed: measured on real clips, somewhat less is best.
std::uint32_t sad_lambda_q8(int scale) { return static_cast<std::uint32_t>(std::lround(256 * 0.35 * scale)); }

std::uint32_t squared_error_lambda_q6(int scale) {
    return static_cast<std::uint32_t>(std::lround(64 * 0.2 * scale * scale));
}

std::vector<Quantisers> quantiser_ladder(const MpegTools& tools, std::span<const std::uint8_t> codes) {
    const auto [least, most] = std::ranges::minmax(codes);
    std::vector<Quantisers> ladder;
    for (int code = least; code <= most; ++code)
        ladder.push_back(quantisers_of(tools, code));
    while (may_cut_levels(ladder.back()) && ladder.back().code < 31)
        ladder.push_back(quantisers_of(tools, ladder.back().code + 1));
    return ladder;
}

} // namespace tandem
