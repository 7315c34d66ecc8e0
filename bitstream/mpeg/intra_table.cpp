// SPDX-License-Identifier: BSD-2-Clause
#include "bitstream/mpeg/intra_table.h"

#include <bit>
#include <cstdlib>

namespace tandem {

namespace {

using code_length_tables::coefficient, code_length_tables::level_count;

/// By how many bits B-15 is longer for a coefficient; longer escapes are the same in both.
int longer_by_b15(std::size_t run, int level) {
    const auto magnitude = static_cast<std::size_t>(std::abs(level));
    if (magnitude >= level_count) return 0;
    constexpr std::size_t mpeg2 = 0;
    return coefficient[static_cast<std::size_t>(CoefficientTable::b15)][mpeg2][run][magnitude] -
           coefficient[static_cast<std::size_t>(CoefficientTable::b14)][mpeg2][run][magnitude];
}

int block_longer_by_b15(std::uint64_t nonzero, const std::int16_t* levels) {
    int bits = end_of_block_bits_b15 - end_of_block_bits_b14;
    std::size_t before = 0; // DC has a code of its own.
    for (std::uint64_t mask = nonzero & ~std::uint64_t{1}; mask != 0; mask &= mask - 1) {
        const auto position = static_cast<std::size_t>(std::countr_zero(mask));
        bits += longer_by_b15(position - before - 1, levels[position]);
        before = position;
    }
    return bits;
}

} // namespace

CoefficientTable shorter_intra_table(const MpegPicture& picture) {
    std::int64_t longer = 0;
    for (std::size_t i = 0; i < picture.flags.size(); ++i) {
        if ((picture.flags[i] & mb_intra) == 0) continue;
        for (std::size_t block = i * 6; block < i * 6 + 6; ++block)
            longer += block_longer_by_b15(picture.nonzero[block], &picture.levels[block * 64]);
    }
    return longer < 0 ? CoefficientTable::b15 : CoefficientTable::b14;
}

} // namespace tandem
