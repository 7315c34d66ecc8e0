// SPDX-License-Identifier: BSD-2-Clause
#include "me/kernels/avx2.h"
#include "me/kernels/elimination_variants.h"

namespace tandem {

namespace {

__m256i splat(std::uint16_t value) { return _mm256_set1_epi16(static_cast<short>(value)); }

/// What a level has at 32 positions, in the order of columns or of a chunk.
struct Sums {
    __m256i low, high;
    std::uint32_t within(__m256i limit) const {
        const unsigned in_low = words_within(low, limit), in_high = words_within(high, limit);
        if ((in_low | in_high) == 0) return 0;
        return _pext_u32(in_low, 0x55555555) | _pext_u32(in_high, 0x55555555) << 16;
    }
    void store(std::uint16_t* words) const {
        store32(words, low);
        store32(words + 16, high);
    }
};

/// Of the cells, at 16 positions.
__m256i half_of_sums(const BlockCells& cells, std::ptrdiff_t first) {
    __m256i sum = _mm256_setzero_si256();
    for (int c = 0; c < cells.count; ++c) {
        const __m256i there = load32(cells.cells[c].sums + first), here = splat(cells.cells[c].value[0]);
        sum = _mm256_adds_epu16(sum, _mm256_abs_epi16(_mm256_sub_epi16(there, here)));
    }
    return sum;
}

/// Of coarse means of a block of 16x16, whose 16 are in each lane of `here`.
__m256i half_of_16x16(__m256i here, const std::uint8_t* p, std::ptrdiff_t stride) {
    const auto at = [&](int y) { return load32(p + 4 * y * stride); };
    return _mm256_adds_epu16(
        _mm256_adds_epu16(_mm256_mpsadbw_epu8(at(0), here, 0x00), _mm256_mpsadbw_epu8(at(1), here, 0x09)),
        _mm256_adds_epu16(_mm256_mpsadbw_epu8(at(2), here, 0x12), _mm256_mpsadbw_epu8(at(3), here, 0x1B)));
}

/// Of cells' bytes, in half a chunk, for a block so many fours of cells wide (0: any width).
template <int fours> __m256i half_of_bytes_of(const CellBytes& cells, const std::uint8_t* p) {
    const std::uint8_t* values = cells.values;
    const int pair = cells.side == 4 ? bytes_per_chunk : bytes_per_chunk / 2; // From eight cells to the next eight.
    const std::ptrdiff_t step = cells.side * cells.stride;
    const int across = fours > 0 ? fours : cells.fours;
    __m256i sum = _mm256_setzero_si256();
    for (int y = 0; y < cells.rows; ++y, p += step) {
        for (int x = 0; x < across; ++x, values += 4) {
            const __m256i here = _mm256_set1_epi32(word4(values)), there = load32(p + x / 2 * pair);
            sum = _mm256_adds_epu16(sum, x % 2 == 0 ? _mm256_mpsadbw_epu8(there, here, 0x00)
                                                    : _mm256_mpsadbw_epu8(there, here, 0x24));
        }
    }
    return sum;
}

__m256i half_of_bytes(const CellBytes& cells, const std::uint8_t* p) {
    switch (cells.fours) {
    case 1:
        return half_of_bytes_of<1>(cells, p);
    case 2:
        return half_of_bytes_of<2>(cells, p);
    case 4:
        return half_of_bytes_of<4>(cells, p);
    default:
        return half_of_bytes_of<0>(cells, p);
    }
}

__m256i limit_of_distances(const CellBytes& cells, std::int32_t limit) {
    return splat(static_cast<std::uint16_t>((limit + cells.slack) >> (cells.scale == 16  ? 4
                                                                      : cells.scale == 4 ? 2
                                                                                         : 0)));
}

/// The 32 positions of a chunk that the coarse means leave, in the order of columns.
std::uint32_t left_by_coarse_means(const CellBytes& coarse, const std::uint8_t* p, __m256i limit) {
    Sums sums;
    if (coarse.fours == 1 && coarse.rows == 4) {
        const __m256i here = _mm256_broadcastsi128_si256(load16(coarse.values));
        sums = {half_of_16x16(here, p, coarse.stride), half_of_16x16(here, p + 32, coarse.stride)};
    } else {
        sums = {half_of_bytes(coarse, p), half_of_bytes(coarse, p + 32)};
    }
    const std::uint32_t lanes = sums.within(limit);
    if (lanes == 0) return 0;
    return _pdep_u32(lanes, 0x11111111) | _pdep_u32(lanes >> 8, 0x22222222) | _pdep_u32(lanes >> 16, 0x44444444) |
           _pdep_u32(lanes >> 24, 0x88888888);
}

/// A half of a chunk has its even columns first.
Sums sums_of_cells(const CellBytes& cells, int row, int chunk) {
    const std::uint8_t* p = cells.plane + row * cells.stride + chunk * bytes_per_chunk;
    const auto half = [&](const std::uint8_t* at) {
        const __m256i sums = half_of_bytes(cells, at);
        const __m128i even = _mm256_castsi256_si128(sums), odd = _mm256_extracti128_si256(sums, 1);
        return _mm256_set_m128i(_mm_unpackhi_epi16(even, odd), _mm_unpacklo_epi16(even, odd));
    };
    return {half(p), half(p + bytes_per_chunk / 2)};
}

/// Writes the positions of some of 32 lanes, each with its bound.
int put(std::uint32_t lanes, int column, int row, const std::uint32_t* bounds, BoundedPosition* found) {
    int n = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        const auto lane = static_cast<int>(_tzcnt_u32(lanes));
        found[n++] = {{static_cast<std::uint16_t>(column + lane), static_cast<std::uint16_t>(row)}, bounds[lane]};
    }
    return n;
}

/// 32 positions from a column of a row on, of which some are still possible.
struct Group {
    int row, column;
    std::uint32_t lanes;
};

/// Writes what small cells leave of a group to `found`; how many.
int narrow(const BlockCells& cells, const Group& group, std::int32_t limit, BoundedPosition* found) {
    auto [row, column, lanes] = group;
    constexpr int small = 6; // Times the fine means' slack: there they say less than the folded sums.
    std::uint32_t bounds[32];
    alignas(32) std::uint16_t distances[2][32];
    if (cells.fine.plane == nullptr) {
        const std::ptrdiff_t first = cells.first + row * cells.stride + column;
        const Sums sums{half_of_sums(cells, first), half_of_sums(cells, first + 16)};
        lanes &= sums.within(splat(static_cast<std::uint16_t>(limit)));
        sums.store(distances[0]);
        for (int i = 0; i < 32 && lanes != 0; ++i)
            bounds[i] = distances[0][i];
        return put(lanes, column, row, bounds, found);
    }
    const int chunk = (column + cells.place) / positions_per_chunk;
    const bool folded_first = limit < small * cells.fine.slack;
    const CellBytes* tests[2] = {folded_first ? &cells.folded : &cells.fine,
                                 folded_first ? &cells.fine : &cells.folded};
    for (int test = 0; test < 2; ++test) {
        const Sums sums = sums_of_cells(*tests[test], row, chunk);
        lanes &= sums.within(limit_of_distances(*tests[test], limit));
        if (lanes == 0) return 0;
        sums.store(distances[test]);
    }
    const auto bound = [&](int test, int lane) {
        const int distance = tests[test]->scale * distances[test][lane];
        return (distance < 65535 ? distance : 65535) - tests[test]->slack; // As words saturate.
    };
    for (int i = 0; i < 32; ++i) {
        const int first = bound(0, i), second = bound(1, i), larger = first < second ? second : first;
        bounds[i] = static_cast<std::uint32_t>(larger < 0 ? 0 : larger);
    }
    return put(lanes, column, row, bounds, found);
}

/// The groups of a row that the coarse means leave; how many.
int groups_of_row(const BlockCells& cells, int columns, int row, std::int32_t limit, Group* groups) {
    const __m256i most = limit_of_distances(cells.coarse, limit);
    const std::uint8_t* chunk = cells.coarse.plane ? cells.coarse.plane + row * cells.coarse.stride : nullptr;
    int n = 0;
    for (int column = -cells.place; column < columns; column += positions_per_chunk) {
        std::uint32_t lanes = ~std::uint32_t{0};
        if (chunk) {
            lanes = left_by_coarse_means(cells.coarse, chunk, most);
            chunk += bytes_per_chunk;
        }
        if (column < 0) lanes &= ~std::uint32_t{0} << -column;
        if (columns - column < 32) lanes &= (1u << (columns - column)) - 1;
        groups[n] = {row, column, lanes};
        n += lanes != 0;
    }
    return n;
}

} // namespace

int survivors_avx2(const BlockCells& cells, int columns, int rows, const std::int32_t* limits, BoundedPosition* found) {
    Group groups[enough_groups + most_groups_in_a_row];
    int n = 0, left_by_coarse = 0;
    for (int row = 0; row < rows;) {
        int count = 0;
        for (; row < rows && count < enough_groups; ++row)
            if (limits[row] >= 0) count += groups_of_row(cells, columns, row, limits[row], groups + count);
        for (int i = 0; i < count && cells.coarse.plane; ++i)
            left_by_coarse += static_cast<int>(_mm_popcnt_u32(groups[i].lanes));
        if (4 * left_by_coarse > 3 * columns * rows) return hopeless;
        for (int i = 0; i < count; ++i)
            n += narrow(cells, groups[i], limits[groups[i].row], found + n);
    }
    return n;
}

} // namespace tandem
