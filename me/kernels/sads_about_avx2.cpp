// SPDX-License-Identifier: BSD-2-Clause
#include "me/kernels/row_pairs_avx2.h"

namespace tandem {

namespace {

using Byte = std::uint8_t;
using Stride = std::ptrdiff_t;

/// A block of 8x8: rows y and y + 4 side by side.
struct NarrowRowPairs {
    static constexpr int count = 4;
    using Pair = __m128i;
    Pair at[count];
    NarrowRowPairs(const Byte* p, Stride stride) {
        for (int y = 0; y < count; ++y)
            at[y] = pair(p + y * stride, stride);
    }
    static Pair pair(const Byte* p, Stride stride) {
        const __m128 upper = _mm_castsi128_ps(load8(p));
        return _mm_castps_si128(_mm_loadh_pi(upper, reinterpret_cast<const __m64*>(p + 4 * stride)));
    }
    static void add(Pair& sum, Pair block, Pair samples) { sum = _mm_add_epi16(sum, _mm_sad_epu8(block, samples)); }
    static __m128i words(Pair first, Pair second, Pair third, Pair fourth) {
        const __m128i parts = _mm_or_si128(_mm_or_si128(first, _mm_slli_epi64(second, 16)),
                                           _mm_or_si128(_mm_slli_epi64(third, 32), _mm_slli_epi64(fourth, 48)));
        return _mm_add_epi16(parts, _mm_unpackhi_epi64(parts, parts));
    }
};

/// A block of 16x16.
struct WideRowPairs : RowPairs {
    static constexpr int count = 8;
    using Pair = __m256i;
    using RowPairs::RowPairs;
    static void add(Pair& sum, Pair block, Pair samples) { add_sads(sum, block, samples); }
    static __m128i words(Pair first, Pair second, Pair third, Pair fourth) {
        return words_of_sums(first, second, third, fourth);
    }
};

/// The sums at a place and one row above and below it, from pairs of rows that are loaded once for the three.
template <class Block> struct SumsOfColumn {
    typename Block::Pair above{}, here{}, below{};
    SumsOfColumn(const Block& block, const Byte* place, Stride stride) {
#pragma GCC unroll 10
        for (int y = -1; y <= Block::count; ++y) {
            const auto samples = Block::pair(place + y * stride, stride);
            if (y + 1 < Block::count) Block::add(above, block.at[y + 1], samples);
            if (y >= 0 && y < Block::count) Block::add(here, block.at[y], samples);
            if (y >= 1) Block::add(below, block.at[y - 1], samples);
        }
    }
};

template <class Block>
unsigned sads_about_block(const Byte* current, Stride current_stride, const Byte* place, Stride stride,
                          std::uint32_t most, std::uint32_t* sads) {
    const Block block(current, current_stride);
    const SumsOfColumn<Block> left(block, place - 1, stride), middle(block, place, stride),
        right(block, place + 1, stride);
    const __m128i first = Block::words(left.above, middle.above, right.above, left.here);
    const __m128i second = Block::words(right.here, left.below, middle.below, right.below);
    const __m128i words = _mm_unpacklo_epi64(first, second);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(sads), _mm256_cvtepu16_epi32(words));
    return words_at_most(words, most);
}

} // namespace

unsigned sads_about_avx2(const Byte* current, Stride current_stride, const Byte* place, Stride stride, int width,
                         int height, std::uint32_t most, std::uint32_t* sads) {
    if (width == 16 && height == 16)
        return sads_about_block<WideRowPairs>(current, current_stride, place, stride, most, sads);
    if (width == 8 && height == 8)
        return sads_about_block<NarrowRowPairs>(current, current_stride, place, stride, most, sads);
    unsigned good = 0;
    for (int i = 0; i < 8; ++i) {
        const int number = i < 4 ? i : i + 1; // Of nine places, of which the fifth is left out.
        const Byte* reference = place + (number / 3 - 1) * stride + number % 3 - 1;
        sads[i] = sad_avx2(current, current_stride, reference, stride, width, height);
        good |= (sads[i] <= most ? 1U : 0U) << i;
    }
    return good;
}

} // namespace tandem
