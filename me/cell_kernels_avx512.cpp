// SPDX-License-Identifier: BSD-2-Clause
#include "me/avx512.h"
#include "me/cell_variants.h"

namespace tandem {

namespace {

using Byte = std::uint8_t;
using Stride = std::ptrdiff_t;

/// 32 positions. Lane k holds the 16 bytes from byte 8k on.
inline __m512i sads_of_32(const Byte* current, Stride current_stride, const Byte* reference, Stride reference_stride,
                          int width, int height) {
    const __m512i overlapping = _mm512_setr_epi64(0, 1, 1, 2, 2, 3, 3, 4);
    __m512i sum = _mm512_setzero_si512();
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; x += 4) {
            const __m512i there = _mm512_permutexvar_epi64(overlapping, load64(reference + x));
            sum = add_sads<from_byte_0>(sum, four_bytes(current + x), there);
        }
        current += current_stride;
        reference += reference_stride;
    }
    return sum;
}

inline __m128i sads_of_8(const Byte* current, Stride current_stride, const Byte* reference, Stride reference_stride,
                         int width, int height) {
    __m128i sum = _mm_setzero_si128();
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; x += 4) {
            const __m128i there = load16(reference + x);
            sum =
                _mm_add_epi16(sum, _mm_dbsad_epu8(_mm512_castsi512_si128(four_bytes(current + x)), there, from_byte_0));
        }
        current += current_stride;
        reference += reference_stride;
    }
    return sum;
}

/// Writes the set bits' numbers, counted from `first`.
inline int put_found(std::uint32_t mask, int first, std::uint16_t* found, int n) {
    for (; mask != 0; mask &= mask - 1)
        found[n++] = static_cast<std::uint16_t>(first + __builtin_ctz(mask));
    return n;
}

/// 32 rates as 16 bits, saturated, those of `lanes`; others are 0.
inline __m512i narrow_rates(const std::uint32_t* rates, std::uint32_t lanes) {
    const __m512i low = _mm512_maskz_loadu_epi32(static_cast<__mmask16>(lanes), rates);
    const __m512i high = _mm512_maskz_loadu_epi32(static_cast<__mmask16>(lanes >> 16), rates + 16);
    return _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtusepi32_epi16(low)), _mm512_cvtusepi32_epi16(high), 1);
}

} // namespace

void cell_sad_row_avx512(const Byte* current, Stride current_stride, const Byte* reference, Stride reference_stride,
                         int width, int height, int count, std::uint16_t* sads) {
    int i = 0;
    for (; count - i > 8; i += 32) {
        const __m512i sum = width == 4 && height == 4
                                ? sads_of_32(current, current_stride, reference + i, reference_stride, 4, 4)
                                : sads_of_32(current, current_stride, reference + i, reference_stride, width, height);
        _mm512_storeu_si512(sads + i, sum);
    }
    if (i < count) {
        const __m128i sum = width == 4 && height == 4
                                ? sads_of_8(current, current_stride, reference + i, reference_stride, 4, 4)
                                : sads_of_8(current, current_stride, reference + i, reference_stride, width, height);
        _mm_storeu_si128(reinterpret_cast<__m128i*>(sads + i), sum);
    }
}

void cell_ssd_row_avx512(const Byte* current, Stride current_stride, const Byte* reference, Stride reference_stride,
                         int width, int height, int count, std::uint32_t* ssds) {
    const auto samples = [](const Byte* p) { return _mm512_cvtepu8_epi32(load16(p)); };
    for (int i = 0; i < count; i += 16) {
        __m512i sum = _mm512_setzero_si512();
        for (int y = 0; y < height; ++y) {
            const Byte* here = current + y * current_stride;
            const Byte* there = reference + y * reference_stride + i;
            for (int x = 0; x < width; x += 2) {
                const __m512i pair = _mm512_or_si512(samples(there + x), _mm512_slli_epi32(samples(there + x + 1), 16));
                const __m512i difference =
                    _mm512_sub_epi16(_mm512_set1_epi32(here[x] | static_cast<int>(here[x + 1]) << 16), pair);
                sum = _mm512_add_epi32(sum, _mm512_madd_epi16(difference, difference));
            }
        }
        _mm512_storeu_si512(ssds + i, sum);
    }
}

void sum_narrow_avx512(const std::uint16_t* const* rows, int n, int count, std::uint16_t* sums) {
    for (int i = 0; i < count; i += 32) {
        __m512i sum = load64(rows[0] + i);
        for (int row = 1; row < n; ++row)
            sum = _mm512_add_epi16(sum, load64(rows[row] + i));
        _mm512_storeu_si512(sums + i, sum);
    }
}

void sum_wide_avx512(const std::uint32_t* const* rows, int n, int count, std::uint32_t* sums) {
    for (int i = 0; i < count; i += 16) {
        __m512i sum = load64(rows[0] + i);
        for (int row = 1; row < n; ++row)
            sum = _mm512_add_epi32(sum, load64(rows[row] + i));
        _mm512_storeu_si512(sums + i, sum);
    }
}

void sum_widening_avx512(const std::uint16_t* const* rows, int n, int count, std::uint32_t* sums) {
    const auto load = [](const std::uint16_t* p) { return _mm512_cvtepu16_epi32(load32(p)); };
    for (int i = 0; i < count; i += 16) {
        __m512i sum = load(rows[0] + i);
        for (int row = 1; row < n; ++row)
            sum = _mm512_add_epi32(sum, load(rows[row] + i));
        _mm512_storeu_si512(sums + i, sum);
    }
}

int within_narrow_avx512(const std::uint16_t* distortions, const std::uint32_t* rates, int count,
                         std::uint32_t threshold, std::uint16_t* found) {
    const __m512i most = _mm512_set1_epi16(static_cast<short>(threshold < 65535 ? threshold : 65535));
    int n = 0;
    for (int i = 0; i < count; i += 32) {
        const std::uint32_t lanes = first_of_32(count - i);
        __m512i cost = load64(distortions + i);
        if (rates) cost = _mm512_adds_epu16(cost, narrow_rates(rates + i, lanes));
        n = put_found(_mm512_cmple_epu16_mask(cost, most) & lanes, i, found, n);
    }
    return n;
}

int within_wide_avx512(const std::uint32_t* distortions, const std::uint32_t* rates, int count, std::uint32_t threshold,
                       std::uint16_t* found) {
    const __m512i most = _mm512_set1_epi32(static_cast<int>(threshold));
    int n = 0;
    for (int i = 0; i < count; i += 16) {
        const std::uint32_t lanes = first_of_32(count - i < 16 ? count - i : 16);
        __m512i cost = load64(distortions + i);
        if (rates) {
            cost = _mm512_add_epi32(cost, _mm512_maskz_loadu_epi32(static_cast<__mmask16>(lanes), rates + i));
        }
        n = put_found(_mm512_cmple_epu32_mask(cost, most) & lanes, i, found, n);
    }
    return n;
}

} // namespace tandem
