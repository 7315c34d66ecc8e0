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
    static constexpr int most_in_a_row = (2 * 4080 + 1 + 62) / 32; ///< For the largest range there is.
    Group groups[enough + most_in_a_row + 1];
    int count = 0;
    void add(int column, int row, __mmask32 lanes) {
        groups[count] = {column, row, lanes};
        count += lanes != 0;
    }
};

/// A word of 32 bits everywhere: one load without a permutation.
__m512i four_bytes(const void* p) {
    int word;
    __builtin_memcpy(&word, p, sizeof word);
    return _mm512_set1_epi32(word);
}

/// Which of 32 positions from `first` on have their cells within the limit.
__mmask32 within(const BlockCells& level, std::ptrdiff_t first, __m512i limit) {
    __m512i sum = _mm512_setzero_si512();
    for (int c = 0; c < level.count; ++c) {
        const __m512i difference =
            _mm512_sub_epi16(load(level.cells[c].sums + first), four_bytes(level.cells[c].value));
        sum = _mm512_adds_epu16(sum, _mm512_abs_epi16(difference));
    }
    return _mm512_cmple_epu16_mask(sum, limit);
}

/// Narrows the list by the sums, writes what is left to `found`, and empties it; how many.
int finish(const BlockCells& cells, const std::int32_t* limits, GroupList& list, Position* found) {
    const int count = list.count;
    list.count = 0;
    for (int i = 0; i < count; ++i) {
        const Group group = list.groups[i];
        const __m512i limit = splat(static_cast<std::uint32_t>(limits[group.row]));
        list.add(group.column, group.row,
                 group.lanes & within(cells, cells.first + group.row * cells.stride + group.column, limit));
    }
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

void add_row(int columns, int row, GroupList& list) {
    for (int i = 0; i < columns; i += 32)
        list.add(i, row, first_of_32(columns - i));
}

/// The groups whose lanes are in the order of a chunk get them in the order of columns, and lose those outside.
void order_lanes(int columns, GroupList& list) {
    const int count = list.count;
    list.count = 0;
    for (int i = 0; i < count; ++i) {
        const Group group = list.groups[i];
        std::uint32_t lanes = _pdep_u32(group.lanes, 0x11111111) | _pdep_u32(group.lanes >> 8, 0x22222222) |
                              _pdep_u32(group.lanes >> 16, 0x44444444) | _pdep_u32(group.lanes >> 24, 0x88888888);
        if (group.column < 0) lanes &= ~std::uint32_t{0} << -group.column;
        if (columns - group.column < 32) lanes &= first_of_32(columns - group.column);
        list.add(group.column, group.row, lanes);
    }
}

/// vdbpsadbw compares four means with those of eight positions in each lane: words 0 1 1 2 of a lane stand under the
/// positions from its byte 0 on, words 1 2 2 3 under those from byte 4 on.
constexpr int from_byte_0 = 0x94;
constexpr int from_byte_4 = 0xE9;

/// A row of positions of a block of 16x16.
void add_means_of_16x16(const CellMeans& means, const __m512i* values, int columns, int row, __m512i limit,
                        GroupList& list) {
    const std::uint8_t* p = means.plane + row * means.stride;
    for (int column = -means.first; column < columns; column += positions_per_chunk, p += bytes_per_chunk) {
        const auto at = [&](int y) { return _mm512_loadu_si512(p + 4 * y * means.stride); };
        const __m512i sum = _mm512_add_epi16(_mm512_add_epi16(_mm512_dbsad_epu8(values[0], at(0), from_byte_0),
                                                              _mm512_dbsad_epu8(values[1], at(1), from_byte_0)),
                                             _mm512_add_epi16(_mm512_dbsad_epu8(values[2], at(2), from_byte_0),
                                                              _mm512_dbsad_epu8(values[3], at(3), from_byte_0)));
        list.add(column, row, _mm512_cmple_epu16_mask(sum, limit));
    }
}

void add_means(const CellMeans& means, int columns, int row, __m512i limit, GroupList& list) {
    const std::uint8_t* p = means.plane + row * means.stride;
    for (int column = -means.first; column < columns; column += positions_per_chunk, p += bytes_per_chunk) {
        const std::uint8_t* values = means.values;
        __m512i sum = _mm512_setzero_si512();
        for (int y = 0; y < means.rows; ++y) {
            for (int x = 0; x < means.fours; ++x, values += 4) {
                const __m512i chunk = _mm512_loadu_si512(p + 4 * y * means.stride + x / 2 * bytes_per_chunk);
                const __m512i four = four_bytes(values);
                sum = _mm512_add_epi16(sum, x % 2 == 0 ? _mm512_dbsad_epu8(four, chunk, from_byte_0)
                                                       : _mm512_dbsad_epu8(four, chunk, from_byte_4));
            }
        }
        list.add(column, row, _mm512_cmple_epu16_mask(sum, limit));
    }
}

/// Elimination by means, then by sums.
int survivors_by_means(const CellMeans& means, const BlockCells& cells, int columns, int rows,
                       const std::int32_t* limits, Position* found) {
    GroupList list;
    int n = 0;
    const bool is_16x16 = means.fours == 1 && means.rows == 4;
    __m512i values[4] = {};
    for (int y = 0; y < 4 && is_16x16; ++y)
        values[y] = four_bytes(means.values + 4 * y);
    const auto clear = [&] {
        order_lanes(columns, list);
        n += finish(cells, limits, list, found + n);
    };
    for (int row = 0; row < rows; ++row) {
        if (limits[row] < 0) continue;
        const __m512i limit = splat(static_cast<std::uint32_t>((limits[row] + means.slack) / 16));
        if (is_16x16)
            add_means_of_16x16(means, values, columns, row, limit, list);
        else
            add_means(means, columns, row, limit, list);
        if (list.count >= GroupList::enough) clear();
    }
    clear();
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

void pack_means_avx512(const std::uint16_t* sums, int chunks, std::uint8_t* means) {
    const __m512i phases = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
    const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    for (int i = 0; i < chunks; ++i, sums += positions_per_chunk, means += bytes_per_chunk) {
        const __m256i low = _mm512_cvtepi16_epi8(_mm512_srli_epi16(load(sums), 4));
        const __m256i high = _mm512_cvtepi16_epi8(_mm512_srli_epi16(load(sums + 32), 4));
        const __m512i bytes = _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
        _mm512_storeu_si512(means, _mm512_permutexvar_epi32(order, _mm512_shuffle_epi8(bytes, phases)));
    }
}

int survivors_avx512(const CellMeans& means, const BlockCells& cells, int columns, int rows, const std::int32_t* limits,
                     Position* found) {
    if (means.plane != nullptr) return survivors_by_means(means, cells, columns, rows, limits, found);
    GroupList list;
    int n = 0;
    for (int row = 0; row < rows; ++row) {
        if (limits[row] < 0) continue;
        add_row(columns, row, list);
        if (list.count >= GroupList::enough) n += finish(cells, limits, list, found + n);
    }
    return n + finish(cells, limits, list, found + n);
}

} // namespace tandem
