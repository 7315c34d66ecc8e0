// SPDX-License-Identifier: BSD-2-Clause
// What both files of rectangles by AVX2 share. For those alone: nothing here has a name outside the file that includes
// it.
#pragma once

#include "me/kernels/avx2.h"
#include "me/kernels/distortion_variants.h"
#include "me/kernels/sad_rectangle.h"

namespace tandem {

namespace {

/// A limit beside sums of 16 bits.
inline __m256i words_of(std::int32_t limit) {
    return _mm256_set1_epi16(static_cast<short>(limit < 65535 ? limit : 65535));
}

/// Sums of tiles at a row of 32 positions.
template <class Tile> struct SumsOfTiles {
    using Word = std::uint32_t;
    static constexpr int positions = 32;
    static_assert(Tile::positions == positions);
    __m256i sums[4] = {};

    void add(const Tile& tile) {
        alignas(32) std::uint16_t words[positions];
        tile.store(words);
        for (int i = 0; i < 4; ++i) {
            const __m128i eight = _mm_load_si128(reinterpret_cast<const __m128i*>(words + 8 * i));
            sums[i] = _mm256_add_epi32(sums[i], _mm256_cvtepu16_epi32(eight));
        }
    }
    std::uint64_t within(std::int32_t limit) const {
        std::uint32_t bad = 0;
        for (int i = 0; i < 4; ++i) {
            const __m256i above = _mm256_cmpgt_epi32(sums[i], _mm256_set1_epi32(limit));
            bad |= static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(above))) << (8 * i);
        }
        return static_cast<std::uint32_t>(~bad);
    }
    void store(Word* words) const {
        for (int i = 0; i < 4; ++i)
            store32(words + 8 * i, sums[i]);
    }
};

/// A block whose sums fit 16 bits.
template <class Sums, class Taker> void measure_narrow_sums(const Rectangle& r, int width, Taker& taker) {
    const int few = width > 4 ? 6 : 0; // Columns that are cheaper one by one.
    int strips = strips_of(r.columns, Sums::positions, few);
    for (int column = strips * Sums::positions; column < r.columns; ++column)
        measure_column<sad_column_avx2>(r, width, column, taker);
    while (--strips >= 0)
        measure_strip<Sums>(r, strips * Sums::positions, taker);
}

} // namespace

} // namespace tandem
