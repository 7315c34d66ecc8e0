// SPDX-License-Identifier: BSD-2-Clause
// The arithmetic of coding/mpeg/kernels/transform.h, a coefficient at a time.
#pragma once

#include <bit>
#include <cstdint>

#include "coding/mpeg/kernels/transform.h"
#include "cuda/coding/coding_task.h"

namespace tandem::cuda {

TANDEM_HOST_DEVICE inline int clamped(int value, int least, int most) {
    return value < least ? least : value > most ? most : value;
}
TANDEM_HOST_DEVICE inline int magnitude_of(int value) { return value < 0 ? -value : value; }

/// Four values that lie together, which a thread reads or writes at once.
template <class Value> struct alignas(4 * sizeof(Value)) Four { Value value[4]; };
/// Number i of these among values that are aligned as they are.
template <class Value> TANDEM_HOST_DEVICE Four<Value>& four_of(Value* values, int i) {
    return reinterpret_cast<Four<Value>*>(values)[i];
}

/// A row of one of the transform's matrices, in registers.
struct TransformRow {
    std::int16_t factor[8];
    TANDEM_HOST_DEVICE explicit TransformRow(const std::int16_t (&row)[8]) {
        for (int i = 0; i < 8; ++i)
            factor[i] = row[i];
    }
    /// An output of the first pass (shift 10) or the second (17), of 8 values `step` apart.
    TANDEM_HOST_DEVICE std::int16_t of(const std::int16_t* values, int step, int shift) const {
        int sum = 1 << (shift - 1);
        for (int i = 0; i < 8; ++i)
            sum += values[i * step] * factor[i];
        return static_cast<std::int16_t>(clamped(sum >> shift, -32768, 32767));
    }
};

/// The magnitude of a coefficient's level (i in raster order).
TANDEM_HOST_DEVICE inline int quantised(int coefficient, const Quantiser& quantiser, int i) {
    const int doubled = 2 * magnitude_of(coefficient) + quantiser.bias[i];
    const auto sum = static_cast<std::uint32_t>(doubled < 65535 ? doubled : 65535);
    const int level = static_cast<int>(((sum * quantiser.reciprocal[i]) >> 16) >> quantiser.shift[i]);
    return level < quantiser.level_limit[i] ? level : quantiser.level_limit[i];
}

TANDEM_HOST_DEVICE inline int quantised_dc(int coefficient, const Quantiser& quantiser) {
    const int step = coefficient_scale * quantiser.dc_multiplier;
    return clamped((coefficient + step / 2) / step, 0, 2048 / quantiser.dc_multiplier - 1);
}

/// What a level is rebuilt as, but for intra DC and mismatch control.
TANDEM_HOST_DEVICE inline int rebuilt(int level, const Quantiser& quantiser, int weight) {
    if (level == 0) return 0;
    int magnitude = ((2 * magnitude_of(level) + (quantiser.intra ? 0 : 1)) * weight) >> 5;
    if (quantiser.mpeg1 && magnitude % 2 == 0 && magnitude > 0) --magnitude;
    return clamped(level < 0 ? -magnitude : magnitude, -2048, 2047);
}

/// What a level's magnitude adds to the squared error of 0, in squared eighths.
TANDEM_HOST_DEVICE inline int added_error(int coefficient, int level, const Quantiser& quantiser, int weight) {
    const int value = coefficient_scale * rebuilt(coefficient < 0 ? -level : level, quantiser, weight);
    return value * (value - 2 * coefficient);
}

/// A product that is rounded by itself: never part of a fused operation.
TANDEM_HOST_DEVICE inline float product(float a, float b) {
#ifdef __CUDA_ARCH__
    return __fmul_rn(a, b);
#else
    return a * b;
#endif
}

/// The inverse of Arai, Agui and Nakajima on 8 values `step` apart. The order of operations is that of the scalar
/// kernel.
TANDEM_HOST_DEVICE inline void inverse_pass(float* data, int step) {
    constexpr float root = 1.4142135624f, rotation_both = 1.8477590650f, rotation_fewer = 1.0823922003f,
                    rotation_further = 2.6131259298f;
    const float sum_04 = data[0] + data[4 * step], difference_04 = data[0] - data[4 * step];
    const float sum_26 = data[2 * step] + data[6 * step];
    const float turned_26 = product(data[2 * step] - data[6 * step], root) - sum_26;
    const float even_0 = sum_04 + sum_26, even_1 = difference_04 + turned_26, even_2 = difference_04 - turned_26,
                even_3 = sum_04 - sum_26;
    const float sum_53 = data[5 * step] + data[3 * step], difference_53 = data[5 * step] - data[3 * step];
    const float sum_17 = data[step] + data[7 * step], difference_17 = data[step] - data[7 * step];
    const float both = product(difference_53 + difference_17, rotation_both);
    const float odd_0 = sum_17 + sum_53;
    const float odd_1 = (both - product(difference_53, rotation_further)) - odd_0;
    const float odd_2 = product(sum_17 - sum_53, root) - odd_1;
    const float odd_3 = (both - product(difference_17, rotation_fewer)) - odd_2;
    data[0] = even_0 + odd_0;
    data[7 * step] = even_0 - odd_0;
    data[step] = even_1 + odd_1;
    data[6 * step] = even_1 - odd_1;
    data[2 * step] = even_2 + odd_2;
    data[5 * step] = even_2 - odd_2;
    data[3 * step] = even_3 + odd_3;
    data[4 * step] = even_3 - odd_3;
}

/// To the nearest integer, halves to even, for |value| < 2^22, within 16 bits.
TANDEM_HOST_DEVICE inline int nearest_integer(float value) {
    const float moved = value + 12582912.0F;
#ifdef __CUDA_ARCH__
    const int bits = __float_as_int(moved);
#else
    const auto bits = std::bit_cast<std::int32_t>(moved);
#endif
    return clamped(bits - 0x4B400000, -32768, 32767);
}

} // namespace tandem::cuda
