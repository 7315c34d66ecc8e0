// SPDX-License-Identifier: BSD-2-Clause
// The arithmetic of a block with AVX-512 (F, BW, DQ, VL). A block is 2 registers of four rows each. Where wider
// registers gain nothing the table has AVX2's kernels: the inverse DCT's 8 columns of floats fill registers of 8 lanes,
// what reads its result would wait for two stores to become one load, and sums are over too little.
#include <immintrin.h>

#include "coding/mpeg/kernels/transform.h"
#include "coding/mpeg/kernels/transform_tables.h"
#include "coding/mpeg/kernels/transform_variants.h"

namespace tandem {

namespace {

using Words = __m512i; ///< 32 values of 16 bits: four rows of a block.

Words load_words(const void* from) { return _mm512_load_si512(from); }
void store_words(void* to, Words words) { _mm512_store_si512(to, words); }

__m128i load_two_rows(const std::uint8_t* samples, std::ptrdiff_t stride) {
    return _mm_unpacklo_epi64(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(samples)),
                              _mm_loadl_epi64(reinterpret_cast<const __m128i*>(samples + stride)));
}

/// Four rows of 8 samples, widened.
Words load_four_rows(const std::uint8_t* samples, std::ptrdiff_t stride) {
    const __m256i bytes = _mm256_inserti128_si256(_mm256_castsi128_si256(load_two_rows(samples, stride)),
                                                  load_two_rows(samples + 2 * stride, stride), 1);
    return _mm512_cvtepu8_epi16(bytes);
}

std::uint32_t difference(const std::uint8_t* a, std::ptrdiff_t a_stride, const std::uint8_t* b, std::ptrdiff_t b_stride,
                         Block& out) {
    Words energy = _mm512_setzero_si512();
#pragma GCC unroll 2
    for (int y = 0; y < 8; y += 4) {
        const Words of_a = load_four_rows(a + y * a_stride, a_stride);
        const Words of_b = load_four_rows(b + y * b_stride, b_stride);
        const Words values = _mm512_sub_epi16(of_a, of_b);
        energy = _mm512_add_epi32(energy, _mm512_madd_epi16(values, values));
        store_words(out.value + 8 * y, values);
    }
    return static_cast<std::uint32_t>(_mm512_reduce_add_epi32(energy));
}

void widen(const std::uint8_t* a, std::ptrdiff_t a_stride, Block& out) {
    for (int y = 0; y < 8; y += 4)
        store_words(out.value + 8 * y, load_four_rows(a + y * a_stride, a_stride));
}

/// The pairs (row a, row b) of the 8 columns in both halves, from the quarters a and a + 1 of four rows.
template <int first> Words pair_rows(Words four_rows) {
    const Words halves =
        _mm512_permutexvar_epi64(_mm512_setr_epi64(2 * first, 2 * first + 2, 2 * first + 1, 2 * first + 3, 2 * first,
                                                   2 * first + 2, 2 * first + 1, 2 * first + 3),
                                 four_rows);
    return _mm512_shuffle_epi8(
        halves, _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15)));
}

/// forward_columns[v] from `first` on, two of them in each 32-bit lane; in the upper half those of v + 2.
Words column_constants(int v, int first) {
    int low = 0, high = 0;
    __builtin_memcpy(&low, forward_columns[v] + first, sizeof low);
    __builtin_memcpy(&high, forward_columns[v + 2] + first, sizeof high);
    return _mm512_mask_set1_epi32(_mm512_set1_epi32(low), 0xFF00, high);
}

/// Output rows v | v + 2 of the column pass, 32 bits. `near` and `far` as in AVX2's column_output().
Words column_output(Words near, Words far, int v) {
    const Words rounding = _mm512_set1_epi32(1 << (forward_columns_shift - 1));
    const Words sum = _mm512_add_epi32(_mm512_madd_epi16(near, column_constants(v, 0)),
                                       _mm512_madd_epi16(far, column_constants(v, 2)));
    return _mm512_srai_epi32(_mm512_add_epi32(sum, rounding), forward_columns_shift);
}

/// Lane 0..7: the pair at dword `pair` of `rows`; lane 8..15: the one 8 dwords on.
Words spread_pair(Words rows, int pair) {
    const Words upper = _mm512_setr_epi32(0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8);
    return _mm512_permutexvar_epi32(_mm512_add_epi32(upper, _mm512_set1_epi32(pair)), rows);
}

Words row_constants(int pair) {
    return _mm512_broadcast_i64x4(_mm256_load_si256(reinterpret_cast<const __m256i*>(forward_rows[pair])));
}

/// Row pass: 8 outputs each of two rows, 32 bits; their pairs of values are at dwords first, first + 1, first + 4,
/// first + 5 of each half.
Words row_output(Words rows, int first) {
    const Words rounding = _mm512_set1_epi32(1 << (forward_rows_shift - 1));
    const Words left = _mm512_add_epi32(_mm512_madd_epi16(spread_pair(rows, first), row_constants(0)),
                                        _mm512_madd_epi16(spread_pair(rows, first + 1), row_constants(1)));
    const Words right = _mm512_add_epi32(_mm512_madd_epi16(spread_pair(rows, first + 4), row_constants(2)),
                                         _mm512_madd_epi16(spread_pair(rows, first + 5), row_constants(3)));
    return _mm512_srai_epi32(_mm512_add_epi32(_mm512_add_epi32(left, right), rounding), forward_rows_shift);
}

void forward_dct(const Block& values, Block& coefficients) {
    const Words rows_0123 = load_words(values.value);
    const Words rows_4567 = load_words(values.value + 32);
    const Words rows_7654 = _mm512_shuffle_i64x2(rows_4567, rows_4567, 0x1B);
    const Words sums = _mm512_add_epi16(rows_0123, rows_7654);
    const Words differences = _mm512_sub_epi16(rows_0123, rows_7654);
    const Words sums_01 = pair_rows<0>(sums), sums_23 = pair_rows<2>(sums);
    const Words differences_01 = pair_rows<0>(differences), differences_23 = pair_rows<2>(differences);
    for (int v = 0; v < 8; v += 4) {
        // Columns 0..3 of rows v, v + 1 | 4..7 of them | 0..3 of rows v + 2, v + 3 | 4..7 of them.
        const Words columns = _mm512_packs_epi32(column_output(sums_01, sums_23, v),
                                                 column_output(differences_01, differences_23, v + 1));
        const Words rows = _mm512_packs_epi32(row_output(columns, 0), row_output(columns, 2));
        store_words(coefficients.value + 8 * v, _mm512_permutex_epi64(rows, 0xD8));
    }
}

Words quantise_words(const Block& coefficients, const Quantiser& quantiser, int i) {
    const Words value = load_words(coefficients.value + i);
    const Words magnitude = _mm512_abs_epi16(value);
    const Words sum = _mm512_adds_epu16(_mm512_adds_epu16(magnitude, magnitude), load_words(quantiser.bias + i));
    const Words product = _mm512_mulhi_epu16(sum, load_words(quantiser.reciprocal + i));
    const Words level = _mm512_min_epu16(_mm512_srlv_epi16(product, load_words(quantiser.shift + i)),
                                         load_words(quantiser.level_limit + i));
    return _mm512_mask_sub_epi16(level, _mm512_movepi16_mask(value), _mm512_setzero_si512(), level);
}

/// Intra DC's level: in the register, since a store of one word would hold up the load of its whole row.
Words replace_dc(Words levels, int coefficient, const Quantiser& quantiser) {
    const int shift = 3 + __builtin_ctz(static_cast<unsigned>(quantiser.dc_multiplier)); // 8 * dc_multiplier
    const int highest = (1 << (14 - shift)) - 1;
    const int quantised = (coefficient + (1 << shift >> 1)) >> shift;
    const int positive = quantised < 0 ? 0 : quantised;
    return _mm512_mask_set1_epi16(levels, 1, static_cast<short>(positive > highest ? highest : positive));
}

std::uint64_t quantise(const Block& coefficients, const Quantiser& quantiser, Block& levels) {
    const int dc = coefficients.value[0];
    const Words upper = quantise_words(coefficients, quantiser, 0);
    const Words lower = quantise_words(coefficients, quantiser, 32);
    const std::uint64_t nonzero = static_cast<std::uint64_t>(_mm512_test_epi16_mask(lower, lower)) << 32 |
                                  static_cast<std::uint64_t>(_mm512_test_epi16_mask(upper, upper));
    store_words(levels.value, quantiser.intra ? replace_dc(upper, dc, quantiser) : upper);
    store_words(levels.value + 32, lower);
    return quantiser.intra ? nonzero & ~std::uint64_t{1} : nonzero;
}

std::uint64_t scan_levels(const Block& levels, std::uint64_t, bool alternate, std::int16_t* scanned) {
    constexpr int early_ones = 16; // All that most blocks have.
    const __m512i order = _mm512_loadu_si512(scan_order(alternate).data());
    const Words upper = load_words(levels.value), lower = load_words(levels.value + 32);
    const Words first = _mm512_permutex2var_epi16(upper, _mm512_cvtepu8_epi16(_mm512_castsi512_si256(order)), lower);
    const Words second =
        _mm512_permutex2var_epi16(upper, _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(order, 1)), lower);
    const std::uint64_t mask = static_cast<std::uint64_t>(_mm512_test_epi16_mask(second, second)) << 32 |
                               static_cast<std::uint64_t>(_mm512_test_epi16_mask(first, first));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(scanned), _mm512_castsi512_si256(first));
    if (mask >> early_ones != 0) {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(scanned + early_ones), _mm512_extracti64x4_epi64(first, 1));
        _mm512_storeu_si512(scanned + 32, second);
    }
    return mask;
}

/// 32 levels to coefficients, saturated; see AVX2's reconstruct().
Words reconstruct(Words level, Words weight, Words half_step, bool mpeg1) {
    const Words magnitude = _mm512_abs_epi16(level);
    const Words factor = _mm512_add_epi16(_mm512_add_epi16(magnitude, magnitude), half_step);
    const Words low = _mm512_srli_epi16(_mm512_mullo_epi16(factor, weight), 5);
    const Words high = _mm512_min_epu16(_mm512_mulhi_epu16(factor, weight), _mm512_set1_epi16(2));
    Words value = _mm512_maskz_add_epi16(_mm512_test_epi16_mask(level, level), low, _mm512_slli_epi16(high, 11));
    if (mpeg1) {
        const Words one = _mm512_set1_epi16(1);
        value = _mm512_or_si512(_mm512_subs_epu16(value, one), _mm512_min_epu16(value, one));
    }
    value = _mm512_mask_sub_epi16(value, _mm512_movepi16_mask(level), _mm512_setzero_si512(), value);
    return _mm512_max_epi16(_mm512_min_epi16(value, _mm512_set1_epi16(2047)), _mm512_set1_epi16(-2048));
}

void dequantise(const Block& levels, const Quantiser& quantiser, Block& coefficients) {
    const Words half_step = _mm512_set1_epi16(quantiser.intra ? 0 : 1);
    const int dc = levels.value[0] * quantiser.dc_multiplier;
    Words upper = reconstruct(load_words(levels.value), load_words(quantiser.weight), half_step, quantiser.mpeg1);
    Words lower =
        reconstruct(load_words(levels.value + 32), load_words(quantiser.weight + 32), half_step, quantiser.mpeg1);
    if (quantiser.intra) {
        const int limited = dc > 2047 ? 2047 : dc < -2048 ? -2048 : dc;
        upper = _mm512_mask_set1_epi16(upper, 1, static_cast<short>(limited));
    }
    if (!quantiser.mpeg1) {
        const Words lowest_bits = _mm512_slli_epi16(_mm512_xor_si512(upper, lower), 15);
        const auto odd = static_cast<unsigned>(_mm_popcnt_u32(_mm512_movepi16_mask(lowest_bits)));
        const auto toggled = static_cast<__mmask32>((~odd & 1U) << 31);
        lower = _mm512_xor_si512(lower, _mm512_maskz_set1_epi16(toggled, 1));
    }
    store_words(coefficients.value, upper);
    store_words(coefficients.value + 32, lower);
}

} // namespace

const TransformKernels avx512_transform_kernels = {
    SimdLevel::avx512,
    difference,
    difference_of_two_avx2,
    largest_part_avx2,
    widen,
    forward_dct,
    inverse_dct_avx2,
    quantise,
    scan_levels,
    dequantise,
    add_clamped_avx2,
    store_clamped_avx2,
    sums_avx2,
    sum_abs_from_avx2,
    weigh_levels_avx2,
};

} // namespace tandem
