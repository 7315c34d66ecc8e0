// SPDX-License-Identifier: BSD-2-Clause
// SADs at single positions, whose rows are put side by side in registers of 64 samples.
#include "me/avx512.h"
#include "me/simd_variants.h"

namespace tandem {

namespace {

using Byte = std::uint8_t;
using Stride = std::ptrdiff_t;

__m128i load16(const Byte* p) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)); }

/// The first n of 64 lanes.
__mmask64 first_of_64(int n) { return n >= 64 ? ~__mmask64{0} : (__mmask64{1} << n) - 1; }

/// Four rows of 16 samples side by side.
__m512i load_four_rows(const Byte* p, Stride stride) {
    const __m512i two = _mm512_inserti32x4(_mm512_castsi128_si512(load16(p)), load16(p + stride), 1);
    return _mm512_inserti32x4(_mm512_inserti32x4(two, load16(p + 2 * stride), 2), load16(p + 3 * stride), 3);
}

/// Eight rows of 8 samples side by side.
__m512i load_eight_rows(const Byte* p, Stride stride) {
    const auto two = [&](int y) {
        const __m128i upper = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(p + y * stride));
        return _mm_unpacklo_epi64(upper, _mm_loadl_epi64(reinterpret_cast<const __m128i*>(p + (y + 1) * stride)));
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

/// Two of those in one register: the 32-bit lanes belong to a and b by turns.
__m512i pair_sums(__m512i a, __m512i b) { return _mm512_or_si512(a, _mm512_slli_epi64(b, 32)); }

/// The four sums of two such pairs, in order.
__m128i sums_of_four(__m512i first, __m512i second) {
    const auto folded = [](__m512i v) {
        const __m256i half = _mm256_add_epi32(_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64(v, 1));
        return _mm_add_epi32(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
    };
    const __m128i a = folded(first), b = folded(second);
    return _mm_add_epi32(_mm_unpacklo_epi64(a, b), _mm_unpackhi_epi64(a, b));
}

template <int width, int tiles>
void sad_blocks(const Byte* current, Stride current_stride, const Byte* const* references, Stride stride, int n,
                std::uint32_t* sads) {
    const Block<width, tiles> block(current, current_stride);
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        const Byte* const* p = references + i;
        const __m512i even = pair_sums(sad_lanes(block, p[0], stride), sad_lanes(block, p[1], stride));
        const __m512i odd = pair_sums(sad_lanes(block, p[2], stride), sad_lanes(block, p[3], stride));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(sads + i), sums_of_four(even, odd));
    }
    for (; i < n; ++i)
        sads[i] = sum_of_32(sad_lanes(block, references[i], stride));
}

/// Positions below one another: each tile of the reference serves all positions that it is a part of.
template <int width, int tiles>
void sad_column(const Byte* current, Stride current_stride, const Byte* reference, Stride stride, int count,
                std::uint32_t* sads) {
    constexpr int most = 64, rows = Block<width, tiles>::rows, below = (tiles - 1) * rows;
    const Block<width, tiles> block(current, current_stride);
    alignas(64) __m512i tile_at[most + below];
    for (int first = 0; first < count; first += most, reference += most * stride, sads += most) {
        const int n = count - first < most ? count - first : most;
        for (int y = 0; y < n + below; ++y)
            tile_at[y] = block.load(reference + y * stride, stride);
        const auto lanes = [&](int y) {
            __m512i sum = _mm512_sad_epu8(block.at[0], tile_at[y]);
            for (int k = 1; k < tiles; ++k)
                sum = _mm512_add_epi32(sum, _mm512_sad_epu8(block.at[k], tile_at[y + k * rows]));
            return sum;
        };
        int y = 0;
        for (; y + 4 <= n; y += 4) {
            const __m512i even = pair_sums(lanes(y), lanes(y + 1)), odd = pair_sums(lanes(y + 2), lanes(y + 3));
            _mm_storeu_si128(reinterpret_cast<__m128i*>(sads + y), sums_of_four(even, odd));
        }
        for (; y < n; ++y)
            sads[y] = sum_of_32(lanes(y));
    }
}

} // namespace

std::uint32_t sad_avx512(const Byte* a, Stride a_stride, const Byte* b, Stride b_stride, int width, int height) {
    __m512i sum = _mm512_setzero_si512();
    int y = 0;
    if (width == 16) {
        for (; y + 4 <= height; y += 4) {
            sum = _mm512_add_epi32(sum, _mm512_sad_epu8(load_four_rows(a + y * a_stride, a_stride),
                                                        load_four_rows(b + y * b_stride, b_stride)));
        }
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
    if (width == 16 && height == 16) return measured_as(sad_blocks<16, 4>);
    if (width == 16 && height == 8) return measured_as(sad_blocks<16, 2>);
    if (width == 8 && height == 16) return measured_as(sad_blocks<8, 2>);
    if (width == 8 && height == 8) return measured_as(sad_blocks<8, 1>);
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
