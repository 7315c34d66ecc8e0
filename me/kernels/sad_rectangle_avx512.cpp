// SPDX-License-Identifier: BSD-2-Clause
// SADs of rectangles of positions. What bounds them is vdbpsadbw: 128 differences an instruction on one port, with an
// addition on the other, so 2 cycles a position of 16x16. Everything else must fit beside those two: two rows of
// positions share each row of the reference, and sums are compared as the 16-bit words they are.
#include "me/kernels/avx512.h"
#include "me/kernels/distortion_variants.h"
#include "me/kernels/sad_rectangle.h"

namespace tandem {

namespace {

constexpr int wide = 64;   ///< Positions of a row that are measured together,
constexpr int narrow = 32; ///< and of what is left of it.
constexpr int single = 6;  ///< Columns of blocks of 16x16 that are measured sooner one by one, as AVX2 does it.

__m512i load32_twice(const Byte* p) { return _mm512_inserti64x4(_mm512_castsi256_si512(load32(p)), load32(p + 8), 1); }

/// A limit beside sums of 16 bits.
__m512i words_of(std::int32_t limit) { return _mm512_set1_epi16(static_cast<short>(limit < 65535 ? limit : 65535)); }

/// 64 positions of a block 4 fours wide at most: in each lane of 16 bytes, `near` has 8 and `far` the 8 that follow.
template <int fours> struct WideSums {
    using Word = std::uint16_t;
    static constexpr int positions = wide;
    struct Row {
        __m512i at0, at8, at16;
        explicit Row(const Byte* p) : at0(load64(p)), at8(load64(p + 8)), at16(fours > 2 ? load64(p + 16) : at8) {}
    };
    __m512i near = _mm512_setzero_si512(), far = _mm512_setzero_si512();

    void add(const Byte* block, const Row& row) {
        const __m512i b0 = four_bytes(block);
        near = add_sads<from_byte_0>(near, b0, row.at0);
        far = add_sads<from_byte_0>(far, b0, row.at8);
        if constexpr (fours > 1) {
            const __m512i b1 = four_bytes(block + 4);
            near = add_sads<from_byte_4>(near, b1, row.at0);
            far = add_sads<from_byte_4>(far, b1, row.at8);
        }
        if constexpr (fours > 2) {
            const __m512i b2 = four_bytes(block + 8);
            near = add_sads<from_byte_0>(near, b2, row.at8);
            far = add_sads<from_byte_0>(far, b2, row.at16);
        }
        if constexpr (fours > 3) {
            const __m512i b3 = four_bytes(block + 12);
            near = add_sads<from_byte_4>(near, b3, row.at8);
            far = add_sads<from_byte_4>(far, b3, row.at16);
        }
    }
    std::uint64_t within(std::int32_t most) const {
        const __m512i limit = words_of(most);
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

/// Loads of 64 bytes mostly cross a line of the cache, and what waits for them costs time on the port that bounds this
/// (presumably it is issued more than once).
template <> constexpr bool loads_ahead<WideSums<4>> = true;

/// 32 positions: lanes 0 and 1 as `near`, lanes 2 and 3 as `far`.
template <int fours> struct NarrowSums {
    using Word = std::uint16_t;
    static constexpr int positions = narrow;
    struct Row {
        __m512i at0, at8;
        explicit Row(const Byte* p) : at0(load32_twice(p)), at8(fours > 2 ? load32_twice(p + 8) : at0) {}
    };
    __m512i sums = _mm512_setzero_si512();

    void add(const Byte* block, const Row& row) {
        sums = add_sads<from_byte_0>(sums, four_bytes(block), row.at0);
        if constexpr (fours > 1) sums = add_sads<from_byte_4>(sums, four_bytes(block + 4), row.at0);
        if constexpr (fours > 2) sums = add_sads<from_byte_0>(sums, four_bytes(block + 8), row.at8);
        if constexpr (fours > 3) sums = add_sads<from_byte_4>(sums, four_bytes(block + 12), row.at8);
    }
    std::uint64_t within(std::int32_t most) const {
        const std::uint32_t all = _mm512_cmple_epu16_mask(sums, words_of(most));
        return _pdep_u32(all, 0x00FF00FF) | _pdep_u32(all >> 16, 0xFF00FF00);
    }
    void store(std::uint16_t* words) const {
        _mm512_storeu_si512(words, _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 1, 4, 5, 2, 3, 6, 7), sums));
    }
};

/// Sums of tiles at a row of 64 positions.
struct SumsOfTiles {
    using Word = std::uint32_t;
    static constexpr int positions = wide;
    __m512i sums[4] = {};

    void add(const WideSums<4>& tile) {
        alignas(64) std::uint16_t words[wide];
        tile.store(words);
        for (int i = 0; i < 4; ++i) {
            const __m256i sixteen = _mm256_load_si256(reinterpret_cast<const __m256i*>(words + 16 * i));
            sums[i] = _mm512_add_epi32(sums[i], _mm512_cvtepu16_epi32(sixteen));
        }
    }
    std::uint64_t within(std::int32_t limit) const {
        std::uint64_t good = 0;
        for (int i = 0; i < 4; ++i)
            good |= std::uint64_t{_mm512_cmple_epi32_mask(sums[i], _mm512_set1_epi32(limit))} << (16 * i);
        return good;
    }
    void store(Word* words) const {
        for (int i = 0; i < 4; ++i)
            _mm512_storeu_si512(words + 16 * i, sums[i]);
    }
};

/// A block whose sums fit 16 bits.
template <int fours, class Taker> void measure_narrow_sums(const Rectangle& r, Taker& taker) {
    constexpr int few = fours == 2 || fours == 4 ? 4 : 0; // Columns that are cheaper one by one, where those are fast.
    int strips = strips_of(r.columns, wide, narrow + few);
    int column = strips * wide;
    if (r.columns - column > few) {
        measure_strip<NarrowSums<fours>>(r, column, taker);
        column += narrow;
    }
    for (; column < r.columns; ++column)
        measure_column<sad_column_avx512>(r, 4 * fours, column, taker);
    while (--strips >= 0)
        measure_strip<WideSums<fours>>(r, strips * wide, taker);
}

/// A block of at most 256 samples.
template <class Taker> void measure_small(const Rectangle& r, int width, Taker& taker) {
    switch (width) {
    case 4:
        return measure_narrow_sums<1>(r, taker);
    case 8:
        return measure_narrow_sums<2>(r, taker);
    case 12:
        return measure_narrow_sums<3>(r, taker);
    case 16:
        return measure_narrow_sums<4>(r, taker);
    default:
        return measure_any<sad_row_avx512>(r, width, 0, taker);
    }
}

} // namespace

int sads_within_avx512(const Byte* current, Stride current_stride, const Byte* reference, Stride reference_stride,
                       int width, int height, int columns, int rows, const std::int32_t* limits,
                       MeasuredPosition* found) {
    if (width == 16 && height == 16 && columns <= single)
        return sads_within_psadbw_avx2(current, current_stride, reference, reference_stride, width, height, columns,
                                       rows, limits, found);
    const Rectangle r{current, current_stride, reference, reference_stride, height, columns, rows};
    Within good(limits, found);
    if (width * height <= 256)
        measure_small(r, width, good);
    else if (width % 16 == 0 && height % 16 == 0 && rows > 1)
        measure_tiles<WideSums<4>, SumsOfTiles, sad_row_avx512>(r, width, good);
    else
        measure_any<sad_row_avx512>(r, width, 0, good);
    return good.count_from(found);
}

void all_sads_avx512(const Byte* current, Stride current_stride, const Byte* reference, Stride reference_stride,
                     int width, int height, int columns, int rows, std::uint16_t* sads, Stride row_length) {
    const Rectangle r{current, current_stride, reference, reference_stride, height, columns, rows};
    const Everything<std::uint16_t> all{sads, row_length};
    measure_small(r, width, all);
}

} // namespace tandem
