// SPDX-License-Identifier: BSD-2-Clause
#include <immintrin.h>

#include "me/simd_variants.h"

namespace tandem {

namespace {

__m512i load(const std::uint16_t* p) { return _mm512_loadu_si512(p); }
__m512i splat(std::uint32_t value) { return _mm512_set1_epi16(static_cast<short>(value)); }

__mmask32 first_of_32(int n) { return n >= 32 ? ~__mmask32{0} : (__mmask32{1} << n) - 1; }

/// Which of 32 positions from `first` on have their cells within the limit.
__mmask32 within(const CellRow* cells, int cell_count, int first, __m512i limit) {
    __m512i sum = _mm512_setzero_si512();
    for (int c = 0; c < cell_count; ++c) {
        const __m512i there = load(cells[c].sums + first), here = splat(cells[c].value);
        const __m512i distance = _mm512_sub_epi16(_mm512_max_epu16(there, here), _mm512_min_epu16(there, here));
        sum = _mm512_adds_epu16(sum, distance);
    }
    return _mm512_cmple_epu16_mask(sum, limit);
}

} // namespace

void slide_columns_avx512(const std::uint8_t* entering, const std::uint8_t* leaving, int count,
                          std::uint16_t* columns) {
    for (int i = 0; i < count; i += 32) {
        const __mmask32 lanes = first_of_32(count - i);
        const __m512i change = _mm512_sub_epi16(_mm512_cvtepu8_epi16(_mm256_maskz_loadu_epi8(lanes, entering + i)),
                                                _mm512_cvtepu8_epi16(_mm256_maskz_loadu_epi8(lanes, leaving + i)));
        _mm512_mask_storeu_epi16(columns + i, lanes,
                                 _mm512_add_epi16(_mm512_maskz_loadu_epi16(lanes, columns + i), change));
    }
}

void add_shifted_avx512(const std::uint16_t* from, int shift, int count, std::uint16_t* to) {
    for (int i = 0; i < count; i += 32) {
        const __mmask32 lanes = first_of_32(count - i);
        _mm512_mask_storeu_epi16(to + i, lanes,
                                 _mm512_add_epi16(_mm512_maskz_loadu_epi16(lanes, from + i),
                                                  _mm512_maskz_loadu_epi16(lanes, from + i + shift)));
    }
}

int survivors_avx512(const CellRow* coarse, int coarse_cells, const CellRow* fine, int fine_cells, int count,
                     std::uint32_t limit, std::uint16_t* found) {
    // One cell is within the limit where its sum lies in an interval: one subtraction and one comparison.
    const std::uint32_t low = coarse[0].value > limit ? coarse[0].value - limit : 0;
    const std::uint32_t high = coarse[0].value + limit < 65535 ? coarse[0].value + limit : 65535;
    const __m512i from = splat(low), width = splat(high - low), most = splat(limit);
    int n = 0;
    for (int i = 0; i < count; i += 32) {
        __mmask32 mask = coarse_cells == 1
                             ? _mm512_cmple_epu16_mask(_mm512_sub_epi16(load(coarse[0].sums + i), from), width)
                             : within(coarse, coarse_cells, i, most);
        mask &= first_of_32(count - i);
        if (mask != 0 && fine_cells > 0) mask &= within(fine, fine_cells, i, most);
        for (; mask != 0; mask &= mask - 1)
            found[n++] = static_cast<std::uint16_t>(i + static_cast<int>(_tzcnt_u32(mask)));
    }
    return n;
}

} // namespace tandem
