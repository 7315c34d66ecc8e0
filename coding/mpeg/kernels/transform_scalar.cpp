// SPDX-License-Identifier: BSD-2-Clause
// The arithmetic of a block in plain C++: what the other levels must equal bit for bit. Built without contraction of
// floating-point expressions (see cmake/rooms.cmake): a fused multiply-add would round differently.
#include <algorithm>
#include <bit>
#include <cstdlib>

#include "coding/mpeg/kernels/transform.h"
#include "coding/mpeg/kernels/transform_tables.h"
#include "coding/mpeg/kernels/transform_variants.h"

namespace tandem {

namespace {

std::uint32_t difference(const std::uint8_t* a, std::ptrdiff_t a_stride, const std::uint8_t* b, std::ptrdiff_t b_stride,
                         Block& out) {
    std::uint32_t energy = 0;
    for (int y = 0; y < 8; ++y, a += a_stride, b += b_stride) {
        for (int x = 0; x < 8; ++x) {
            const int value = a[x] - b[x];
            out.value[8 * y + x] = static_cast<std::int16_t>(value);
            energy += static_cast<std::uint32_t>(value * value);
        }
    }
    return energy;
}

void difference_of_two(const std::uint8_t* a, std::ptrdiff_t a_stride, const std::uint8_t* b, std::ptrdiff_t b_stride,
                       Block* out, std::uint32_t* energies) {
    energies[0] = difference(a, a_stride, b, b_stride, out[0]);
    energies[1] = difference(a + 8, a_stride, b + 8, b_stride, out[1]);
}

std::uint32_t largest_part(const Block& values) {
    std::uint32_t parts[2][2] = {}; // [antisymmetric down][antisymmetric across]
    for (int y = 0; y < 4; ++y) {
        for (int x = 0; x < 4; ++x) {
            for (int part = 0; part < 4; ++part) {
                const int across = part % 2 == 0 ? 1 : -1, down = part / 2 == 0 ? 1 : -1;
                const int above = values.value[8 * y + x] + across * values.value[8 * y + 7 - x];
                const int below = values.value[8 * (7 - y) + x] + across * values.value[8 * (7 - y) + 7 - x];
                const int folded = above + down * below;
                parts[part / 2][part % 2] += static_cast<std::uint32_t>(folded * folded);
            }
        }
    }
    return std::max({parts[0][0], parts[0][1], parts[1][0], parts[1][1]});
}

void widen(const std::uint8_t* a, std::ptrdiff_t a_stride, Block& out) {
    for (int y = 0; y < 8; ++y, a += a_stride) {
        for (int x = 0; x < 8; ++x)
            out.value[8 * y + x] = a[x];
    }
}

std::int16_t saturate(int value) { return static_cast<std::int16_t>(std::clamp(value, -32768, 32767)); }

void forward_dct(const Block& values, Block& coefficients) {
    Block columns;
    for (int v = 0; v < 8; ++v) {
        for (int x = 0; x < 8; ++x) {
            int sum = 1 << (forward_columns_shift - 1);
            for (int y = 0; y < 8; ++y)
                sum += values.value[8 * y + x] * forward_columns[v][y];
            columns.value[8 * v + x] = saturate(sum >> forward_columns_shift);
        }
    }
    for (int v = 0; v < 8; ++v) {
        for (int u = 0; u < 8; ++u) {
            int sum = 1 << (forward_rows_shift - 1);
            for (int x = 0; x < 8; ++x)
                sum += columns.value[8 * v + x] * forward_rows[x / 2][u][x % 2];
            coefficients.value[8 * v + u] = saturate(sum >> forward_rows_shift);
        }
    }
}

/// The inverse of Arai, Agui and Nakajima on 8 values `step` apart, scaled beforehand by inverse_scale.
/// The order of operations is part of the definition.
void inverse_pass(float* data, int step) {
    const auto at = [&](int k) -> float& { return data[k * step]; };
    const float sum_04 = at(0) + at(4);
    const float difference_04 = at(0) - at(4);
    const float sum_26 = at(2) + at(6);
    const float turned_26 = (at(2) - at(6)) * sqrt_2 - sum_26;
    const float even[4] = {sum_04 + sum_26, difference_04 + turned_26, difference_04 - turned_26, sum_04 - sum_26};

    const float sum_53 = at(5) + at(3);
    const float difference_53 = at(5) - at(3);
    const float sum_17 = at(1) + at(7);
    const float difference_17 = at(1) - at(7);
    const float both = (difference_53 + difference_17) * rotation_sum;
    const float odd_0 = sum_17 + sum_53;
    const float odd_1 = (both - difference_53 * rotation_more) - odd_0;
    const float odd_2 = (sum_17 - sum_53) * sqrt_2 - odd_1;
    const float odd_3 = (both - difference_17 * rotation_less) - odd_2;

    at(0) = even[0] + odd_0;
    at(7) = even[0] - odd_0;
    at(1) = even[1] + odd_1;
    at(6) = even[1] - odd_1;
    at(2) = even[2] + odd_2;
    at(5) = even[2] - odd_2;
    at(3) = even[3] + odd_3;
    at(4) = even[3] - odd_3;
}

/// To the nearest integer, halves to even, for |value| < 2^22: adding 1.5 * 2^23 leaves the integer in the mantissa.
int nearest(float value) { return std::bit_cast<std::int32_t>(value + 12582912.0F) - 0x4B400000; }

void inverse_dct(const Block& coefficients, Block& values) {
    float data[64];
    for (int i = 0; i < 64; ++i)
        data[i] = static_cast<float>(coefficients.value[i]) * inverse_scale[i];
    for (int u = 0; u < 8; ++u)
        inverse_pass(data + u, 8);
    for (int y = 0; y < 8; ++y)
        inverse_pass(data + 8 * y, 1);
    for (int i = 0; i < 64; ++i)
        values.value[i] = saturate(nearest(data[i]));
}

std::int16_t quantised_dc(int coefficient, const Quantiser& quantiser) {
    const int step = coefficient_scale * quantiser.dc_multiplier;
    const int highest = 2048 / quantiser.dc_multiplier - 1;
    return static_cast<std::int16_t>(std::clamp((coefficient + step / 2) / step, 0, highest));
}

std::uint64_t quantise(const Block& coefficients, const Quantiser& quantiser, Block& levels) {
    const int dc = coefficients.value[0];
    for (int i = 0; i < 64; ++i) {
        const int value = coefficients.value[i];
        const auto sum = static_cast<std::uint32_t>(std::min(2 * std::abs(value) + quantiser.bias[i], 65535));
        const int level = static_cast<int>(((sum * quantiser.reciprocal[i]) >> 16) >> quantiser.shift[i]);
        const int limited = std::min<int>(level, quantiser.level_limit[i]);
        const int sign = value >> 31; // 0 or -1.
        levels.value[i] = static_cast<std::int16_t>((limited ^ sign) - sign);
    }
    std::uint64_t nonzero = 0;
    for (int i = 0; i < 64; ++i)
        nonzero |= static_cast<std::uint64_t>(levels.value[i] != 0) << i;
    if (quantiser.intra) {
        levels.value[0] = quantised_dc(dc, quantiser);
        nonzero &= ~std::uint64_t{1};
    }
    return nonzero;
}

/// 13818-2 clause 7.4.2.3 and 11172-2 clauses 2.4.4.1, 2.4.4.2 (the same in these units), with 11172-2's oddification.
int reconstruct(int level, const Quantiser& quantiser, int weight) {
    if (level == 0) return 0;
    int magnitude = ((2 * std::abs(level) + (quantiser.intra ? 0 : 1)) * weight) >> 5;
    if (quantiser.mpeg1 && magnitude % 2 == 0 && magnitude > 0) --magnitude;
    return std::clamp(level < 0 ? -magnitude : magnitude, -2048, 2047);
}

void dequantise(const Block& levels, const Quantiser& quantiser, Block& coefficients) {
    const int dc = levels.value[0];
    int sum = 0;
    for (int i = 0; i < 64; ++i) {
        int value = reconstruct(levels.value[i], quantiser, quantiser.weight[i]);
        if (i == 0 && quantiser.intra) value = std::clamp(dc * quantiser.dc_multiplier, -2048, 2047);
        coefficients.value[i] = static_cast<std::int16_t>(value);
        sum += value;
    }
    // Mismatch control, 13818-2 clause 7.4.4: an even sum changes the lowest bit of the last coefficient.
    if (!quantiser.mpeg1 && sum % 2 == 0) {
        coefficients.value[63] = static_cast<std::int16_t>(coefficients.value[63] ^ 1);
    }
}

std::uint8_t clamp_sample(int value) { return static_cast<std::uint8_t>(std::clamp(value, 0, 255)); }

void add_clamped(const std::uint8_t* prediction, std::ptrdiff_t prediction_stride, const Block& values,
                 std::uint8_t* out, std::ptrdiff_t out_stride) {
    for (int y = 0; y < 8; ++y, prediction += prediction_stride, out += out_stride) {
        for (int x = 0; x < 8; ++x)
            out[x] = clamp_sample(prediction[x] + values.value[8 * y + x]);
    }
}

void store_clamped(const Block& values, std::uint8_t* out, std::ptrdiff_t out_stride) {
    for (int y = 0; y < 8; ++y, out += out_stride) {
        for (int x = 0; x < 8; ++x)
            out[x] = clamp_sample(values.value[8 * y + x]);
    }
}

void sums(const std::uint8_t* samples, std::ptrdiff_t stride, std::uint32_t& sum, std::uint32_t& sum_of_squares) {
    std::uint32_t total = 0, squares = 0; // Not the arguments: writing those might change the samples.
    for (int y = 0; y < 16; ++y, samples += stride) {
        for (int x = 0; x < 16; ++x) {
            const std::uint32_t sample = samples[x];
            total += sample;
            squares += sample * sample;
        }
    }
    sum = total;
    sum_of_squares = squares;
}

std::uint32_t sum_abs_from(const std::uint8_t* samples, std::ptrdiff_t stride, int value) {
    std::uint32_t sum = 0;
    for (int y = 0; y < 16; ++y, samples += stride) {
        for (int x = 0; x < 16; ++x)
            sum += static_cast<std::uint32_t>(std::abs(samples[x] - value));
    }
    return sum;
}

/// What a level adds to the squared error of 0: (c - r)^2 - c^2.
int added_error(int coefficient, int level, const Quantiser& quantiser, int weight) {
    const int rebuilt = coefficient_scale * reconstruct(coefficient < 0 ? -level : level, quantiser, weight);
    return rebuilt * (rebuilt - 2 * coefficient);
}

void weigh_levels(const Quantiser& quantiser, int count, LevelChoices& choices) {
    for (int i = 0; i < count; ++i) {
        const auto cost = [&, i](int level) {
            return added_error(choices.coefficient[i], level, quantiser, choices.weight[i]);
        };
        int& level = choices.level[i];
        if (level > 1 && cost(level - 1) <= cost(level)) --level;
        choices.level_cost[i] = cost(level);
        choices.below_cost[i] = level == 1 ? INT32_MAX : cost(level - 1);
    }
}

} // namespace

std::uint64_t scan_levels_scalar(const Block& levels, std::uint64_t nonzero, bool alternate, std::int16_t* scanned) {
    const std::array<std::uint8_t, 64>& positions = scan_positions(alternate);
    std::uint64_t mask = 0;
    for (; nonzero != 0; nonzero &= nonzero - 1) {
        const auto raster = static_cast<std::size_t>(std::countr_zero(nonzero));
        scanned[positions[raster]] = levels.value[raster];
        mask |= std::uint64_t{1} << positions[raster];
    }
    return mask;
}

const TransformKernels scalar_transform_kernels = {
    SimdLevel::scalar,  difference, difference_of_two, largest_part,  widen, forward_dct,  inverse_dct,  quantise,
    scan_levels_scalar, dequantise, add_clamped,       store_clamped, sums,  sum_abs_from, weigh_levels,
};

} // namespace tandem
