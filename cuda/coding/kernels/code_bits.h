// SPDX-License-Identifier: BSD-2-Clause
// Lengths of codes from the tables on the device: bitstream/mpeg/code_length.h.
#pragma once

#include "cuda/coding/coding_task.h"
#include "me/cost.h"

namespace tandem::cuda {

/// The two f_codes of a direction.
struct FCodes {
    int x, y;
};

TANDEM_HOST_DEVICE inline FCodes f_codes_of(const DirectionTask& direction) {
    return {direction.f_code[0], direction.f_code[1]};
}

TANDEM_HOST_DEVICE inline int component_bits_of(const CodingTables& tables, int difference, int f_code) {
    const int residual_bits = f_code - 1;
    const int half_range = 16 << residual_bits;
    const int wrapped = ((difference + half_range) & (2 * half_range - 1)) - half_range;
    const int code = ((wrapped < 0 ? -wrapped : wrapped) - 1 + (1 << residual_bits)) >> residual_bits;
    return tables.motion_code_bits[code] + (code != 0 ? residual_bits : 0);
}

TANDEM_HOST_DEVICE inline int vector_bits_of(const CodingTables& tables, Mv mv, Mv before, FCodes f_code) {
    return component_bits_of(tables, (mv.x - before.x) / eighths_per_half_pel, f_code.x) +
           component_bits_of(tables, (mv.y - before.y) / eighths_per_half_pel, f_code.y);
}

TANDEM_HOST_DEVICE inline int type_bits_of(const CodingTables& tables, PictureType type, int flags) {
    constexpr int coded = 1;
    return tables.macroblock_type_bits[((static_cast<int>(type) - 1) * 8 + (flags & 7)) * 2 + coded];
}

/// Levels from this magnitude on are escapes that CodingTables::coefficient_bits does not hold.
inline constexpr int levels_with_code = 64;
TANDEM_HOST_DEVICE inline int escape_bits_of(bool mpeg1, int magnitude) {
    return mpeg1 ? (magnitude > 127 ? 28 : 20) : 24;
}

} // namespace tandem::cuda
