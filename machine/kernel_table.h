// SPDX-License-Identifier: BSD-2-Clause
// A table of kernels has a row for each SIMD level that this build contains and that gains something, lowest first; a
// row has its `level`. Which of them run here, and which one is in force.
//
//     const std::array table{&scalar_kernels, &avx2_kernels};
//     row_in_force(table).sum(samples, count);
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "machine/simd_level.h"

namespace tandem {

template <class Kernels, std::size_t count>
std::span<const Kernels* const> rows_up_to(SimdLevel level, const std::array<const Kernels*, count>& table) {
    std::size_t rows = count; // From the last one back: mostly it is that one.
    while (table[rows - 1]->level > level)
        --rows;
    return {table.data(), rows};
}

/// Those that this machine runs.
template <class Kernels, std::size_t count>
std::span<const Kernels* const> runnable_rows(const std::array<const Kernels*, count>& table) {
    return rows_up_to(best_simd_level(), table);
}

/// The highest one that the level in force allows.
template <class Kernels, std::size_t count>
const Kernels& row_in_force(const std::array<const Kernels*, count>& table) {
    return *rows_up_to(simd_level(), table).back();
}

} // namespace tandem
