// SPDX-License-Identifier: BSD-2-Clause
// SADs of rectangles of positions. What bounds them is vdbpsadbw: 128 differences an instruction on one port, with an
// addition on the other, so 2 cycles a position of 16x16. Everything else must fit beside those two: two rows of
// positions share each row of the reference, and sums are compared as the 16-bit words they are.
#include "me/add_sads_avx512.h"
#include "me/simd_variants.h"

namespace tandem {

namespace {

using Byte = std::uint8_t;
using Stride = std::ptrdiff_t;

constexpr int wide = 64;   ///< Positions of a row that are measured together,
constexpr int narrow = 32; ///< and of what is left of it.

__m512i load64(const Byte* p) { return _mm512_loadu_si512(p); }
__m512i load32_twice(const Byte* p) {
    const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
    const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p + 8));
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

__m512i four_samples(const Byte* p) {
    int word;
    __builtin_memcpy(&word, p, sizeof word);
    return _mm512_set1_epi32(word);
}

/// 64 positions of a block 4 fours wide at most: in each lane of 16 bytes, `near` has 8 and `far` the 8 that follow.
template <int fours> struct WideSums {
    static constexpr int positions = wide;
    struct Row {
        __m512i at0, at8, at16;
        explicit Row(const Byte* p) : at0(load64(p)), at8(load64(p + 8)), at16(fours > 2 ? load64(p + 16) : at8) {}
    };
    __m512i near = _mm512_setzero_si512(), far = _mm512_setzero_si512();

    void add(const Byte* block, const Row& row) {
        const __m512i b0 = four_samples(block);
        near = add_sads<0>(near, b0, row.at0);
        far = add_sads<0>(far, b0, row.at8);
        if constexpr (fours > 1) {
            const __m512i b1 = four_samples(block + 4);
            near = add_sads<4>(near, b1, row.at0);
            far = add_sads<4>(far, b1, row.at8);
        }
        if constexpr (fours > 2) {
            const __m512i b2 = four_samples(block + 8);
            near = add_sads<0>(near, b2, row.at8);
            far = add_sads<0>(far, b2, row.at16);
        }
        if constexpr (fours > 3) {
            const __m512i b3 = four_samples(block + 12);
            near = add_sads<4>(near, b3, row.at8);
            far = add_sads<4>(far, b3, row.at16);
        }
    }
    std::uint64_t within(__m512i limit) const {
        const std::uint64_t in_near = _mm512_cmple_epu16_mask(near, limit),
                            in_far = _mm512_cmple_epu16_mask(far, limit);
        if ((in_near | in_far) == 0) return 0;
        return _pdep_u64(in_near, 0x00FF00FF00FF00FF) | _pdep_u64(in_far, 0xFF00FF00FF00FF00);
    }
    void store(std::uint16_t* words) const {
        const __m512i low = _mm512_permutex2var_epi64(near, _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11), far);
        const __m512i high = _mm512_permutex2var_epi64(near, _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15), far);
        _mm512_storeu_si512(words, low);
        _mm512_storeu_si512(words + 32, high);
    }
};

/// 32 positions: lanes 0 and 1 as `near`, lanes 2 and 3 as `far`.
template <int fours> struct NarrowSums {
    static constexpr int positions = narrow;
    struct Row {
        __m512i at0, at8;
        explicit Row(const Byte* p) : at0(load32_twice(p)), at8(fours > 2 ? load32_twice(p + 8) : at0) {}
    };
    __m512i sums = _mm512_setzero_si512();

    void add(const Byte* block, const Row& row) {
        sums = add_sads<0>(sums, four_samples(block), row.at0);
        if constexpr (fours > 1) sums = add_sads<4>(sums, four_samples(block + 4), row.at0);
        if constexpr (fours > 2) sums = add_sads<0>(sums, four_samples(block + 8), row.at8);
        if constexpr (fours > 3) sums = add_sads<4>(sums, four_samples(block + 12), row.at8);
    }
    std::uint64_t within(__m512i limit) const {
        const std::uint32_t all = _mm512_cmple_epu16_mask(sums, limit);
        return _pdep_u32(all, 0x00FF00FF) | _pdep_u32(all >> 16, 0xFF00FF00);
    }
    void store(std::uint16_t* words) const {
        _mm512_storeu_si512(words, _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 1, 4, 5, 2, 3, 6, 7), sums));
    }
};

/// Where the rows of one rectangle are, and what is good enough there.
struct Rectangle {
    const Byte* current;
    Stride current_stride;
    const Byte* reference;
    Stride reference_stride;
    int height; ///< Of the block.
    int columns, rows;
    const std::int32_t* limits;
};

/// By value: sums whose address is taken are kept in memory all the while they are made.
template <class Sums>
int report(Sums sums, int column, int columns, int row, std::int32_t limit, MeasuredPosition* found) {
    if (limit < 0) return 0;
    std::uint64_t lanes = sums.within(_mm512_set1_epi16(static_cast<short>(limit < 65535 ? limit : 65535)));
    if (columns < wide) lanes &= (std::uint64_t{1} << columns) - 1;
    if (lanes == 0) return 0;
    alignas(64) std::uint16_t words[wide];
    sums.store(words);
    int n = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        const auto i = static_cast<int>(_tzcnt_u64(lanes));
        found[n++] = {{static_cast<std::uint16_t>(column + i), static_cast<std::uint16_t>(row)}, words[i]};
    }
    return n;
}

/// Two rows of positions of at most 256 samples: each row of the reference is loaded once for both.
template <class Sums> struct TwoRows {
    Sums first, second;
    TwoRows(const Byte* current, Stride current_stride, const Byte* reference, Stride reference_stride, int height) {
        Sums upper, lower; // Members would be kept in memory all the while.
        upper.add(current, typename Sums::Row(reference));
#pragma GCC unroll 3 // More are slower.
        for (int y = 1; y < height; ++y) {
            reference += reference_stride;
            const typename Sums::Row samples(reference);
            lower.add(current, samples);
            current += current_stride;
            upper.add(current, samples);
        }
        lower.add(current, typename Sums::Row(reference + reference_stride));
        first = upper;
        second = lower;
    }
};

template <class Sums> int measure_two_rows(const Rectangle& r, int column, int row, MeasuredPosition* found) {
    const TwoRows<Sums> sums(r.current, r.current_stride, r.reference + row * r.reference_stride + column,
                             r.reference_stride, r.height);
    const int columns = r.columns - column < Sums::positions ? r.columns - column : Sums::positions;
    const int n = report(sums.first, column, columns, row, r.limits[row], found);
    return n + report(sums.second, column, columns, row + 1, r.limits[row + 1], found + n);
}

template <class Sums> int measure_row(const Rectangle& r, int column, int row, MeasuredPosition* found) {
    const Byte* reference = r.reference + row * r.reference_stride + column;
    Sums sums;
    for (int y = 0; y < r.height; ++y)
        sums.add(r.current + y * r.current_stride, typename Sums::Row(reference + y * r.reference_stride));
    const int columns = r.columns - column < Sums::positions ? r.columns - column : Sums::positions;
    return report(sums, column, columns, row, r.limits[row], found);
}

template <class Sums> int measure_strip(const Rectangle& r, int column, MeasuredPosition* found) {
    int n = 0;
    int row = 0;
    for (; row + 2 <= r.rows; row += 2)
        if ((r.limits[row] & r.limits[row + 1]) >= 0) n += measure_two_rows<Sums>(r, column, row, found + n);
    if (row < r.rows && r.limits[row] >= 0) n += measure_row<Sums>(r, column, row, found + n);
    return n;
}

/// The positions of one column.
int measure_column(const Rectangle& r, int width, int column, MeasuredPosition* found) {
    constexpr int most = 64;
    std::uint32_t sads[most];
    int n = 0;
    for (int row = 0; row < r.rows; row += most) {
        const int count = r.rows - row < most ? r.rows - row : most;
        sad_column_avx512(r.current, r.current_stride, r.reference + row * r.reference_stride + column,
                          r.reference_stride, width, r.height, count, sads);
        for (int i = 0; i < count; i += 16) {
            const auto rows = static_cast<__mmask16>(count - i < 16 ? (1u << (count - i)) - 1 : 65535);
            unsigned good = _mm512_mask_cmple_epi32_mask(rows, _mm512_maskz_loadu_epi32(rows, sads + i),
                                                         _mm512_maskz_loadu_epi32(rows, r.limits + row + i));
            for (; good != 0; good &= good - 1) {
                const int at = i + static_cast<int>(_tzcnt_u32(good));
                found[n++] = {{static_cast<std::uint16_t>(column), static_cast<std::uint16_t>(row + at)}, sads[at]};
            }
        }
    }
    return n;
}

/// A block of any size, 64 positions of a row at a time, from a column on.
int measure_any(const Rectangle& r, int width, int first_column, MeasuredPosition* found) {
    int n = 0;
    std::uint32_t sads[wide];
    for (int row = 0; row < r.rows; ++row) {
        if (r.limits[row] < 0) continue;
        const auto limit = static_cast<std::uint32_t>(r.limits[row]);
        for (int column = first_column; column < r.columns; column += wide) {
            const int count = r.columns - column < wide ? r.columns - column : wide;
            sad_row_avx512(r.current, r.current_stride, r.reference + row * r.reference_stride + column,
                           r.reference_stride, width, r.height, count, sads);
            for (int i = 0; i < count; ++i) {
                found[n] = {{static_cast<std::uint16_t>(column + i), static_cast<std::uint16_t>(row)}, sads[i]};
                n += sads[i] <= limit;
            }
        }
    }
    return n;
}

/// Sums of tiles at a row of 64 positions.
struct SumsOfTiles {
    __m512i sums[4] = {};

    void add(const WideSums<4>& tile) {
        alignas(64) std::uint16_t words[wide];
        tile.store(words);
        for (int i = 0; i < 4; ++i) {
            const __m256i sixteen = _mm256_load_si256(reinterpret_cast<const __m256i*>(words + 16 * i));
            sums[i] = _mm512_add_epi32(sums[i], _mm512_cvtepu16_epi32(sixteen));
        }
    }
    int report(int column, int columns, int row, std::int32_t limit, MeasuredPosition* found) const {
        alignas(64) std::uint32_t sads[wide];
        std::uint64_t good = 0;
        for (int i = 0; i < 4; ++i) {
            _mm512_store_si512(sads + 16 * i, sums[i]);
            good |= std::uint64_t{_mm512_cmple_epi32_mask(sums[i], _mm512_set1_epi32(limit))} << (16 * i);
        }
        if (columns < wide) good &= (std::uint64_t{1} << columns) - 1;
        int n = 0;
        for (; good != 0; good &= good - 1) {
            const auto i = static_cast<int>(_tzcnt_u64(good));
            found[n++] = {{static_cast<std::uint16_t>(column + i), static_cast<std::uint16_t>(row)}, sads[i]};
        }
        return n;
    }
};

/// A block that tiles of 16x16 make up, at two rows or more. Of an odd number of rows the last but one is summed twice.
int measure_tiles(const Rectangle& r, int width, MeasuredPosition* found) {
    constexpr int few = 4; // Columns that are not worth 64.
    int n = 0, column = 0;
    for (; r.columns - column > few; column += wide) {
        const int columns = r.columns - column < wide ? r.columns - column : wide;
        for (int row = 0; row < r.rows; row += 2) {
            const int upper = row + 1 < r.rows ? row : row - 1;
            if ((r.limits[upper] & r.limits[upper + 1]) < 0) continue;
            SumsOfTiles first, second;
            for (int y = 0; y < r.height; y += 16) {
                for (int x = 0; x < width; x += 16) {
                    const TwoRows<WideSums<4>> tile(r.current + y * r.current_stride + x, r.current_stride,
                                                    r.reference + (upper + y) * r.reference_stride + column + x,
                                                    r.reference_stride, 16);
                    first.add(tile.first);
                    second.add(tile.second);
                }
            }
            if (upper == row) n += first.report(column, columns, upper, r.limits[upper], found + n);
            n += second.report(column, columns, upper + 1, r.limits[upper + 1], found + n);
        }
    }
    return n + measure_any(r, width, column, found + n);
}

/// A block whose sums fit 16 bits.
template <int fours> int measure_rectangle(const Rectangle& r, MeasuredPosition* found) {
    constexpr int few = 4; // Columns that are cheaper one by one.
    int n = 0;
    int column = 0;
    for (; r.columns - column > narrow + few; column += wide)
        n += measure_strip<WideSums<fours>>(r, column, found + n);
    if (r.columns - column > few) {
        n += measure_strip<NarrowSums<fours>>(r, column, found + n);
        column += narrow;
    }
    for (; column < r.columns; ++column)
        n += measure_column(r, 4 * fours, column, found + n);
    return n;
}

} // namespace

int sads_within_avx512(const Byte* current, Stride current_stride, const Byte* reference, Stride reference_stride,
                       int width, int height, int columns, int rows, const std::int32_t* limits,
                       MeasuredPosition* found) {
    const Rectangle r{current, current_stride, reference, reference_stride, height, columns, rows, limits};
    if (width * height > 256) {
        const bool tiles = width % 16 == 0 && height % 16 == 0 && rows > 1;
        return tiles ? measure_tiles(r, width, found) : measure_any(r, width, 0, found);
    }
    switch (width) {
    case 4:
        return measure_rectangle<1>(r, found);
    case 8:
        return measure_rectangle<2>(r, found);
    case 12:
        return measure_rectangle<3>(r, found);
    case 16:
        return measure_rectangle<4>(r, found);
    default:
        return measure_any(r, width, 0, found);
    }
}

} // namespace tandem
