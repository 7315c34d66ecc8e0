// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "coding/mpeg/kernels/transform.h"

namespace tandem {

namespace {

/// Table 7-6, q_scale_type 1.
constexpr std::array<std::uint8_t, 32> non_linear_scale{0,  1,  2,  3,  4,  5,  6,  7,  8,   10, 12,
                                                        14, 16, 18, 20, 22, 24, 28, 32, 36,  40, 44,
                                                        48, 52, 56, 64, 72, 80, 88, 96, 104, 112};

struct Reciprocal {
    std::uint32_t multiplier;
    int shift;
};

/// 2^(16 + shift) / divisor, rounded up, in 32768..65535.
Reciprocal reciprocal_of(std::uint32_t divisor) {
    if (divisor == 1) return {65535, 0};
    int shift = 0;
    while ((2U << shift) < divisor)
        ++shift;
    return {((65536U << shift) + divisor - 1) / divisor, shift};
}

/// The largest level that has a code and does not saturate.
std::uint16_t limit_of(const Quantiser& quantiser, std::size_t i) {
    const int level = ((2048 * 32 - 1) / quantiser.weight[i] - (quantiser.intra ? 0 : 1)) / 2;
    return static_cast<std::uint16_t>(std::min<int>(level, quantiser.largest_level));
}

/// No coefficient of an orthonormal transform is larger than the root of the energy. In sixteenths that is 16 * root; 2
/// more cover forward_dct()'s error.
std::uint32_t zero_energy_of(const Quantiser& quantiser) {
    int smallest = INT32_MAX; // The least sum in sixteenths that makes a level of 1.
    for (std::size_t i = 0; i < 64; ++i)
        smallest = std::min(smallest, quantiser.weight[i] - quantiser.bias[i]);
    if (smallest <= 2) return 0;
    const int reach = smallest - 3; // 16 * root + 2 must stay below `smallest`.
    return static_cast<std::uint32_t>(reach * reach / 256);
}

} // namespace

int quantiser_scale(int code, bool non_linear) {
    return non_linear ? non_linear_scale[static_cast<std::size_t>(code)] : 2 * code;
}

Quantiser make_quantiser(const QuantiserMatrix& matrix, int scale, bool intra, bool mpeg1, int intra_dc_precision,
                         int rounding) {
    Quantiser quantiser{};
    for (std::size_t i = 0; i < 64; ++i) {
        const std::uint32_t weight = static_cast<std::uint32_t>(matrix[i]) * static_cast<std::uint32_t>(scale);
        const auto [multiplier, shift] = reciprocal_of(weight);
        quantiser.weight[i] = static_cast<std::uint16_t>(weight);
        quantiser.reciprocal[i] = static_cast<std::uint16_t>(multiplier);
        quantiser.shift[i] = static_cast<std::uint16_t>(shift);
        quantiser.shift_multiplier[i] = static_cast<std::uint16_t>(shift == 0 ? 0 : 65536 >> shift);
        quantiser.bias[i] = static_cast<std::uint16_t>(weight * static_cast<std::uint32_t>(rounding) / 64);
    }
    quantiser.largest_level = mpeg1 ? 255 : 2047;
    quantiser.intra = intra;
    quantiser.mpeg1 = mpeg1;
    quantiser.dc_multiplier = 8 >> (intra_dc_precision - 8);
    for (std::size_t i = 1; i < 64; ++i)
        quantiser.level_limit[i] = limit_of(quantiser, i);
    quantiser.level_limit[0] = static_cast<std::uint16_t>(quantiser.largest_level);
    for (std::size_t i = intra ? 1 : 0; i < 64; ++i) // Intra DC has a step of its own.
        quantiser.vanishes |= rebuilds_nothing(1, quantiser, i);
    quantiser.zero_energy = zero_energy_of(quantiser);
    return quantiser;
}

} // namespace tandem
