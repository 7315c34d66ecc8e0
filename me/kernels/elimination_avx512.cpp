// SPDX-License-Identifier: BSD-2-Clause
#include "me/kernels/avx512.h"
#include "me/kernels/elimination_variants.h"

namespace tandem {

namespace {

__m512i splat(std::uint32_t value) { return _mm512_set1_epi16(static_cast<short>(value)); }

/// Groups of 32 positions, of which some are still possible.
struct GroupList {
    static constexpr int most =
        enough_groups + most_groups_in_a_row + most_rows_of_survivors; ///< Those of a column are added last.
    struct Group {
        std::uint32_t place; ///< Row and chunk of the rectangle, 16 bits each.
        std::uint32_t lanes;
        int row() const { return static_cast<int>(place >> 16); }
        int chunk() const { return static_cast<int>(place & 65535); }
    };
    Group groups[most + 1];
    int count = 0;
    alignas(64) std::uint16_t bounds[most][32]; ///< In the order of columns, once there are any.

    void add(int row, int chunk, std::uint32_t lanes) {
        groups[count] = {static_cast<std::uint32_t>(row) << 16 | static_cast<std::uint32_t>(chunk), lanes};
        count += lanes != 0;
    }
};

/// Groups begin at sample 0 or 16 of a chunk, and the rectangle's first column is one of the first 16 of its group.
struct Grid {
    Grid(const BlockCells& cells, int width)
        : half(cells.place / 16), place(cells.place % 16), columns(width), chunks((place + columns + 31) / 32) {}
    int half, place, columns, chunks;
    int first_column(int chunk) const { return chunk * positions_per_chunk - place; }
};

/// What the sums of one test's distances may be at most in each row, twice in a word of 32 bits.
class DistanceLimits {
  public:
    DistanceLimits(const CellBytes& cells, const std::int32_t* limits, int rows) {
        const __m512i slack = _mm512_set1_epi32(cells.slack);
        const auto shift = static_cast<unsigned>(cells.scale == 16 ? 4 : cells.scale == 4 ? 2 : 0);
        for (int row = 0; row < rows; row += 16) {
            const auto lanes = static_cast<__mmask16>(first_of_32(rows - row));
            const __m512i most =
                _mm512_srli_epi32(_mm512_add_epi32(_mm512_maskz_loadu_epi32(lanes, limits + row), slack), shift);
            const __m512i low = _mm512_and_si512(most, _mm512_set1_epi32(65535));
            _mm512_store_si512(words_ + row, _mm512_or_si512(low, _mm512_slli_epi32(most, 16)));
        }
    }
    __m512i operator[](int row) const { return four_bytes(words_ + row); }
    /// Of four rows, one in each lane.
    __m512i four_from(int row) const {
        const __m512i lanes = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
        return _mm512_permutexvar_epi32(lanes, _mm512_castsi128_si512(load16(words_ + row)));
    }

  private:
    alignas(64) std::uint32_t words_[most_rows_of_survivors + 16];
};

/// Sums of the distances at the positions of a group, in the order of a chunk, for a block of any height, so many fours
/// of cells wide (0: any width); `half` where the group begins in the middle of the chunk at p. A pair of fours is
/// followed by the next one a chunk further where cells have 4x4 samples, half a chunk where they have 2x2.
template <int side, int fours, bool half> __m512i distances_of_group(const CellBytes& cells, const std::uint8_t* p) {
    const std::uint8_t* values = cells.values;
    constexpr int pair = side == 4 ? bytes_per_chunk : bytes_per_chunk / 2;
    constexpr int first = side == 4 ? int{half} : 2 * int{half};
    const int end = first + (fours > 0 ? fours : cells.fours);
    __m512i sum = _mm512_setzero_si512();
    for (int y = 0; y < cells.rows; ++y, p += side * cells.stride) {
        for (int x = first; x < end; ++x, values += 4) {
            const __m512i here = four_bytes(values), there = load64(p + x / 2 * pair);
            sum = x % 2 == 0 ? add_sads<from_byte_0>(sum, here, there) : add_sads<from_byte_4>(sum, here, there);
        }
    }
    return sum;
}

using GroupDistances = __m512i (*)(const CellBytes& cells, const std::uint8_t* p);
template <int side, bool half> GroupDistances distances_for(int fours) {
    switch (fours) {
    case 1:
        return distances_of_group<side, 1, half>;
    case 2:
        return distances_of_group<side, 2, half>;
    case 4:
        return distances_of_group<side, 4, half>;
    default:
        return distances_of_group<side, 0, half>;
    }
}
GroupDistances distances_for(const CellBytes& cells, const Grid& grid) {
    if (cells.side == 4)
        return grid.half == 0 ? distances_for<4, false>(cells.fours) : distances_for<4, true>(cells.fours);
    return grid.half == 0 ? distances_for<2, false>(cells.fours) : distances_for<2, true>(cells.fours);
}

/// The four words of a block of 16x16's coarse means.
struct Values16x16 {
    explicit Values16x16(const std::uint8_t* p)
        : v{four_bytes(p), four_bytes(p + 4), four_bytes(p + 8), four_bytes(p + 12)} {}
    __m512i v[4];
    template <int control> __m512i distances(__m512i r0, __m512i r1, __m512i r2, __m512i r3) const {
        return _mm512_adds_epu16(
            _mm512_adds_epu16(_mm512_dbsad_epu8(v[0], r0, control), _mm512_dbsad_epu8(v[1], r1, control)),
            _mm512_adds_epu16(_mm512_dbsad_epu8(v[2], r2, control), _mm512_dbsad_epu8(v[3], r3, control)));
    }
};

/// The groups of rows of a block of 16x16 that the coarse means leave, to a list that has room for `enough` and one row
/// more; returns the row after them.
template <int control>
int add_rows_of_16x16(const CellBytes& coarse, const Values16x16& values, int chunks, int row, int rows,
                      const std::int32_t* limits, const DistanceLimits& most, GroupList& list) {
    const std::ptrdiff_t four_rows = 4 * coarse.stride;
    GroupList::Group* to = list.groups + list.count;
    const GroupList::Group* const end = list.groups + enough_groups;
    for (; row < rows && to < end; ++row) {
        if (limits[row] < 0) continue;
        const __m512i limit = most[row];
        const std::uint8_t* p = coarse.plane + row * coarse.stride;
        std::uint32_t place = static_cast<std::uint32_t>(row) << 16;
        const auto add = [&](const std::uint8_t* at, std::uint32_t chunk) {
            const __m512i distances = values.distances<control>(load64(at), load64(at + four_rows),
                                                                load64(at + 2 * four_rows), load64(at + 3 * four_rows));
            const std::uint32_t lanes = _mm512_cmple_epu16_mask(distances, limit);
            *to = {place + chunk, lanes};
            to += lanes != 0;
        };
        int left = chunks;
        for (; left >= 2; left -= 2, p += 2 * bytes_per_chunk, place += 2) {
            add(p, 0);
            add(p + bytes_per_chunk, 1);
        }
        if (left > 0) add(p, 0);
    }
    list.count = static_cast<int>(to - list.groups);
    return row;
}

/// The same for a single column, the first of a chunk, four rows at a time: windows have an odd number of columns,
/// mostly one more than chunks.
void add_column_of_16x16(const CellBytes& coarse, const Values16x16& values, const std::uint8_t* p, int chunk,
                         int first, int end, const std::int32_t* limits, const DistanceLimits& most, GroupList& list) {
    const int last = end - 1 + 12; // Row of cells.
    const auto four_rows = [&](int row) {
        const auto at = [&](int i) {
            const std::ptrdiff_t there = row + i < last ? row + i : last;
            return load16(p + there * coarse.stride);
        };
        const __m512i two = _mm512_inserti32x4(_mm512_castsi128_si512(at(0)), at(1), 1);
        return _mm512_inserti32x4(_mm512_inserti32x4(two, at(2), 2), at(3), 3);
    };
    __m512i r0 = four_rows(first), r1 = four_rows(first + 4), r2 = four_rows(first + 8);
    for (int row = first; row < end; row += 4) {
        const __m512i r3 = four_rows(row + 12);
        const __m512i distances = values.distances<from_byte_0>(r0, r1, r2, r3);
        std::uint32_t lanes = _mm512_cmple_epu16_mask(distances, most.four_from(row)) & 0x01010101;
        for (; lanes != 0; lanes &= lanes - 1) {
            const int there = row + static_cast<int>(_tzcnt_u32(lanes)) / 8;
            if (there < end && limits[there] >= 0) list.add(there, chunk, 1);
        }
        r0 = r1, r1 = r2, r2 = r3;
    }
}

/// As many rows from one on as the list takes; returns the row after them.
int add_rows(const BlockCells& cells, const Grid& grid, int row, int rows, const std::int32_t* limits,
             const DistanceLimits& most, GroupList& list) {
    const CellBytes& coarse = cells.coarse;
    const bool is_16x16 = coarse.plane != nullptr && coarse.fours == 1 && coarse.rows == 4;
    if (is_16x16) {
        const Values16x16 values(coarse.values);
        const bool column_left = (grid.place + grid.columns) % positions_per_chunk == 1;
        const int chunks = grid.chunks - column_left, first = row;
        row = grid.half == 0 ? add_rows_of_16x16<from_byte_0>(coarse, values, chunks, row, rows, limits, most, list)
                             : add_rows_of_16x16<from_byte_4>(coarse, values, chunks, row, rows, limits, most, list);
        if (column_left) {
            const std::uint8_t* column = coarse.plane + chunks * bytes_per_chunk + 4 * grid.half;
            add_column_of_16x16(coarse, values, column, chunks, first, row, limits, most, list);
        }
        return row;
    }
    const GroupDistances distances_at = distances_for(coarse, grid);
    for (; row < rows && list.count < enough_groups; ++row) {
        if (limits[row] < 0) continue;
        for (int chunk = 0; chunk < grid.chunks; ++chunk) {
            std::uint32_t lanes = ~0u;
            if (coarse.plane != nullptr) {
                const __m512i distances =
                    distances_at(coarse, coarse.plane + row * coarse.stride + chunk * bytes_per_chunk);
                lanes = _mm512_cmple_epu16_mask(distances, most[row]);
            }
            list.add(row, chunk, lanes);
        }
    }
    return row;
}

/// The lanes of all groups get from the order of a chunk of coarse means into that of columns, and lose those outside.
/// Returns how many are left.
int order_lanes(const Grid& grid, GroupList& list) {
    int left = 0, positions = 0;
    for (int i = 0; i < list.count; ++i) {
        const GroupList::Group group = list.groups[i];
        std::uint32_t lanes = _pdep_u32(group.lanes, 0x11111111) | _pdep_u32(group.lanes >> 8, 0x22222222) |
                              _pdep_u32(group.lanes >> 16, 0x44444444) | _pdep_u32(group.lanes >> 24, 0x88888888);
        const int column = grid.first_column(group.chunk());
        if (column < 0) lanes &= ~std::uint32_t{0} << -column;
        if (grid.columns - column < 32) lanes &= first_of_32(grid.columns - column);
        list.groups[left] = {group.place, lanes};
        left += lanes != 0;
        positions += static_cast<int>(_mm_popcnt_u32(lanes));
    }
    list.count = left;
    return positions;
}

/// The bounds that follow from sums of distances.
__m512i bounds_of(const CellBytes& cells, __m512i sums) {
    if (cells.scale == 4) sums = _mm512_adds_epu16(_mm512_adds_epu16(sums, sums), _mm512_adds_epu16(sums, sums));
    return _mm512_subs_epu16(sums, splat(static_cast<std::uint32_t>(cells.slack)));
}

/// The groups in which cells of 2x2 samples leave positions. A half of a chunk has its even columns first. Blocks of
/// 16x16 have their bytes in registers, which makes the search of them a twelfth faster.
template <bool is_16x16, bool second>
void narrow_by_cells(const CellBytes& cells, const Grid& grid, const DistanceLimits& most, GroupList& list) {
    const __m512i order = _mm512_set_epi16(31, 23, 30, 22, 29, 21, 28, 20, 27, 19, 26, 18, 25, 17, 24, 16, 15, 7, 14, 6,
                                           13, 5, 12, 4, 11, 3, 10, 2, 9, 1, 8, 0);
    __m512i values[16];
    for (int i = 0; i < 16 && is_16x16; ++i)
        values[i] = four_bytes(cells.values + 4 * i);
    const GroupDistances distances_at = distances_for(cells, grid);
    const std::ptrdiff_t step = 2 * cells.stride;
    const std::uint8_t* const plane = cells.plane + (is_16x16 ? grid.half * (bytes_per_chunk / 2) : 0);
    int left = 0;
    for (int i = 0; i < list.count; ++i) {
        const GroupList::Group group = list.groups[i];
        const std::uint8_t* p = plane + group.row() * cells.stride + group.chunk() * std::ptrdiff_t{bytes_per_chunk};
        __m512i sum;
        if constexpr (is_16x16) {
            __m512i near = _mm512_setzero_si512(), far = near, there[8]; // Loaded before any is waited for.
            for (int y = 0; y < 8; ++y, p += step)
                there[y] = load64(p);
            for (int y = 0; y < 8; ++y) {
                near = add_sads<from_byte_0>(near, values[2 * y], there[y]);
                far = add_sads<from_byte_4>(far, values[2 * y + 1], there[y]);
            }
            sum = _mm512_adds_epu16(near, far);
        } else {
            sum = distances_at(cells, p);
        }
        sum = _mm512_permutexvar_epi16(order, sum);
        const std::uint32_t lanes = group.lanes & _mm512_cmple_epu16_mask(sum, most[group.row()]);
        __m512i bounds = bounds_of(cells, sum);
        if constexpr (second) bounds = _mm512_max_epu16(bounds, load64(list.bounds[i]));
        _mm512_store_si512(list.bounds[left], bounds);
        list.groups[left] = {group.place, lanes};
        left += lanes != 0;
    }
    list.count = left;
}

template <bool second>
void narrow_by(const CellBytes& cells, const Grid& grid, const std::int32_t* limits, int rows, GroupList& list) {
    const DistanceLimits most(cells, limits, rows);
    if (cells.fours == 2 && cells.rows == 8)
        narrow_by_cells<true, second>(cells, grid, most, list);
    else
        narrow_by_cells<false, second>(cells, grid, most, list);
}

void narrow_by_sums(const BlockCells& cells, const Grid& grid, const std::int32_t* limits, GroupList& list) {
    const int count = list.count;
    list.count = 0;
    for (int i = 0; i < count; ++i) {
        const GroupList::Group group = list.groups[i];
        const std::ptrdiff_t first = cells.first + group.row() * cells.stride + grid.first_column(group.chunk());
        __m512i sum = _mm512_setzero_si512();
        for (int c = 0; c < cells.count; ++c) {
            const __m512i difference =
                _mm512_sub_epi16(load64(cells.cells[c].sums + first), four_bytes(cells.cells[c].value));
            sum = _mm512_adds_epu16(sum, _mm512_abs_epi16(difference));
        }
        const __m512i limit = splat(static_cast<std::uint32_t>(limits[group.row()]));
        const std::uint32_t lanes = group.lanes & _mm512_cmple_epu16_mask(sum, limit);
        _mm512_store_si512(list.bounds[list.count], sum);
        list.add(group.row(), group.chunk(), lanes);
    }
}

/// Writes what is left to `found`; how many.
int put(const Grid& grid, const GroupList& list, BoundedPosition* found) {
    BoundedPosition* to = found;
    for (int i = 0; i < list.count; ++i) {
        const GroupList::Group group = list.groups[i];
        const std::uint32_t row = group.place & 0xFFFF0000;
        const int column = grid.first_column(group.chunk());
        for (std::uint32_t lanes = group.lanes; lanes != 0; lanes &= lanes - 1) {
            const auto lane = static_cast<int>(_tzcnt_u32(lanes));
            const std::uint64_t position = row | static_cast<std::uint32_t>(column + lane);
            const std::uint64_t all = position | std::uint64_t{list.bounds[i][lane]} << 32; // One store for all three.
            static_assert(sizeof all == sizeof *to);
            __builtin_memcpy(to++, &all, sizeof all);
        }
    }
    return static_cast<int>(to - found);
}

/// Narrows the list, writes what is left to `found`, and empties it; how many.
int finish(const BlockCells& cells, const Grid& grid, const std::int32_t* limits, int rows, GroupList& list,
           BoundedPosition* found) {
    constexpr int small = 6; // Times the fine means' slack: there they say less than the folded sums.
    if (cells.fine.plane == nullptr) {
        narrow_by_sums(cells, grid, limits, list);
    } else if (list.count > 0) {
        const bool folded_first = limits[list.groups[0].row()] < small * cells.fine.slack;
        narrow_by<false>(folded_first ? cells.folded : cells.fine, grid, limits, rows, list);
        narrow_by<true>(folded_first ? cells.fine : cells.folded, grid, limits, rows, list);
    }
    const int n = put(grid, list, found);
    list.count = 0;
    return n;
}

} // namespace

int survivors_avx512(const BlockCells& cells, int columns, int rows, const std::int32_t* limits,
                     BoundedPosition* found) {
    const Grid grid(cells, columns);
    const DistanceLimits most(cells.coarse, limits, rows);
    GroupList list;
    int n = 0, left_by_coarse = 0;
    for (int row = 0; row < rows;) {
        row = add_rows(cells, grid, row, rows, limits, most, list);
        const int left = order_lanes(grid, list);
        if (cells.coarse.plane != nullptr) left_by_coarse += left;
        if (4 * left_by_coarse > 3 * columns * rows) return hopeless;
        n += finish(cells, grid, limits, rows, list, found + n);
    }
    return n;
}

} // namespace tandem
