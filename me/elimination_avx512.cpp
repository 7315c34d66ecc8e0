// SPDX-License-Identifier: BSD-2-Clause
#include <immintrin.h>

#include "me/simd_variants.h"

namespace tandem {

namespace {

__m512i load(const std::uint16_t* p) { return _mm512_loadu_si512(p); }
__m512i splat(std::uint32_t value) { return _mm512_set1_epi16(static_cast<short>(value)); }

__mmask32 first_of_32(int n) { return n >= 32 ? ~__mmask32{0} : (__mmask32{1} << n) - 1; }

/// Groups of 32 positions, of which some are still possible. They are collected before they are looked at again, so
/// that no branch depends on a single one.
struct GroupList {
    static constexpr int enough = 256;
    static constexpr int most_in_a_row = (2 * 4080 + 1 + 62) / 32; ///< For the largest range there is.
    static constexpr int most = enough + most_in_a_row;
    struct Group {
        std::uint32_t place; ///< Row and chunk of the rectangle, 16 bits each.
        std::uint32_t lanes;
        int row() const { return static_cast<int>(place >> 16); }
        int chunk() const { return static_cast<int>(place & 65535); }
    };
    Group groups[most + 1];
    int count = 0;
    alignas(64) std::uint16_t bounds[most][32]; ///< Of the fine means, else of the sums, in the order of columns.
};

/// A word of 32 bits everywhere: one load without a permutation.
__m512i four_bytes(const void* p) {
    int word;
    __builtin_memcpy(&word, p, sizeof word);
    return _mm512_set1_epi32(word);
}

/// vdbpsadbw compares four means with those of eight positions in each lane: words 0 1 1 2 of a lane stand under the
/// positions from its byte 0 on, words 1 2 2 3 under those from byte 4 on.
constexpr int from_byte_0 = 0x94;
constexpr int from_byte_4 = 0xE9;

/// sum + the distances of four means in a row, and of the next four where there are.
template <int fours> __m512i add_distances(__m512i sum, const std::uint8_t* values, const std::uint8_t* p) {
    const __m512i chunk = _mm512_loadu_si512(p);
    sum = _mm512_adds_epu16(sum, _mm512_dbsad_epu8(four_bytes(values), chunk, from_byte_0));
    if constexpr (fours > 1)
        sum = _mm512_adds_epu16(sum, _mm512_dbsad_epu8(four_bytes(values + 4), chunk, from_byte_4));
    return sum;
}

/// Sums of the fine means' distances at the positions of a chunk, in its order.
template <int fours> __m512i fine_distances(const CellMeans& means, const std::uint8_t* p) {
    const std::uint8_t* values = means.values;
    const std::ptrdiff_t step = means.side * means.stride;
    __m512i sum = _mm512_setzero_si512();
    for (int y = 0; y < means.rows; ++y, p += step, values += 4 * fours)
        sum = add_distances<fours>(sum, values, p);
    return sum;
}

/// The same of the coarse means of a block of any size.
__m512i coarse_distances(const CellMeans& means, const std::uint8_t* p) {
    const std::uint8_t* values = means.values;
    __m512i sum = _mm512_setzero_si512();
    for (int y = 0; y < means.rows; ++y, p += means.side * means.stride) {
        int x = 0;
        for (; x + 2 <= means.fours; x += 2, values += 8)
            sum = add_distances<2>(sum, values, p + x / 2 * bytes_per_chunk);
        if (x == means.fours) continue;
        sum = add_distances<1>(sum, values, p + x / 2 * bytes_per_chunk);
        values += 4;
    }
    return sum;
}

__m512i means_limit(const CellMeans& means, std::int32_t limit) {
    return splat(static_cast<std::uint32_t>(limit + means.slack) >> (means.side == 4 ? 4 : 2));
}

int chunks_of(const BlockCells& cells, int columns) {
    return (cells.place + columns + positions_per_chunk - 1) / positions_per_chunk;
}

/// Adds the groups of a row of positions that the coarse means leave; distances_at(p) has those of a chunk.
template <class Distances>
void add_row(const BlockCells& cells, int chunks, int row, std::int32_t limit, GroupList& list,
             const Distances& distances_at) {
    const __m512i most = means_limit(cells.coarse, limit);
    const std::uint8_t* p = cells.coarse.plane + row * cells.coarse.stride;
    GroupList::Group* to = list.groups + list.count;
    const std::uint32_t first = static_cast<std::uint32_t>(row) << 16, end = first + static_cast<std::uint32_t>(chunks);
    for (std::uint32_t place = first; place < end; ++place, p += bytes_per_chunk) {
        const std::uint32_t lanes = _mm512_cmple_epu16_mask(distances_at(p), most);
        *to = {place, lanes};
        to += lanes != 0;
    }
    list.count = static_cast<int>(to - list.groups);
}

void add_whole_row(int chunks, int row, GroupList& list) {
    for (int chunk = 0; chunk < chunks; ++chunk)
        list.groups[list.count++] = {static_cast<std::uint32_t>(row << 16 | chunk), ~0u};
}

/// As many rows from one on as the list takes; returns the row after them.
int add_rows(const BlockCells& cells, int columns, int row, int rows, const std::int32_t* limits, GroupList& list) {
    const CellMeans& means = cells.coarse;
    const int chunks = chunks_of(cells, columns);
    const bool is_16x16 = means.plane != nullptr && means.fours == 1 && means.rows == 4;
    __m512i values[4] = {};
    for (int y = 0; y < 4 && is_16x16; ++y)
        values[y] = four_bytes(means.values + 4 * y);
    const auto distances_of_16x16 = [v0 = values[0], v1 = values[1], v2 = values[2], v3 = values[3],
                                     step = 4 * means.stride](const std::uint8_t* p) {
        const auto at = [=](int y) { return _mm512_loadu_si512(p + y * step); };
        return _mm512_adds_epu16(
            _mm512_adds_epu16(_mm512_dbsad_epu8(v0, at(0), from_byte_0), _mm512_dbsad_epu8(v1, at(1), from_byte_0)),
            _mm512_adds_epu16(_mm512_dbsad_epu8(v2, at(2), from_byte_0), _mm512_dbsad_epu8(v3, at(3), from_byte_0)));
    };
    for (; row < rows && list.count < GroupList::enough; ++row) {
        if (limits[row] < 0) continue;
        if (is_16x16)
            add_row(cells, chunks, row, limits[row], list, distances_of_16x16);
        else if (means.plane != nullptr)
            add_row(cells, chunks, row, limits[row], list, [&](const auto* p) { return coarse_distances(means, p); });
        else
            add_whole_row(chunks, row, list);
    }
    return row;
}

/// The lanes of all groups get from the order of a chunk of coarse means into that of columns, and lose those outside.
void order_lanes(const BlockCells& cells, int columns, GroupList& list) {
    const int count = list.count;
    list.count = 0;
    for (int i = 0; i < count; ++i) {
        const GroupList::Group group = list.groups[i];
        std::uint32_t lanes = _pdep_u32(group.lanes, 0x11111111) | _pdep_u32(group.lanes >> 8, 0x22222222) |
                              _pdep_u32(group.lanes >> 16, 0x44444444) | _pdep_u32(group.lanes >> 24, 0x88888888);
        const int column = group.chunk() * positions_per_chunk - cells.place;
        if (column < 0) lanes &= ~std::uint32_t{0} << -column;
        if (columns - column < 32) lanes &= first_of_32(columns - column);
        list.groups[list.count] = {group.place, lanes};
        list.count += lanes != 0;
    }
}

/// A chunk of fine means has its even columns first.
void narrow_by_fine_means(const BlockCells& cells, const std::int32_t* limits, GroupList& list) {
    const __m512i order = _mm512_set_epi16(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8, 23, 7, 22, 6,
                                           21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
    const int count = list.count;
    list.count = 0;
    for (int i = 0; i < count; ++i) {
        const GroupList::Group group = list.groups[i];
        const std::uint8_t* p =
            cells.fine.plane + group.row() * cells.fine.stride + group.chunk() * std::ptrdiff_t{bytes_per_chunk};
        const __m512i sum = _mm512_permutexvar_epi16(order, cells.fine.fours == 2 ? fine_distances<2>(cells.fine, p)
                                                                                  : fine_distances<1>(cells.fine, p));
        const std::uint32_t lanes =
            group.lanes & _mm512_cmple_epu16_mask(sum, means_limit(cells.fine, limits[group.row()]));
        _mm512_storeu_si512(list.bounds[list.count], sum);
        list.groups[list.count] = {group.place, lanes};
        list.count += lanes != 0;
    }
}

void narrow_by_sums(const BlockCells& cells, const std::int32_t* limits, GroupList& list) {
    const int count = list.count;
    list.count = 0;
    for (int i = 0; i < count; ++i) {
        const GroupList::Group group = list.groups[i];
        const std::ptrdiff_t first =
            cells.first + group.row() * cells.stride + group.chunk() * positions_per_chunk - cells.place;
        __m512i sum = _mm512_setzero_si512();
        for (int c = 0; c < cells.count; ++c) {
            const __m512i difference =
                _mm512_sub_epi16(load(cells.cells[c].sums + first), four_bytes(cells.cells[c].value));
            sum = _mm512_adds_epu16(sum, _mm512_abs_epi16(difference));
        }
        const __m512i limit = splat(static_cast<std::uint32_t>(limits[group.row()]));
        const std::uint32_t lanes = group.lanes & _mm512_cmple_epu16_mask(sum, limit);
        _mm512_storeu_si512(list.bounds[list.count], sum);
        list.groups[list.count] = {group.place, lanes};
        list.count += lanes != 0;
    }
}

/// Narrows the list, writes what is left to `found`, and empties it; how many.
int finish(const BlockCells& cells, int columns, const std::int32_t* limits, GroupList& list, BoundedPosition* found) {
    const bool fine = cells.fine.plane != nullptr;
    order_lanes(cells, columns, list);
    if (fine)
        narrow_by_fine_means(cells, limits, list);
    else
        narrow_by_sums(cells, limits, list);
    const int scale = fine ? cells.fine.side * cells.fine.side : 1, slack = fine ? cells.fine.slack : 0;
    int n = 0;
    for (int i = 0; i < list.count; ++i) {
        const GroupList::Group group = list.groups[i];
        const int column = group.chunk() * positions_per_chunk - cells.place;
        for (std::uint32_t lanes = group.lanes; lanes != 0; lanes &= lanes - 1) {
            const auto lane = static_cast<int>(_tzcnt_u32(lanes));
            const int bound = scale * list.bounds[i][lane] - slack;
            found[n++] = {{static_cast<std::uint16_t>(column + lane), static_cast<std::uint16_t>(group.row())},
                          static_cast<std::uint32_t>(bound < 0 ? 0 : bound)};
        }
    }
    list.count = 0;
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

void pack_fine_means_avx512(const std::uint8_t* upper, const std::uint8_t* lower, int chunks, std::uint8_t* means) {
    const __m512i ones = _mm512_set1_epi8(1);
    // Every other mean of 2x2 samples, 32 of them; lanes 0 and 1 of a chunk share eight.
    const auto pack = [&](const std::uint8_t* a, const std::uint8_t* b) {
        const __m512i sums = _mm512_add_epi16(_mm512_maddubs_epi16(_mm512_loadu_si512(a), ones),
                                              _mm512_maddubs_epi16(_mm512_loadu_si512(b), ones));
        return _mm256_permute4x64_epi64(_mm512_cvtepi16_epi8(_mm512_srli_epi16(sums, 2)), 0x94);
    };
    for (int i = 0; i < chunks; ++i, upper += positions_per_chunk, lower += positions_per_chunk) {
        const __m256i even = pack(upper, lower), odd = pack(upper + 1, lower + 1);
        _mm512_storeu_si512(means + i * bytes_per_chunk, _mm512_inserti64x4(_mm512_castsi256_si512(even), odd, 1));
    }
}

int survivors_avx512(const BlockCells& cells, int columns, int rows, const std::int32_t* limits,
                     BoundedPosition* found) {
    GroupList list;
    int n = 0;
    for (int row = 0; row < rows;) {
        row = add_rows(cells, columns, row, rows, limits, list);
        n += finish(cells, columns, limits, list, found + n);
    }
    return n;
}

} // namespace tandem
