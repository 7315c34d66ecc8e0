// SPDX-License-Identifier: BSD-2-Clause
// How many bits a syntax element takes: for decisions that weigh rate. Exact, and the same tables the writers use.
#pragma once

#include <cstdint>

#include "bitstream/picture_code.h"

namespace tandem {

/// Bits of one component's motion_code and residual; `difference` in half-pels (before wrapping), f_code 1..9.
int motion_component_bits(int difference, int f_code);

/// Bits of macroblock_type (tables B-2 to B-4) for flags without mb_skipped and without macroblock_quant;
/// `coded`: coded_block_pattern is not 0 (intra: ignored).
int macroblock_type_bits(PictureType type, std::uint8_t flags, bool coded);

/// Bits of coded_block_pattern (table B-9), pattern 1..63.
int coded_block_pattern_bits(int pattern);

enum class CoefficientTable : std::uint8_t { b14_first, b14, b15 };

/// Bits of one run/level with its sign (or its escape; `mpeg1_escape` for 11172-2's two lengths).
int coefficient_bits(CoefficientTable table, int run, int level, bool mpeg1_escape);

/// Bits of dct_dc_size and dct_dc_differential (tables B-12, B-13).
int dc_bits(int difference, bool chroma);

inline constexpr int end_of_block_bits_b14 = 2;
inline constexpr int end_of_block_bits_b15 = 4;

/// The smallest f_code whose range holds a vector component of `half_pels` (13818-2 table 7-8): 1..9.
int f_code_for(int half_pels);

} // namespace tandem
