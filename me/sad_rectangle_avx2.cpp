// SPDX-License-Identifier: BSD-2-Clause
// As sad_rectangle_avx512.cpp, by mpsadbw: 64 differences an instruction of two micro-operations on one port, so 8
// cycles a position of 16x16.
#include <immintrin.h>

#include "me/simd_variants.h"

namespace tandem {

namespace {

using Byte = std::uint8_t;
using Stride = std::ptrdiff_t;

constexpr int together = 32; ///< Positions of a row that are measured together.

__m256i load32(const Byte* p) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); }

/// 32 positions of a block so many fours of samples wide: `near` has 0..7 and 16..23, `far` the others.
template <int fours> struct Sums {
    struct Row {
        __m256i at0, at8, at16;
        explicit Row(const Byte* p) : at0(load32(p)), at8(load32(p + 8)), at16(fours > 2 ? load32(p + 16) : at8) {}
    };
    __m256i near = _mm256_setzero_si256(), far = _mm256_setzero_si256();

    void add(const Byte* block, const Row& row) {
        const __m256i b = _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(block)));
        near = _mm256_adds_epu16(near, _mm256_mpsadbw_epu8(row.at0, b, 0x00));
        far = _mm256_adds_epu16(far, _mm256_mpsadbw_epu8(row.at8, b, 0x00));
        if constexpr (fours > 1) {
            near = _mm256_adds_epu16(near, _mm256_mpsadbw_epu8(row.at0, b, 0x2D));
            far = _mm256_adds_epu16(far, _mm256_mpsadbw_epu8(row.at8, b, 0x2D));
        }
        if constexpr (fours > 2) {
            near = _mm256_adds_epu16(near, _mm256_mpsadbw_epu8(row.at8, b, 0x12));
            far = _mm256_adds_epu16(far, _mm256_mpsadbw_epu8(row.at16, b, 0x12));
        }
        if constexpr (fours > 3) {
            near = _mm256_adds_epu16(near, _mm256_mpsadbw_epu8(row.at8, b, 0x3F));
            far = _mm256_adds_epu16(far, _mm256_mpsadbw_epu8(row.at16, b, 0x3F));
        }
    }
    /// Two equal bits a position, near's and far's lanes in their order.
    static unsigned within(__m256i sums, __m256i limit) {
        return static_cast<unsigned>(_mm256_movemask_epi8(_mm256_cmpeq_epi16(_mm256_min_epu16(sums, limit), sums)));
    }
    std::uint32_t within(__m256i limit) const {
        const unsigned in_near = within(near, limit), in_far = within(far, limit);
        if ((in_near | in_far) == 0) return 0;
        return _pdep_u32(_pext_u32(in_near, 0x55555555), 0x00FF00FF) |
               _pdep_u32(_pext_u32(in_far, 0x55555555), 0xFF00FF00);
    }
    void store(std::uint16_t* words) const {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(words), _mm256_permute2x128_si256(near, far, 0x20));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(words + 16), _mm256_permute2x128_si256(near, far, 0x31));
    }
};

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
    std::uint32_t lanes = sums.within(_mm256_set1_epi16(static_cast<short>(limit < 65535 ? limit : 65535)));
    if (columns < together) lanes &= (1u << columns) - 1;
    if (lanes == 0) return 0;
    alignas(32) std::uint16_t words[together];
    sums.store(words);
    int n = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        const auto i = static_cast<int>(_tzcnt_u32(lanes));
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
    const int columns = r.columns - column < together ? r.columns - column : together;
    const int n = report(sums.first, column, columns, row, r.limits[row], found);
    return n + report(sums.second, column, columns, row + 1, r.limits[row + 1], found + n);
}

template <class Sums> int measure_row(const Rectangle& r, int column, int row, MeasuredPosition* found) {
    const Byte* reference = r.reference + row * r.reference_stride + column;
    Sums sums;
    for (int y = 0; y < r.height; ++y)
        sums.add(r.current + y * r.current_stride, typename Sums::Row(reference + y * r.reference_stride));
    const int columns = r.columns - column < together ? r.columns - column : together;
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

/// The positions of one row of a block of any size, from a column on.
int measure_rest(const Rectangle& r, int width, int first_column, int row, MeasuredPosition* found) {
    int n = 0;
    std::uint32_t sads[together];
    const auto limit = static_cast<std::uint32_t>(r.limits[row]);
    for (int column = first_column; column < r.columns; column += together) {
        const int count = r.columns - column < together ? r.columns - column : together;
        sad_row_avx2(r.current, r.current_stride, r.reference + row * r.reference_stride + column, r.reference_stride,
                     width, r.height, count, sads);
        for (int i = 0; i < count; ++i) {
            found[n] = {{static_cast<std::uint16_t>(column + i), static_cast<std::uint16_t>(row)}, sads[i]};
            n += sads[i] <= limit;
        }
    }
    return n;
}

int measure_rest(const Rectangle& r, int width, int first_column, MeasuredPosition* found) {
    int n = 0;
    for (int row = 0; row < r.rows && first_column < r.columns; ++row) {
        if (r.limits[row] >= 0) n += measure_rest(r, width, first_column, row, found + n);
    }
    return n;
}

/// Sums of tiles at a row of 32 positions.
struct SumsOfTiles {
    __m256i sums[4] = {};

    void add(const Sums<4>& tile) {
        alignas(32) std::uint16_t words[together];
        tile.store(words);
        for (int i = 0; i < 4; ++i) {
            const __m128i eight = _mm_load_si128(reinterpret_cast<const __m128i*>(words + 8 * i));
            sums[i] = _mm256_add_epi32(sums[i], _mm256_cvtepu16_epi32(eight));
        }
    }
    int report(int column, int columns, int row, std::int32_t limit, MeasuredPosition* found) const {
        alignas(32) std::uint32_t sads[together];
        std::uint32_t bad = 0;
        for (int i = 0; i < 4; ++i) {
            _mm256_store_si256(reinterpret_cast<__m256i*>(sads + 8 * i), sums[i]);
            const __m256i above = _mm256_cmpgt_epi32(sums[i], _mm256_set1_epi32(limit));
            bad |= static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(above))) << (8 * i);
        }
        std::uint32_t good = columns < together ? ~bad & ((1u << columns) - 1) : ~bad;
        int n = 0;
        for (; good != 0; good &= good - 1) {
            const auto i = static_cast<int>(_tzcnt_u32(good));
            found[n++] = {{static_cast<std::uint16_t>(column + i), static_cast<std::uint16_t>(row)}, sads[i]};
        }
        return n;
    }
};

/// A block that tiles of 16x16 make up, at two rows or more. Of an odd number of rows the last but one is summed twice.
int measure_tiles(const Rectangle& r, int width, MeasuredPosition* found) {
    constexpr int few = 4; // Columns that are not worth 32.
    int n = 0, column = 0;
    for (; r.columns - column > few; column += together) {
        const int columns = r.columns - column < together ? r.columns - column : together;
        for (int row = 0; row < r.rows; row += 2) {
            const int upper = row + 1 < r.rows ? row : row - 1;
            if ((r.limits[upper] & r.limits[upper + 1]) < 0) continue;
            SumsOfTiles first, second;
            for (int y = 0; y < r.height; y += 16) {
                for (int x = 0; x < width; x += 16) {
                    const TwoRows<Sums<4>> tile(r.current + y * r.current_stride + x, r.current_stride,
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
    return n + measure_rest(r, width, column, found + n);
}

/// A block whose sums fit 16 bits.
template <int fours> int measure_rectangle(const Rectangle& r, MeasuredPosition* found) {
    constexpr int few = 6; // Columns that are cheaper one by one.
    int n = 0;
    int column = 0;
    for (; r.columns - column > few; column += together)
        n += measure_strip<Sums<fours>>(r, column, found + n);
    return n + measure_rest(r, 4 * fours, column, found + n);
}

} // namespace

int sads_within_avx2(const Byte* current, Stride current_stride, const Byte* reference, Stride reference_stride,
                     int width, int height, int columns, int rows, const std::int32_t* limits,
                     MeasuredPosition* found) {
    const Rectangle r{current, current_stride, reference, reference_stride, height, columns, rows, limits};
    if (width * height <= 256) {
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
            break;
        }
    }
    if (width % 16 == 0 && height % 16 == 0 && rows > 1) return measure_tiles(r, width, found);
    return measure_rest(r, width, 0, found);
}

} // namespace tandem
