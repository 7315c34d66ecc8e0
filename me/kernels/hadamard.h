// SPDX-License-Identifier: BSD-2-Clause
// The transform behind Metric::satd, for the CPU's plain loops and for kernels of a GPU.
#pragma once

#include <cstdint>

#include "me/motion.h"

namespace tandem {

/// Four values to their Hadamard transform, in place, `step` apart.
TANDEM_HOST_DEVICE inline void hadamard4(int* values, int step) {
    const int a = values[0] + values[step], b = values[0] - values[step];
    const int c = values[2 * step] + values[3 * step], d = values[2 * step] - values[3 * step];
    values[0] = a + c;
    values[step] = b + d;
    values[2 * step] = a - c;
    values[3 * step] = b - d;
}

/// Half the sum of the absolute transformed differences of 4x4 samples, rounded up. The differences are lost.
TANDEM_HOST_DEVICE inline std::uint32_t satd_of_cell(int (&differences)[16]) {
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (int row = 0; row < 4; ++row)
        hadamard4(differences + 4 * row, 1);
    int sum = 0;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (int column = 0; column < 4; ++column) {
        hadamard4(differences + column, 4);
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
        for (int row = 0; row < 4; ++row) {
            const int value = differences[column + 4 * row];
            sum += value < 0 ? -value : value;
        }
    }
    return static_cast<std::uint32_t>(sum + 1) >> 1;
}

} // namespace tandem
