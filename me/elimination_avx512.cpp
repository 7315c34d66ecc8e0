// SPDX-License-Identifier: BSD-2-Clause
#include <immintrin.h>

#include "me/simd_variants.h"

namespace tandem {

namespace {

__m512i load(const std::uint16_t* p) { return _mm512_loadu_si512(p); }
__m512i splat(std::uint32_t value) { return _mm512_set1_epi16(static_cast<short>(value)); }

__mmask32 first_of_32(int n) { return n >= 32 ? ~__mmask32{0} : (__mmask32{1} << n) - 1; }

/// Which of 32 positions from `first` on have their cells within the limit.
__mmask32 within(const BlockCells& level, std::ptrdiff_t first, __m512i limit) {
    __m512i sum = _mm512_setzero_si512();
    for (int c = 0; c < level.count; ++c) {
        const __m512i there = load(level.cells[c].sums + first), here = splat(level.cells[c].value);
        const __m512i distance = _mm512_sub_epi16(_mm512_max_epu16(there, here), _mm512_min_epu16(there, here));
        sum = _mm512_adds_epu16(sum, distance);
    }
    return _mm512_cmple_epu16_mask(sum, limit);
}

/// Those of the 32 positions from column `first` on, in `lanes`, that pass the fine level too, written to `found`; how
/// many.
int pass_fine(const BlockCells& fine, int first, int row, __m512i limit, __mmask32 lanes, Position* found) {
    unsigned mask = lanes;
    if (fine.count > 0) mask &= within(fine, row * fine.stride + first, limit);
    int n = 0;
    for (; mask != 0; mask &= mask - 1) {
        const int column = first + static_cast<int>(_tzcnt_u32(mask));
        found[n++] = {static_cast<std::uint16_t>(column), static_cast<std::uint16_t>(row)};
    }
    return n;
}

/// A block that is one coarse cell: its sum must lie in an interval, one subtraction and one comparison for 32
/// positions.
int survivors_of_one_cell(const BlockCells& coarse, const BlockCells& fine, int columns, int rows,
                          const std::int32_t* limits, Position* found) {
    const int value = coarse.cells[0].value;
    int n = 0;
    for (int row = 0; row < rows; ++row) {
        if (limits[row] < 0) continue;
        const std::uint16_t* sums = coarse.cells[0].sums + row * coarse.stride;
        const int low = value > limits[row] ? value - limits[row] : 0;
        const int high = value + limits[row] < 65535 ? value + limits[row] : 65535;
        const __m512i from = splat(static_cast<std::uint32_t>(low));
        const __m512i width = splat(static_cast<std::uint32_t>(high - low));
        const __m512i limit = splat(static_cast<std::uint32_t>(limits[row]));
        int i = 0;
        for (; i + 32 <= columns; i += 32) {
            const __mmask32 lanes = _mm512_cmple_epu16_mask(_mm512_sub_epi16(load(sums + i), from), width);
            if (lanes != 0) n += pass_fine(fine, i, row, limit, lanes, found + n);
        }
        if (i < columns) {
            const __mmask32 lanes =
                _mm512_mask_cmple_epu16_mask(first_of_32(columns - i), _mm512_sub_epi16(load(sums + i), from), width);
            if (lanes != 0) n += pass_fine(fine, i, row, limit, lanes, found + n);
        }
    }
    return n;
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

int survivors_avx512(const BlockCells& coarse, const BlockCells& fine, int columns, int rows,
                     const std::int32_t* limits, Position* found) {
    if (coarse.count == 1) return survivors_of_one_cell(coarse, fine, columns, rows, limits, found);
    int n = 0;
    for (int row = 0; row < rows; ++row) {
        if (limits[row] < 0) continue;
        const __m512i limit = splat(static_cast<std::uint32_t>(limits[row]));
        for (int i = 0; i < columns; i += 32) {
            const __mmask32 lanes = within(coarse, row * coarse.stride + i, limit) & first_of_32(columns - i);
            if (lanes != 0) n += pass_fine(fine, i, row, limit, lanes, found + n);
        }
    }
    return n;
}

} // namespace tandem
