// SPDX-License-Identifier: BSD-2-Clause
#include <immintrin.h>

#include "me/simd_variants.h"

namespace tandem {

namespace {

__m512i load(const std::uint16_t* p) { return _mm512_loadu_si512(p); }
__m512i splat(std::uint32_t value) { return _mm512_set1_epi16(static_cast<short>(value)); }

__mmask32 first_of_32(int n) { return n >= 32 ? ~__mmask32{0} : (__mmask32{1} << n) - 1; }

/// 32 positions of a row, from a column on, of which some are still possible.
struct Group {
    int column, row;
    std::uint32_t lanes;
};

/// Groups are collected before they are looked at again, so that no branch depends on a single one.
struct GroupList {
    static constexpr int enough = 64;
    static constexpr int most_in_a_row = (2 * 4080 + 1 + 31) / 32; ///< For the largest range there is.
    Group groups[enough + most_in_a_row + 1];
    int count = 0;
    void add(int column, int row, __mmask32 lanes) {
        groups[count] = {column, row, lanes};
        count += lanes != 0;
    }
};

__m512i distance(__m512i a, __m512i b) { return _mm512_sub_epi16(_mm512_max_epu16(a, b), _mm512_min_epu16(a, b)); }

/// Which of 32 positions from `first` on have their cells within the limit.
__mmask32 within(const BlockCells& level, std::ptrdiff_t first, __m512i limit) {
    __m512i sum = _mm512_setzero_si512();
    for (int c = 0; c < level.count; ++c) {
        sum = _mm512_adds_epu16(sum, distance(load(level.cells[c].sums + first), splat(level.cells[c].value)));
    }
    return _mm512_cmple_epu16_mask(sum, limit);
}

/// Removes from each group of the list what the level excludes.
void narrow(const BlockCells& level, const std::int32_t* limits, GroupList& list) {
    const int count = list.count;
    list.count = 0;
    for (int i = 0; i < count; ++i) {
        const Group group = list.groups[i];
        const __m512i limit = splat(static_cast<std::uint32_t>(limits[group.row]));
        list.add(group.column, group.row, group.lanes & within(level, group.row * level.stride + group.column, limit));
    }
}

/// The same for a level of four cells: 8x8 in 16x16 and 4x4 in 8x8.
void narrow_four(const BlockCells& level, const std::int32_t* limits, GroupList& list) {
    const std::uint16_t *s0 = level.cells[0].sums, *s1 = level.cells[1].sums, *s2 = level.cells[2].sums,
                        *s3 = level.cells[3].sums;
    const __m512i v0 = splat(level.cells[0].value), v1 = splat(level.cells[1].value), v2 = splat(level.cells[2].value),
                  v3 = splat(level.cells[3].value);
    const int count = list.count;
    list.count = 0;
    for (int i = 0; i < count; ++i) {
        const Group group = list.groups[i];
        const std::ptrdiff_t first = group.row * level.stride + group.column;
        const __m512i sum =
            _mm512_adds_epu16(_mm512_adds_epu16(distance(load(s0 + first), v0), distance(load(s1 + first), v1)),
                              _mm512_adds_epu16(distance(load(s2 + first), v2), distance(load(s3 + first), v3)));
        const __m512i limit = splat(static_cast<std::uint32_t>(limits[group.row]));
        list.add(group.column, group.row, group.lanes & _mm512_cmple_epu16_mask(sum, limit));
    }
}

/// Narrows the list by the fine level, writes what is left to `found`, and empties it; how many.
int finish(const BlockCells& fine, const std::int32_t* limits, GroupList& list, Position* found) {
    if (fine.count == 4)
        narrow_four(fine, limits, list);
    else if (fine.count > 0)
        narrow(fine, limits, list);
    int n = 0;
    for (int i = 0; i < list.count; ++i) {
        const Group group = list.groups[i];
        for (std::uint32_t lanes = group.lanes; lanes != 0; lanes &= lanes - 1) {
            const int column = group.column + static_cast<int>(_tzcnt_u32(lanes));
            found[n++] = {static_cast<std::uint16_t>(column), static_cast<std::uint16_t>(group.row)};
        }
    }
    list.count = 0;
    return n;
}

/// One row of a block that is one coarse cell: its sum must lie in an interval, one subtraction and one comparison for
/// 32 positions.
void add_row_of_one_cell(const BlockCells& coarse, int columns, int row, std::int32_t limit, GroupList& list) {
    const std::uint16_t* sums = coarse.cells[0].sums + row * coarse.stride;
    // The block to the right will want what follows; there are too many rows for the processor to foresee that.
    _mm_prefetch(reinterpret_cast<const char*>(sums + columns + 32), _MM_HINT_T0);
    const int value = coarse.cells[0].value;
    const int low = value > limit ? value - limit : 0;
    const int high = value + limit < 65535 ? value + limit : 65535;
    const __m512i from = splat(static_cast<std::uint32_t>(low));
    const __m512i width = splat(static_cast<std::uint32_t>(high - low));
    int i = 0;
    for (; i + 32 <= columns; i += 32) {
        list.add(i, row, _mm512_cmple_epu16_mask(_mm512_sub_epi16(load(sums + i), from), width));
    }
    if (i < columns) {
        list.add(i, row,
                 _mm512_cmple_epu16_mask(_mm512_sub_epi16(load(sums + i), from), width) & first_of_32(columns - i));
    }
}

void add_row(const BlockCells& coarse, int columns, int row, std::int32_t limit, GroupList& list) {
    const __m512i most = splat(static_cast<std::uint32_t>(limit));
    for (int i = 0; i < columns; i += 32) {
        list.add(i, row, within(coarse, row * coarse.stride + i, most) & first_of_32(columns - i));
    }
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
    GroupList list;
    int n = 0;
    for (int row = 0; row < rows; ++row) {
        if (limits[row] < 0) continue;
        if (fine.count > 0) {
            const std::uint16_t* lowest = fine.cells[fine.count - 1].sums + row * fine.stride;
            _mm_prefetch(reinterpret_cast<const char*>(lowest + columns + 32), _MM_HINT_T0);
        }
        if (coarse.count == 1)
            add_row_of_one_cell(coarse, columns, row, limits[row], list);
        else
            add_row(coarse, columns, row, limits[row], list);
        if (list.count >= GroupList::enough) n += finish(fine, limits, list, found + n);
    }
    return n + finish(fine, limits, list, found + n);
}

} // namespace tandem
