// SPDX-License-Identifier: BSD-2-Clause
// As sad_rectangle_avx2.cpp, by vpsadbw, for processors whose mpsadbw is slow: 32 differences an instruction, of which
// AMD's do two a cycle, so 4 cycles a position of 16x16. The row of a block stands in a register twice (16 samples
// wide) or four times (8 wide), and so meets that many positions, as far apart as the block is wide.
#include "me/kernels/distortion_variants.h"
#include "me/kernels/row_pairs_avx2.h"
#include "me/kernels/sad_rectangle_avx2.h"

namespace tandem {

namespace {

/// 32 positions of a block 8 or 16 samples wide, in the order of columns.
template <int width> struct Sums {
    using Word = std::uint16_t;
    static constexpr int positions = 32;
    __m256i low, high;
    Sums() = default;
    explicit Sums(const std::uint16_t* words) : low(load32(words)), high(load32(words + 16)) {}

    std::uint64_t within(std::int32_t most) const {
        const __m256i limit = words_of(most);
        const std::uint64_t both = words_within(low, limit) | std::uint64_t{words_within(high, limit)} << 32;
        return both == 0 ? 0 : _pext_u64(both, 0x5555555555555555);
    }
    void store(std::uint16_t* words) const {
        store32(words, low);
        store32(words + 16, high);
    }
};

/// The sums of four columns, and of those as far from them as a block's row is repeated: four of 64 bits for each of
/// the four, of which two make up one where the block is 16 wide.
template <int width> struct FourColumns {
    struct Row {
        __m256i at[4];
        explicit Row(const Byte* p) : at{load32(p), load32(p + 1), load32(p + 2), load32(p + 3)} {}
    };
    __m256i at[4] = {};

    void add(const Byte* block, const Row& row) {
        const __m256i repeated =
            width == 16 ? _mm256_broadcastsi128_si256(load16(block)) : _mm256_broadcastq_epi64(load8(block));
        for (int i = 0; i < 4; ++i)
            add_sads(at[i], repeated, row.at[i]);
    }
    /// As words, to their columns of the 32.
    void store(std::uint16_t* words) const {
        __m256i all = _mm256_or_si256(_mm256_or_si256(at[0], _mm256_slli_epi64(at[1], 16)),
                                      _mm256_or_si256(_mm256_slli_epi64(at[2], 32), _mm256_slli_epi64(at[3], 48)));
        if constexpr (width == 16) all = _mm256_add_epi16(all, _mm256_shuffle_epi32(all, 0x4E));
        const __m128i first = _mm256_castsi256_si128(all), second = _mm256_extracti128_si256(all, 1);
        const auto put = [words](int column, __m128i four) {
            _mm_storel_epi64(reinterpret_cast<__m128i*>(words + column), four);
        };
        put(0, first);
        put(16, second);
        if constexpr (width == 8) {
            put(8, _mm_unpackhi_epi64(first, first));
            put(24, _mm_unpackhi_epi64(second, second));
        }
    }
};

template <int width> struct OneRow<Sums<width>> {
    Sums<width> only;
    OneRow(const Byte* current, Stride current_stride, const Byte* reference, Stride reference_stride, int height) {
        alignas(32) std::uint16_t words[Sums<width>::positions];
        for (int column = 0; column < width; column += 4) {
            const OneRow<FourColumns<width>> four(current, current_stride, reference + column, reference_stride,
                                                  height);
            four.only.store(words + column);
        }
        only = Sums<width>(words);
    }
};

template <int width> struct TwoRows<Sums<width>> {
    Sums<width> first, second;
    TwoRows(const Byte* current, Stride current_stride, const Byte* reference, Stride reference_stride, int height) {
        alignas(32) std::uint16_t words[2][Sums<width>::positions];
        for (int column = 0; column < width; column += 4) {
            const TwoRows<FourColumns<width>> four(current, current_stride, reference + column, reference_stride,
                                                   height);
            four.first.store(words[0] + column);
            four.second.store(words[1] + column);
        }
        first = Sums<width>(words[0]);
        second = Sums<width>(words[1]);
    }
};

/// SADs of a block at `count` (1..5) positions below one another, into a column of rows of words. Each pair of rows of
/// the reference is loaded once for all of them.
template <int count>
void measure_below(const RowPairs& block, const Byte* p, Stride stride, std::uint16_t* words, int row_length) {
    const __m256i none = _mm256_setzero_si256();
    __m256i sums[5] = {none, none, none, none, none};
#pragma GCC unroll 12
    for (int y = 0; y < 8 + count - 1; ++y) {
        const __m256i rows = RowPairs::pair(p + y * stride, stride);
#pragma GCC unroll 5
        for (int i = 0; i < count; ++i)
            if (y >= i && y - i < 8) add_sads(sums[i], block.at[y - i], rows);
    }
    const __m128i four = words_of_sums(sums[0], sums[1], sums[2], sums[3]);
    words[0] = static_cast<std::uint16_t>(_mm_extract_epi16(four, 0));
    if constexpr (count > 1) words[row_length] = static_cast<std::uint16_t>(_mm_extract_epi16(four, 1));
    if constexpr (count > 2) words[2 * row_length] = static_cast<std::uint16_t>(_mm_extract_epi16(four, 2));
    if constexpr (count > 3) words[3 * row_length] = static_cast<std::uint16_t>(_mm_extract_epi16(four, 3));
    if constexpr (count > 4)
        words[4 * row_length] = static_cast<std::uint16_t>(_mm_cvtsi128_si32(words_of_sums(sums[4], none, none, none)));
}

using MeasureBelow = void (*)(const RowPairs&, const Byte*, Stride, std::uint16_t*, int);
constexpr MeasureBelow measure_rows_below[6] = {nullptr,          measure_below<1>, measure_below<2>,
                                                measure_below<3>, measure_below<4>, measure_below<5>};

/// Fewer than 32 columns of positions of a block of 16x16, from one on: down each column, a few rows at a time.
template <class Taker> void measure_columns(const Rectangle& r, int first_column, Taker& taker) {
    constexpr int most_rows = 5, row_length = Sums<16>::positions;
    const RowPairs block(r.current, r.current_stride);
    const int columns = r.columns - first_column;
    alignas(32) std::uint16_t words[most_rows * row_length] = {};
    for (int row = 0, count = 0; row < r.rows; row += count) {
        const int left = r.rows - row;
        count = left > 8 || left == most_rows ? most_rows : left < 4 ? left : 4; // 9 are 5 and 4.
        for (int column = 0; column < columns; ++column)
            measure_rows_below[count](block, r.at(first_column + column, row), r.reference_stride, words + column,
                                      row_length);
        for (int i = 0; i < count; ++i)
            report(Sums<16>(words + i * row_length), first_column, columns, row + i, taker);
    }
}

/// A block of 16x16. A strip of 32 columns takes as long as some 26 of them by themselves.
template <class Taker> void measure_16x16(const Rectangle& r, Taker& taker) {
    constexpr int few = 26;
    int strips = strips_of(r.columns, Sums<16>::positions, few);
    if (strips * Sums<16>::positions < r.columns) measure_columns(r, strips * Sums<16>::positions, taker);
    while (--strips >= 0)
        measure_strip<Sums<16>>(r, strips * Sums<16>::positions, taker);
}

} // namespace

int sads_within_psadbw_avx2(const Byte* current, Stride current_stride, const Byte* reference, Stride reference_stride,
                            int width, int height, int columns, int rows, const std::int32_t* limits,
                            MeasuredPosition* found) {
    const Rectangle r{current, current_stride, reference, reference_stride, height, columns, rows};
    Within good(limits, found);
    if (width == 8 && height <= 32)
        measure_narrow_sums<Sums<8>>(r, 8, good);
    else if (width == 16 && height == 16)
        measure_16x16(r, good);
    else if (width == 16 && height < 16)
        measure_narrow_sums<Sums<16>>(r, 16, good);
    else if (width % 16 == 0 && height % 16 == 0 && rows > 1)
        measure_tiles<Sums<16>, SumsOfTiles<Sums<16>>, sad_row_avx2>(r, width, good);
    else
        return sads_within_avx2(current, current_stride, reference, reference_stride, width, height, columns, rows,
                                limits, found);
    return good.count_from(found);
}

void all_sads_psadbw_avx2(const Byte* current, Stride current_stride, const Byte* reference, Stride reference_stride,
                          int width, int height, int columns, int rows, std::uint16_t* sads, Stride row_length) {
    const Rectangle r{current, current_stride, reference, reference_stride, height, columns, rows};
    const Everything<std::uint16_t> all{sads, row_length};
    if (width == 8)
        measure_narrow_sums<Sums<8>>(r, 8, all);
    else if (width == 16 && height == 16)
        measure_16x16(r, all);
    else if (width == 16)
        measure_narrow_sums<Sums<16>>(r, 16, all);
    else
        all_sads_avx2(current, current_stride, reference, reference_stride, width, height, columns, rows, sads,
                      row_length);
}

} // namespace tandem
