// SPDX-License-Identifier: BSD-2-Clause
// Which instruction sets a kernel table may pick from.
#pragma once

#include <optional>
#include <string_view>

namespace tandem {

enum class SimdLevel { scalar, avx2, avx512 };

/// The best level this processor runs (avx512 means F, BW, DQ and VL) and this build contains.
SimdLevel best_simd_level();

/// Whether this processor takes several cycles for mpsadbw, so that vpsadbw sums more differences in the same time: all
/// of AMD's, of which Zen 5 was measured.
bool mpsadbw_is_slow();

/// Whether this processor has vpdpbusd for registers of 512 bits (VNNI), as most that have AVX-512 do.
bool has_byte_products();

/// The level in force: the best one unless set_simd_level() chose another.
SimdLevel simd_level();

/// Sets the level in force for the process (the override of `--simd`). Throws InputError when the machine lacks it.
/// Call before any kernel table is used.
void set_simd_level(SimdLevel level);

std::string_view name_of(SimdLevel level);
std::optional<SimdLevel> simd_level_by_name(std::string_view name);

} // namespace tandem
