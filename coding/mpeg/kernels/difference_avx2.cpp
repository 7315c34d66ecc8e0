// SPDX-License-Identifier: BSD-2-Clause
// What the prediction of a block leaves, and how much of it there is.
#include <immintrin.h>

#include "coding/mpeg/kernels/transform.h"
#include "coding/mpeg/kernels/transform_variants.h"

namespace tandem {

namespace {

using Words = __m256i; ///< Two rows of 8 values.

Words load_words(const std::int16_t* from) { return _mm256_load_si256(reinterpret_cast<const Words*>(from)); }
Words in_other_order(Words two_rows) { return _mm256_permute4x64_epi64(two_rows, 0x4E); }

/// Each row from right to left.
Words mirrored(Words rows) {
    return _mm256_shuffle_epi8(
        rows, _mm256_broadcastsi128_si256(_mm_setr_epi8(14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1)));
}

/// Products of the values of four rows, added by pairs.
Words products(Words a, Words with_a, Words b, Words with_b) {
    return _mm256_add_epi32(_mm256_madd_epi16(a, with_a), _mm256_madd_epi16(b, with_b));
}

Words widened(const std::uint8_t* sixteen) {
    return _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(sixteen)));
}

void store_row(std::int16_t* to, __m128i row) { _mm_store_si128(reinterpret_cast<__m128i*>(to), row); }

} // namespace

void difference_of_two_avx2(const std::uint8_t* a, std::ptrdiff_t a_stride, const std::uint8_t* b,
                            std::ptrdiff_t b_stride, Block* out, std::uint32_t* energies) {
    Words energy = _mm256_setzero_si256(); // Of the left block in the lower half.
#pragma GCC unroll 8
    for (int y = 0; y < 8; ++y) {
        const Words values = _mm256_sub_epi16(widened(a + y * a_stride), widened(b + y * b_stride));
        energy = _mm256_add_epi32(energy, _mm256_madd_epi16(values, values));
        store_row(out[0].value + 8 * y, _mm256_castsi256_si128(values));
        store_row(out[1].value + 8 * y, _mm256_extracti128_si256(values, 1));
    }
    const Words pairs = _mm256_hadd_epi32(energy, energy);
    const Words sums = _mm256_hadd_epi32(pairs, pairs);
    energies[0] = static_cast<std::uint32_t>(_mm_cvtsi128_si32(_mm256_castsi256_si128(sums)));
    energies[1] = static_cast<std::uint32_t>(_mm_cvtsi128_si32(_mm256_extracti128_si256(sums, 1)));
}

/// What rows folded down have of squares, plus and minus the products of values and mirrored ones, is what they have
/// once they are folded across too.
std::uint32_t largest_part_avx2(const Block& values) {
    const Words rows_01 = load_words(values.value), rows_23 = load_words(values.value + 16);
    const Words rows_54 = in_other_order(load_words(values.value + 32));
    const Words rows_76 = in_other_order(load_words(values.value + 48));
    const Words sums_01 = _mm256_add_epi16(rows_01, rows_76), sums_23 = _mm256_add_epi16(rows_23, rows_54);
    const Words less_01 = _mm256_sub_epi16(rows_01, rows_76), less_23 = _mm256_sub_epi16(rows_23, rows_54);
    const Words squares =
        _mm256_hadd_epi32(products(sums_01, sums_01, sums_23, sums_23), products(less_01, less_01, less_23, less_23));
    const Words across = _mm256_hadd_epi32(products(sums_01, mirrored(sums_01), sums_23, mirrored(sums_23)),
                                           products(less_01, mirrored(less_01), less_23, mirrored(less_23)));
    const Words all = _mm256_hadd_epi32(squares, across);
    const __m128i four = _mm_add_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
    const __m128i largest = _mm_add_epi32(four, _mm_abs_epi32(_mm_unpackhi_epi64(four, four)));
    return static_cast<std::uint32_t>(_mm_cvtsi128_si32(_mm_max_epi32(largest, _mm_shuffle_epi32(largest, 0x55))));
}

} // namespace tandem
