// SPDX-License-Identifier: BSD-2-Clause
// The arithmetic of a block with AVX2. A block is 4 registers of two rows each. Built without contraction of
// floating-point expressions, as transform_scalar.cpp is.
#include <immintrin.h>

#include "coding/mpeg/kernels/transform.h"
#include "coding/mpeg/kernels/transform_tables.h"
#include "coding/mpeg/kernels/transform_variants.h"

namespace tandem {

namespace {

using Words = __m256i; ///< 16 values of 16 bits: two rows of a block.
using Floats = __m256; ///< 8 floats: one row or column.

Words load_words(const void* from) { return _mm256_load_si256(static_cast<const __m256i*>(from)); }
void store_words(void* to, Words words) { _mm256_store_si256(static_cast<__m256i*>(to), words); }

/// Two rows of 8 samples, widened.
Words load_two_rows(const std::uint8_t* samples, std::ptrdiff_t stride) {
    const __m128i first = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(samples));
    const __m128i second = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(samples + stride));
    return _mm256_cvtepu8_epi16(_mm_unpacklo_epi64(first, second));
}

/// Four rows of 8 values, clamped to samples.
void store_four_rows(Words rows_01, Words rows_23, std::uint8_t* out, std::ptrdiff_t stride) {
    const Words packed = _mm256_packus_epi16(rows_01, rows_23); // Rows 0, 2 | 1, 3.
    const __m128i rows_02 = _mm256_castsi256_si128(packed);
    const __m128i rows_13 = _mm256_extracti128_si256(packed, 1);
    _mm_storel_epi64(reinterpret_cast<__m128i*>(out), rows_02);
    _mm_storel_epi64(reinterpret_cast<__m128i*>(out + stride), rows_13);
    _mm_storeh_pi(reinterpret_cast<__m64*>(out + 2 * stride), _mm_castsi128_ps(rows_02));
    _mm_storeh_pi(reinterpret_cast<__m64*>(out + 3 * stride), _mm_castsi128_ps(rows_13));
}

/// Sum of 8 lanes of 32 bits.
std::uint32_t sum_lanes(Words lanes) {
    __m128i sum = _mm_add_epi32(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4E));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xB1));
    return static_cast<std::uint32_t>(_mm_cvtsi128_si32(sum));
}

std::uint32_t difference(const std::uint8_t* a, std::ptrdiff_t a_stride, const std::uint8_t* b, std::ptrdiff_t b_stride,
                         Block& out) {
    Words energy = _mm256_setzero_si256();
#pragma GCC unroll 4
    for (int y = 0; y < 8; y += 2) {
        const Words of_a = load_two_rows(a + y * a_stride, a_stride);
        const Words of_b = load_two_rows(b + y * b_stride, b_stride);
        const Words values = _mm256_sub_epi16(of_a, of_b);
        energy = _mm256_add_epi32(energy, _mm256_madd_epi16(values, values));
        store_words(out.value + 8 * y, values);
    }
    return sum_lanes(energy);
}

void widen(const std::uint8_t* a, std::ptrdiff_t a_stride, Block& out) {
    for (int y = 0; y < 8; y += 2)
        store_words(out.value + 8 * y, load_two_rows(a + y * a_stride, a_stride));
}

/// Two neighbouring words in every 32-bit lane, for _mm256_madd_epi16.
Words broadcast_pair(const std::int16_t* two) {
    int both = 0;
    __builtin_memcpy(&both, two, sizeof both);
    return _mm256_set1_epi32(both);
}

/// (row a | row b), each of 8 values, to the pairs (a, b) of the 8 columns.
Words pair_rows(Words two_rows) {
    const Words halves = _mm256_permute4x64_epi64(two_rows, 0xD8);
    return _mm256_shuffle_epi8(
        halves, _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15)));
}

/// Output row v of the column pass, 32 bits: `near` holds the pairs of inputs 0 and 1, `far` of 2 and 3, where the
/// inputs are sums (v even) or differences (v odd) of the rows n and 7 - n.
Words column_output(Words near, Words far, int v) {
    const Words rounding = _mm256_set1_epi32(1 << (forward_columns_shift - 1));
    const Words sum = _mm256_add_epi32(_mm256_madd_epi16(near, broadcast_pair(forward_columns[v])),
                                       _mm256_madd_epi16(far, broadcast_pair(forward_columns[v] + 2)));
    return _mm256_srai_epi32(_mm256_add_epi32(sum, rounding), forward_columns_shift);
}

/// Row pass: 8 outputs of one row, 32 bits, from its 4 pairs of values; the first two lie at `row`, the others 16 bytes
/// on.
Words row_output(const std::int16_t* row) {
    const Words rounding = _mm256_set1_epi32(1 << (forward_rows_shift - 1));
    const Words left = _mm256_add_epi32(_mm256_madd_epi16(broadcast_pair(row), load_words(forward_rows[0])),
                                        _mm256_madd_epi16(broadcast_pair(row + 2), load_words(forward_rows[1])));
    const Words right = _mm256_add_epi32(_mm256_madd_epi16(broadcast_pair(row + 8), load_words(forward_rows[2])),
                                         _mm256_madd_epi16(broadcast_pair(row + 10), load_words(forward_rows[3])));
    return _mm256_srai_epi32(_mm256_add_epi32(_mm256_add_epi32(left, right), rounding), forward_rows_shift);
}

void forward_dct(const Block& values, Block& coefficients) {
    const std::int16_t* in = values.value;
    const Words rows_01 = load_words(in);
    const Words rows_23 = load_words(in + 16);
    const Words rows_54 = _mm256_permute4x64_epi64(load_words(in + 32), 0x4E);
    const Words rows_76 = _mm256_permute4x64_epi64(load_words(in + 48), 0x4E);
    const Words sums_01 = pair_rows(_mm256_add_epi16(rows_01, rows_76));
    const Words sums_23 = pair_rows(_mm256_add_epi16(rows_23, rows_54));
    const Words differences_01 = pair_rows(_mm256_sub_epi16(rows_01, rows_76));
    const Words differences_23 = pair_rows(_mm256_sub_epi16(rows_23, rows_54));

    // Rows v and v + 1 side by side: columns 0..3 of v, 0..3 of v + 1 | 4..7 of v, 4..7 of v + 1.
    Block columns;
    for (int v = 0; v < 8; v += 2) {
        store_words(columns.value + 8 * v, _mm256_packs_epi32(column_output(sums_01, sums_23, v),
                                                              column_output(differences_01, differences_23, v + 1)));
    }
    // Keeps the compiler from broadcasting out of registers: the shuffle port is the busier one, the load ports are
    // idle.
    __asm__("" : "+m"(columns));
    for (int v = 0; v < 8; v += 2) {
        const std::int16_t* rows = columns.value + 8 * v;
        const Words both = _mm256_packs_epi32(row_output(rows), row_output(rows + 4));
        store_words(coefficients.value + 8 * v, _mm256_permute4x64_epi64(both, 0xD8));
    }
}

Floats plus(Floats a, Floats b) { return _mm256_add_ps(a, b); }
Floats minus(Floats a, Floats b) { return _mm256_sub_ps(a, b); }
Floats times(Floats a, float b) { return _mm256_mul_ps(a, _mm256_set1_ps(b)); }

/// inverse_pass() of transform_scalar.cpp on 8 columns at once: the same operations in the same order.
[[gnu::always_inline]] inline void inverse_pass(Floats (&data)[8]) {
    const Floats sum_04 = plus(data[0], data[4]);
    const Floats difference_04 = minus(data[0], data[4]);
    const Floats sum_26 = plus(data[2], data[6]);
    const Floats turned_26 = minus(times(minus(data[2], data[6]), sqrt_2), sum_26);
    const Floats even_0 = plus(sum_04, sum_26);
    const Floats even_1 = plus(difference_04, turned_26);
    const Floats even_2 = minus(difference_04, turned_26);
    const Floats even_3 = minus(sum_04, sum_26);

    const Floats sum_53 = plus(data[5], data[3]);
    const Floats difference_53 = minus(data[5], data[3]);
    const Floats sum_17 = plus(data[1], data[7]);
    const Floats difference_17 = minus(data[1], data[7]);
    const Floats both = times(plus(difference_53, difference_17), rotation_sum);
    const Floats odd_0 = plus(sum_17, sum_53);
    const Floats odd_1 = minus(minus(both, times(difference_53, rotation_more)), odd_0);
    const Floats odd_2 = minus(times(minus(sum_17, sum_53), sqrt_2), odd_1);
    const Floats odd_3 = minus(minus(both, times(difference_17, rotation_less)), odd_2);

    data[0] = plus(even_0, odd_0);
    data[7] = minus(even_0, odd_0);
    data[1] = plus(even_1, odd_1);
    data[6] = minus(even_1, odd_1);
    data[2] = plus(even_2, odd_2);
    data[5] = minus(even_2, odd_2);
    data[3] = plus(even_3, odd_3);
    data[4] = minus(even_3, odd_3);
}

/// Exchanges rows and columns. The exchange of register halves goes through memory, whose ports are idle here.
void transpose(Floats (&data)[8]) {
    alignas(32) float memory[64];
    for (int i = 0; i < 8; ++i)
        _mm256_store_ps(memory + 8 * i, data[i]);
    for (int half = 0; half < 2; ++half) {
        const float* columns = memory + 4 * half;
        Floats rows[4]; // 4 columns of row i | of row i + 4.
        for (int i = 0; i < 4; ++i) {
            rows[i] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(columns + 8 * i)),
                                           _mm_load_ps(columns + 8 * (i + 4)), 1);
        }
        const Floats low_01 = _mm256_unpacklo_ps(rows[0], rows[1]);
        const Floats high_01 = _mm256_unpackhi_ps(rows[0], rows[1]);
        const Floats low_23 = _mm256_unpacklo_ps(rows[2], rows[3]);
        const Floats high_23 = _mm256_unpackhi_ps(rows[2], rows[3]);
        data[4 * half + 0] = _mm256_shuffle_ps(low_01, low_23, 0x44);
        data[4 * half + 1] = _mm256_shuffle_ps(low_01, low_23, 0xEE);
        data[4 * half + 2] = _mm256_shuffle_ps(high_01, high_23, 0x44);
        data[4 * half + 3] = _mm256_shuffle_ps(high_01, high_23, 0xEE);
    }
}

/// Rounds the 8 columns of a block and stores its rows as words.
void store_columns(const Floats (&columns)[8], std::int16_t* out) {
    const auto together = [&columns](int x) { // Rows 0..3 of columns x and x + 4 | rows 4..7 of them.
        return _mm256_packs_epi32(_mm256_cvtps_epi32(columns[x]), _mm256_cvtps_epi32(columns[x + 4]));
    };
    const Words columns_04 = together(0), columns_15 = together(1), columns_26 = together(2), columns_37 = together(3);
    const Words even_low = _mm256_unpacklo_epi16(columns_04, columns_26);
    const Words odd_low = _mm256_unpacklo_epi16(columns_15, columns_37);
    const Words even_high = _mm256_unpackhi_epi16(columns_04, columns_26);
    const Words odd_high = _mm256_unpackhi_epi16(columns_15, columns_37);
    const Words left_01 = _mm256_unpacklo_epi16(even_low, odd_low);    // Columns 0..3 of rows 0, 1 | 4, 5.
    const Words left_23 = _mm256_unpackhi_epi16(even_low, odd_low);    // Rows 2, 3 | 6, 7.
    const Words right_01 = _mm256_unpacklo_epi16(even_high, odd_high); // Columns 4..7.
    const Words right_23 = _mm256_unpackhi_epi16(even_high, odd_high);
    const Words rows_04 = _mm256_unpacklo_epi64(left_01, right_01);
    const Words rows_15 = _mm256_unpackhi_epi64(left_01, right_01);
    const Words rows_26 = _mm256_unpacklo_epi64(left_23, right_23);
    const Words rows_37 = _mm256_unpackhi_epi64(left_23, right_23);
    store_words(out, _mm256_permute2x128_si256(rows_04, rows_15, 0x20));
    store_words(out + 16, _mm256_permute2x128_si256(rows_26, rows_37, 0x20));
    store_words(out + 32, _mm256_permute2x128_si256(rows_04, rows_15, 0x31));
    store_words(out + 48, _mm256_permute2x128_si256(rows_26, rows_37, 0x31));
}

} // namespace

void inverse_dct_avx2(const Block& coefficients, Block& values) {
    Floats data[8];
    for (int v = 0; v < 8; ++v) {
        const __m128i row = _mm_load_si128(reinterpret_cast<const __m128i*>(coefficients.value + 8 * v));
        data[v] = _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(row)), _mm256_load_ps(inverse_scale + 8 * v));
    }
    inverse_pass(data);
    transpose(data);
    inverse_pass(data);
    store_columns(data, values.value);
}

namespace {

/// The sign bits of the 64 bytes made of 4 registers' words that are zero.
std::uint64_t zero_words(Words a, Words b, Words c, Words d) {
    const auto zero_bytes = [](Words first, Words second) {
        const Words bytes = _mm256_permute4x64_epi64(_mm256_packs_epi16(first, second), 0xD8);
        return static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_setzero_si256())));
    };
    return static_cast<std::uint64_t>(zero_bytes(c, d)) << 32 | zero_bytes(a, b);
}

Words quantise_words(const Block& coefficients, const Quantiser& quantiser, int i) {
    const Words value = load_words(coefficients.value + i);
    const Words magnitude = _mm256_abs_epi16(value);
    const Words sum = _mm256_adds_epu16(_mm256_adds_epu16(magnitude, magnitude), load_words(quantiser.bias + i));
    const Words product = _mm256_mulhi_epu16(sum, load_words(quantiser.reciprocal + i));
    const Words shift = load_words(quantiser.shift_multiplier + i);
    const Words unshifted = _mm256_and_si256(product, _mm256_cmpeq_epi16(shift, _mm256_setzero_si256()));
    const Words level = _mm256_or_si256(_mm256_mulhi_epu16(product, shift), unshifted);
    return _mm256_sign_epi16(_mm256_min_epu16(level, load_words(quantiser.level_limit + i)), value);
}

/// Intra DC's level: in the register, since a store of one word would hold up the load of its whole row.
Words replace_dc(Words levels, int coefficient, const Quantiser& quantiser) {
    const int shift = 3 + __builtin_ctz(static_cast<unsigned>(quantiser.dc_multiplier)); // 8 * dc_multiplier
    const int highest = (1 << (14 - shift)) - 1;
    const int quantised = (coefficient + (1 << shift >> 1)) >> shift;
    const int positive = quantised < 0 ? 0 : quantised;
    return _mm256_insert_epi16(levels, static_cast<short>(positive > highest ? highest : positive), 0);
}

std::uint64_t quantise(const Block& coefficients, const Quantiser& quantiser, Block& levels) {
    const int dc = coefficients.value[0];
    const Words a = quantise_words(coefficients, quantiser, 0);
    const Words b = quantise_words(coefficients, quantiser, 16);
    const Words c = quantise_words(coefficients, quantiser, 32);
    const Words d = quantise_words(coefficients, quantiser, 48);
    const std::uint64_t nonzero = ~zero_words(a, b, c, d);
    store_words(levels.value, quantiser.intra ? replace_dc(a, dc, quantiser) : a);
    store_words(levels.value + 16, b);
    store_words(levels.value + 32, c);
    store_words(levels.value + 48, d);
    return quantiser.intra ? nonzero & ~std::uint64_t{1} : nonzero;
}

/// 16 levels to coefficients, saturated. A product of 2^16 and more is beyond saturation but for oddification's sake,
/// so its upper half need not be kept above 2.
Words reconstruct(Words level, Words weight, Words half_step, bool mpeg1) {
    const Words magnitude = _mm256_abs_epi16(level);
    const Words factor = _mm256_add_epi16(_mm256_add_epi16(magnitude, magnitude), half_step);
    const Words low = _mm256_srli_epi16(_mm256_mullo_epi16(factor, weight), 5);
    const Words high = _mm256_min_epu16(_mm256_mulhi_epu16(factor, weight), _mm256_set1_epi16(2));
    Words value = _mm256_add_epi16(low, _mm256_slli_epi16(high, 11));
    if (mpeg1) {
        const Words one = _mm256_set1_epi16(1);
        value = _mm256_or_si256(_mm256_subs_epu16(value, one), _mm256_min_epu16(value, one));
    }
    const Words limited = _mm256_min_epi16(_mm256_sign_epi16(value, level), _mm256_set1_epi16(2047));
    return _mm256_max_epi16(limited, _mm256_set1_epi16(-2048));
}

/// Exclusive or of all 16 words, in every one.
Words fold_words(Words words) {
    __m128i folded = _mm_xor_si128(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
    folded = _mm_xor_si128(folded, _mm_srli_si128(folded, 8));
    folded = _mm_xor_si128(folded, _mm_srli_si128(folded, 4));
    folded = _mm_xor_si128(folded, _mm_srli_si128(folded, 2));
    return _mm256_broadcastw_epi16(folded);
}

void dequantise(const Block& levels, const Quantiser& quantiser, Block& coefficients) {
    const Words half_step = _mm256_set1_epi16(quantiser.intra ? 0 : 1);
    const int dc = levels.value[0] * quantiser.dc_multiplier;
    Words rows[4];
    for (int i = 0; i < 4; ++i) {
        rows[i] = reconstruct(load_words(levels.value + 16 * i), load_words(quantiser.weight + 16 * i), half_step,
                              quantiser.mpeg1);
    }
    if (quantiser.intra) {
        const int limited = dc > 2047 ? 2047 : dc < -2048 ? -2048 : dc;
        const Words replaced = _mm256_castsi128_si256(_mm_cvtsi32_si128(limited));
        const Words dc_place = _mm256_castsi128_si256(_mm_cvtsi32_si128(0xFFFF));
        rows[0] = _mm256_blendv_epi8(rows[0], _mm256_inserti128_si256(replaced, _mm_setzero_si128(), 1),
                                     _mm256_inserti128_si256(dc_place, _mm_setzero_si128(), 1));
    }
    if (!quantiser.mpeg1) {
        const Words all = _mm256_xor_si256(_mm256_xor_si256(rows[0], rows[1]), _mm256_xor_si256(rows[2], rows[3]));
        const Words last = _mm256_setr_epi16(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1);
        rows[3] = _mm256_xor_si256(rows[3], _mm256_andnot_si256(fold_words(all), last));
    }
    for (int i = 0; i < 4; ++i)
        store_words(coefficients.value + 16 * i, rows[i]);
}

/// Two rows of 16 samples.
Words load_two_wide_rows(const std::uint8_t* samples, std::ptrdiff_t stride) {
    const __m128i first = _mm_loadu_si128(reinterpret_cast<const __m128i*>(samples));
    const __m128i second = _mm_loadu_si128(reinterpret_cast<const __m128i*>(samples + stride));
    return _mm256_inserti128_si256(_mm256_castsi128_si256(first), second, 1);
}

} // namespace

void add_clamped_avx2(const std::uint8_t* prediction, std::ptrdiff_t prediction_stride, const Block& values,
                      std::uint8_t* out, std::ptrdiff_t out_stride) {
    for (int y = 0; y < 8; y += 4) {
        const std::uint8_t* rows = prediction + y * prediction_stride;
        const Words first = load_two_rows(rows, prediction_stride);
        const Words second = load_two_rows(rows + 2 * prediction_stride, prediction_stride);
        store_four_rows(_mm256_adds_epi16(first, load_words(values.value + 8 * y)),
                        _mm256_adds_epi16(second, load_words(values.value + 8 * y + 16)), out + y * out_stride,
                        out_stride);
    }
}

void store_clamped_avx2(const Block& values, std::uint8_t* out, std::ptrdiff_t out_stride) {
    for (int y = 0; y < 8; y += 4) {
        store_four_rows(load_words(values.value + 8 * y), load_words(values.value + 8 * y + 16), out + y * out_stride,
                        out_stride);
    }
}

void sums_avx2(const std::uint8_t* samples, std::ptrdiff_t stride, std::uint32_t& sum, std::uint32_t& sum_of_squares) {
    const Words zero = _mm256_setzero_si256();
    Words total = zero, squares = zero;
    for (int y = 0; y < 16; y += 2) {
        const Words bytes = load_two_wide_rows(samples + y * stride, stride);
        const Words low = _mm256_unpacklo_epi8(bytes, zero);
        const Words high = _mm256_unpackhi_epi8(bytes, zero);
        total = _mm256_add_epi32(total, _mm256_sad_epu8(bytes, zero));
        squares = _mm256_add_epi32(squares, _mm256_madd_epi16(low, low));
        squares = _mm256_add_epi32(squares, _mm256_madd_epi16(high, high));
    }
    sum = sum_lanes(total);
    sum_of_squares = sum_lanes(squares);
}

std::uint32_t sum_abs_from_avx2(const std::uint8_t* samples, std::ptrdiff_t stride, int value) {
    const Words all = _mm256_set1_epi8(static_cast<char>(value));
    Words total = _mm256_setzero_si256();
    for (int y = 0; y < 16; y += 2) {
        total = _mm256_add_epi32(total, _mm256_sad_epu8(load_two_wide_rows(samples + y * stride, stride), all));
    }
    return sum_lanes(total);
}

const TransformKernels avx2_transform_kernels = {
    SimdLevel::avx2,
    difference,
    difference_of_two_avx2,
    largest_part_avx2,
    widen,
    forward_dct,
    inverse_dct_avx2,
    quantise,
    scan_levels_scalar,
    dequantise,
    add_clamped_avx2,
    store_clamped_avx2,
    sums_avx2,
    sum_abs_from_avx2,
    weigh_levels_avx2,
};

} // namespace tandem
