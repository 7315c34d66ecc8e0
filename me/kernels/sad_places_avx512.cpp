// SPDX-License-Identifier: BSD-2-Clause
// SADs at single positions, whose rows are put side by side in registers of 64 samples.
#include "me/kernels/avx512.h"
#include "me/kernels/distortion_variants.h"

namespace tandem {

namespace {

using Byte = std::uint8_t;
using Stride = std::ptrdiff_t;

/// The first n of 64 lanes.
__mmask64 first_of_64(int n) { return n >= 64 ? ~__mmask64{0} : (__mmask64{1} << n) - 1; }

/// Two rows of 32 samples side by side.
__m512i load_two_rows(const Byte* p, Stride stride) {
    return _mm512_inserti64x4(_mm512_castsi256_si512(load32(p)), load32(p + stride), 1);
}

/// Four rows of 16 samples side by side.
__m512i load_four_rows(const Byte* p, Stride stride) {
    const __m512i two = _mm512_inserti32x4(_mm512_castsi128_si512(load16(p)), load16(p + stride), 1);
    return _mm512_inserti32x4(_mm512_inserti32x4(two, load16(p + 2 * stride), 2), load16(p + 3 * stride), 3);
}

/// Eight rows of 8 samples side by side.
__m512i load_eight_rows(const Byte* p, Stride stride) {
    const auto two = [&](int y) {
        const __m128i upper = load8(p + y * stride);
        return _mm_unpacklo_epi64(upper, load8(p + (y + 1) * stride));
    };
    const __m512i half = _mm512_inserti32x4(_mm512_castsi128_si512(two(0)), two(2), 1);
    return _mm512_inserti32x4(_mm512_inserti32x4(half, two(4), 2), two(6), 3);
}

/// A block of at most 256 samples, 16 or 8 wide, in tiles of 64 samples.
template <int width, int tiles> struct Block {
    static constexpr int rows = 64 / width;
    Block(const Byte* p, Stride stride) {
        for (int k = 0; k < tiles; ++k)
            at[k] = load(p + k * rows * stride, stride);
    }
    static __m512i load(const Byte* p, Stride stride) {
        return width == 16 ? load_four_rows(p, stride) : load_eight_rows(p, stride);
    }
    __m512i at[tiles];
};

/// 8 partial sums of 64 bits, each below 2^16.
template <int width, int tiles>
[[gnu::always_inline]] inline __m512i sad_lanes(const Block<width, tiles>& block, const Byte* reference,
                                                Stride stride) {
    constexpr int rows = Block<width, tiles>::rows;
    __m512i sum = _mm512_sad_epu8(block.at[0], block.load(reference, stride));
    for (int k = 1; k < tiles; ++k)
        sum = _mm512_add_epi32(sum, _mm512_sad_epu8(block.at[k], block.load(reference + k * rows * stride, stride)));
    return sum;
}

/// The sums of four of those. All lanes of one together are below 2^16 too, so that four words go in each lane.
__m128i sums_of_four(__m512i a, __m512i b, __m512i c, __m512i d) {
    constexpr int or_of_three = 0xFE;
    const __m512i three = _mm512_ternarylogic_epi64(a, _mm512_slli_epi64(b, 16), _mm512_slli_epi64(c, 32), or_of_three);
    const __m512i words = _mm512_or_si512(three, _mm512_slli_epi64(d, 48));
    const __m256i four = _mm256_add_epi16(_mm512_castsi512_si256(words), _mm512_extracti64x4_epi64(words, 1));
    const __m128i two = _mm_add_epi16(_mm256_castsi256_si128(four), _mm256_extracti128_si256(four, 1));
    return _mm_cvtepu16_epi32(_mm_add_epi16(two, _mm_unpackhi_epi64(two, two)));
}

template <int width, int tiles>
void sad_blocks(const Byte* current, Stride current_stride, const Byte* const* references, Stride stride, int n,
                std::uint32_t* sads) {
    const Block<width, tiles> block(current, current_stride);
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        const Byte* const* p = references + i;
        const auto lanes = [&](int k) { return sad_lanes(block, p[k], stride); };
        const __m128i sums = sums_of_four(lanes(0), lanes(1), lanes(2), lanes(3));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(sads + i), sums);
    }
    for (; i < n; ++i)
        sads[i] = sum_of_32(sad_lanes(block, references[i], stride));
}

/// A block of 16x16, row by row in 16 of the 32 registers that AVX-512 has: rows of the reference need not be put side
/// by side.
struct RowsOf16 {
    __m128i rows[16];
    RowsOf16(const Byte* p, Stride stride) {
        for (int y = 0; y < 16; ++y)
            rows[y] = load16(p + y * stride);
    }
    std::uint32_t sad(const Byte* p, Stride stride) const {
        __m128i upper = _mm_sad_epu8(rows[0], load16(p)), lower = _mm_sad_epu8(rows[8], load16(p + 8 * stride));
        for (int y = 1; y < 8; ++y) {
            upper = _mm_add_epi32(upper, _mm_sad_epu8(rows[y], load16(p + y * stride)));
            lower = _mm_add_epi32(lower, _mm_sad_epu8(rows[y + 8], load16(p + (y + 8) * stride)));
        }
        const __m128i both = _mm_add_epi32(upper, lower);
        return static_cast<std::uint32_t>(_mm_cvtsi128_si32(_mm_add_epi32(both, _mm_unpackhi_epi64(both, both))));
    }
};

/// A row of samples in the place of one of those side by side.
template <int width> __m512i row_in_lane(__m512i rows, int lane, const Byte* row) {
    if constexpr (width == 16)
        return _mm512_mask_broadcast_i32x4(rows, static_cast<__mmask16>(15 << 4 * lane), load16(row));
    return _mm512_mask_broadcastq_epi64(rows, static_cast<__mmask8>(1 << lane), load8(row));
}

/// Positions below one another. Each row of the reference is loaded once: row r takes the place of row r - `rows` in
/// lane r % `rows`, and the block's rows stand turned round to meet them.
template <int width, int tiles>
void sad_column(const Byte* current, Stride current_stride, const Byte* reference, Stride stride, int count,
                std::uint32_t* sads) {
    constexpr int most = 64, rows = Block<width, tiles>::rows, height = tiles * rows;
    const Block<width, tiles> block(current, current_stride);
    const __m512i in_order = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    __m512i turned[rows][tiles];
    for (int i = 0; i < rows; ++i) {
        const __m512i order = _mm512_sub_epi64(in_order, _mm512_set1_epi64(i * width / 8));
        for (int k = 0; k < tiles; ++k)
            turned[i][k] = _mm512_permutexvar_epi64(order, block.at[k]);
    }
    __m512i down_to[most + height - 1]; // The last rows at each row.
    while (count >= rows) {
        const int n = count < most ? count / rows * rows : most;
        __m512i last = _mm512_setzero_si512();
        const auto load = [&](int y, int lane) {
            down_to[y] = last = row_in_lane<width>(last, lane, reference + y * stride);
        };
#pragma GCC unroll 16
        for (int y = 0; y < height - 1; ++y)
            load(y, y % rows);
        for (int y = 0; y < n; y += rows) {
#pragma GCC unroll 8
            for (int i = 0; i < rows; ++i)
                load(y + height - 1 + i, (i + rows - 1) % rows);
            const auto lanes = [&](int i) {
                __m512i sum = _mm512_sad_epu8(turned[i][0], down_to[y + i + rows - 1]);
                for (int k = 1; k < tiles; ++k)
                    sum = _mm512_add_epi32(sum, _mm512_sad_epu8(turned[i][k], down_to[y + i + k * rows + rows - 1]));
                return sum;
            };
            for (int i = 0; i < rows; i += 4) {
                const __m128i sums = sums_of_four(lanes(i), lanes(i + 1), lanes(i + 2), lanes(i + 3));
                _mm_storeu_si128(reinterpret_cast<__m128i*>(sads + y + i), sums);
            }
        }
        count -= n, reference += n * stride, sads += n;
    }
    for (int y = 0; y < count; ++y)
        sads[y] = sum_of_32(sad_lanes(block, reference + y * stride, stride));
}

} // namespace

std::uint32_t sad_avx512(const Byte* a, Stride a_stride, const Byte* b, Stride b_stride, int width, int height) {
    if (width <= 8) return sad_avx2(a, a_stride, b, b_stride, width, height);
    if (width == 16 && height == 16) return RowsOf16(a, a_stride).sad(b, b_stride);
    __m512i sum = _mm512_setzero_si512();
    int y = 0;
    if (width == 16) {
        for (; y + 4 <= height; y += 4) {
            sum = _mm512_add_epi32(sum, _mm512_sad_epu8(load_four_rows(a + y * a_stride, a_stride),
                                                        load_four_rows(b + y * b_stride, b_stride)));
        }
    }
    for (; width == 32 && y + 2 <= height; y += 2) {
        sum = _mm512_add_epi32(
            sum, _mm512_sad_epu8(load_two_rows(a + y * a_stride, a_stride), load_two_rows(b + y * b_stride, b_stride)));
    }
    for (; y < height; ++y) {
        for (int x = 0; x < width; x += 64) {
            const __mmask64 mask = first_of_64(width - x);
            sum = _mm512_add_epi32(sum, _mm512_sad_epu8(_mm512_maskz_loadu_epi8(mask, a + y * a_stride + x),
                                                        _mm512_maskz_loadu_epi8(mask, b + y * b_stride + x)));
        }
    }
    return sum_of_32(sum);
}

void sad_many_avx512(const Byte* current, Stride current_stride, const Byte* const* references, Stride reference_stride,
                     int width, int height, int n, std::uint32_t* sads) {
    const auto measured_as = [&](auto blocks) {
        blocks(current, current_stride, references, reference_stride, n, sads);
    };
    constexpr int few = 4; // From here on AVX2's two rows an instruction cost less on Intel, and hardly more on AMD.
    if (width == 16 && height == 16 && n < few) {
        const RowsOf16 block(current, current_stride);
        for (int i = 0; i < n; ++i)
            sads[i] = block.sad(references[i], reference_stride);
        return;
    }
    if (width == 16 && height == 8) return measured_as(sad_blocks<16, 2>);
    if (width == 8 && height == 16) return measured_as(sad_blocks<8, 2>);
    if (width == height && (width == 8 || width == 16))
        return sad_many_avx2(current, current_stride, references, reference_stride, width, height, n, sads);
    for (int i = 0; i < n; ++i)
        sads[i] = sad_avx512(current, current_stride, references[i], reference_stride, width, height);
}

void sad_column_avx512(const Byte* current, Stride current_stride, const Byte* reference, Stride stride, int width,
                       int height, int count, std::uint32_t* sads) {
    const auto measured_as = [&](auto column) { column(current, current_stride, reference, stride, count, sads); };
    if (width == 16 && height == 16) return measured_as(sad_column<16, 4>);
    if (width == 16 && height == 8) return measured_as(sad_column<16, 2>);
    if (width == 8 && height == 16) return measured_as(sad_column<8, 2>);
    if (width == 8 && height == 8) return measured_as(sad_column<8, 1>);
    for (int y = 0; y < count; ++y)
        sads[y] = sad_avx512(current, current_stride, reference + y * stride, stride, width, height);
}

} // namespace tandem
