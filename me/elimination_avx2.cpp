// SPDX-License-Identifier: BSD-2-Clause
#include <immintrin.h>

#include "me/simd_variants.h"

namespace tandem {

namespace {

__m256i load(const std::uint16_t* p) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); }
void store(std::uint16_t* p, __m256i v) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), v); }
__m256i load_samples(const std::uint8_t* p) {
    return _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}

__m256i splat(std::uint16_t value) { return _mm256_set1_epi16(static_cast<short>(value)); }

/// Two equal bits for each of the 16 positions from `first` on: are their cells within the limit?
unsigned within(const BlockCells& level, std::ptrdiff_t first, __m256i limit) {
    __m256i sum = _mm256_setzero_si256();
    for (int c = 0; c < level.count; ++c) {
        const __m256i there = load(level.cells[c].sums + first), here = splat(level.cells[c].value);
        const __m256i distance = _mm256_or_si256(_mm256_subs_epu16(there, here), _mm256_subs_epu16(here, there));
        sum = _mm256_adds_epu16(sum, distance);
    }
    return static_cast<unsigned>(_mm256_movemask_epi8(_mm256_cmpeq_epi16(_mm256_min_epu16(sum, limit), sum)));
}

} // namespace

void slide_columns_avx2(const std::uint8_t* entering, const std::uint8_t* leaving, int count, std::uint16_t* columns) {
    int i = 0;
    for (; i + 16 <= count; i += 16) {
        const __m256i change = _mm256_sub_epi16(load_samples(entering + i), load_samples(leaving + i));
        store(columns + i, _mm256_add_epi16(load(columns + i), change));
    }
    for (; i < count; ++i)
        columns[i] = static_cast<std::uint16_t>(columns[i] + entering[i] - leaving[i]);
}

void add_shifted_avx2(const std::uint16_t* from, int shift, int count, std::uint16_t* to) {
    int i = 0;
    for (; i + 16 <= count; i += 16)
        store(to + i, _mm256_add_epi16(load(from + i), load(from + i + shift)));
    for (; i < count; ++i)
        to[i] = static_cast<std::uint16_t>(from[i] + from[i + shift]);
}

int survivors_avx2(const BlockCells& coarse, const BlockCells& fine, int columns, int rows, const std::int32_t* limits,
                   Position* found) {
    int n = 0;
    for (int row = 0; row < rows; ++row) {
        if (limits[row] < 0) continue;
        const __m256i limit = splat(static_cast<std::uint16_t>(limits[row]));
        for (int i = 0; i < columns; i += 16) {
            unsigned mask = within(coarse, row * coarse.stride + i, limit) & 0x55555555u;
            if (columns - i < 16) mask &= (1u << (2 * (columns - i))) - 1;
            if (mask != 0 && fine.count > 0) mask &= within(fine, row * fine.stride + i, limit);
            for (; mask != 0; mask &= mask - 1) {
                const int column = i + static_cast<int>(_tzcnt_u32(mask) / 2);
                found[n++] = {static_cast<std::uint16_t>(column), static_cast<std::uint16_t>(row)};
            }
        }
    }
    return n;
}

} // namespace tandem
