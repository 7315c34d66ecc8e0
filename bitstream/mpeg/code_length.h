// SPDX-License-Identifier: BSD-2-Clause
// How many bits a syntax element takes: for decisions that weigh rate. Exact, and from the same tables the writers use.
// Every function is a look-up or two: they are called for each candidate of a decision.
#pragma once

#include <array>
#include <cstdint>

#include "bitstream/mpeg/mpeg_picture.h"

namespace tandem {

enum class CoefficientTable : std::uint8_t { b14, b15 };

inline constexpr int end_of_block_bits_b14 = 2;
inline constexpr int end_of_block_bits_b15 = 4;

namespace code_length_tables {

inline constexpr int level_count = 64;
/// Bits of run and |level| below level_count with sign or escape: [table B-14, B-15][13818-2, 11172-2
/// escapes][run][|level|]. Level 0 has no code: it counts 255, more than any.
extern const std::array<std::array<std::array<std::array<std::uint8_t, level_count>, 64>, 2>, 2> coefficient;
extern const std::array<std::uint8_t, 17> motion_code; ///< By |motion_code|, with its sign.
/// Bits of motion_code and residual by the difference modulo the f_code's range, for one f_code after the other, whose
/// ranges have 32, 64, 128, ... differences.
extern const std::array<std::uint8_t, 32 * 511> motion_component;
extern const std::array<std::uint8_t, 3 * 8 * 2> macroblock_type; ///< ((type - 1) * 8 + flags) * 2 + coded.
/// By coded_block_pattern; 0 for none, which is not written in 4:2:0.
extern const std::array<std::uint8_t, 64> coded_block_pattern;

/// Escapes of levels that the table does not hold: 6 + 6 + 12 bits, 11172-2: 6 + 6 + 8 to 127, then 16.
constexpr int escape_bits(int magnitude, bool mpeg1_escape) { return mpeg1_escape ? (magnitude > 127 ? 28 : 20) : 24; }

} // namespace code_length_tables

/// Bits of one component's motion_code and residual, for one f_code, 1..9.
class MotionComponentBits {
  public:
    explicit MotionComponentBits(int f_code)
        : mask_((32 << (f_code - 1)) - 1),
          bits_(&code_length_tables::motion_component[static_cast<std::size_t>(mask_ + 1 - 32)]) {}
    /// `difference` in half-pels, before wrapping.
    int operator()(int difference) const { return bits_[difference & mask_]; }

  private:
    int mask_;
    const std::uint8_t* bits_;
};

/// Bits of both components of a vector after `before`, in whole half-pels; f_code: horizontal, vertical.
class MotionVectorBits {
  public:
    explicit MotionVectorBits(const std::array<int, 2>& f_code) : x_(f_code[0]), y_(f_code[1]) {}
    int operator()(Mv mv, Mv before) const {
        constexpr int shift = 2; // Of multiples of half pels nothing is left over that it would round.
        static_assert(1 << shift == eighths_per_half_pel);
        return x_((mv.x - before.x) >> shift) + y_((mv.y - before.y) >> shift);
    }

  private:
    MotionComponentBits x_, y_;
};

inline int motion_vector_bits(Mv mv, Mv before, const std::array<int, 2>& f_code) {
    return MotionVectorBits(f_code)(mv, before);
}

/// Bits of macroblock_type (tables B-2 to B-4) for flags without mb_skipped and without macroblock_quant;
/// `coded`: coded_block_pattern is not 0 (intra: ignored). 0 where the type has no code, such as a macroblock of a P
/// picture with neither vector nor coefficients, which can only be skipped.
inline int macroblock_type_bits(PictureType type, std::uint8_t flags, bool coded) {
    const int index = ((static_cast<int>(type) - 1) * 8 + (flags & 7)) * 2 + coded;
    return code_length_tables::macroblock_type[static_cast<std::size_t>(index)];
}

/// The smallest f_code whose range holds a vector component of `half_pels` (13818-2 table 7-8): 1..9.
/// std::invalid_argument beyond -4096..4095.
int f_code_for(int half_pels);

} // namespace tandem
