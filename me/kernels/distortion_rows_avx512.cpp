// SPDX-License-Identifier: BSD-2-Clause
#include "me/kernels/avx512.h"
#include "me/kernels/distortion_row_variants.h"

namespace tandem {

namespace {

/// Writes the set bits' numbers, counted from `first`.
inline int put_found(std::uint32_t mask, int first, std::uint16_t* found, int n) {
    for (; mask != 0; mask &= mask - 1)
        found[n++] = static_cast<std::uint16_t>(first + __builtin_ctz(mask));
    return n;
}

inline __m512i splat(short value) { return _mm512_set1_epi16(value); }

/// 32 rates as 16 bits, saturated, those of `lanes`; others are 0.
inline __m512i narrow_rates(const std::uint32_t* rates, std::uint32_t lanes) {
    const __m512i low = _mm512_maskz_loadu_epi32(static_cast<__mmask16>(lanes), rates);
    const __m512i high = _mm512_maskz_loadu_epi32(static_cast<__mmask16>(lanes >> 16), rates + 16);
    return _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtusepi32_epi16(low)), _mm512_cvtusepi32_epi16(high), 1);
}

} // namespace

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

std::uint32_t least_narrow_avx512(const std::uint16_t* distortions, const std::uint32_t* rates, int count) {
    __m512i least[4] = {splat(-1), splat(-1), splat(-1), splat(-1)};
    const auto costs = [=](int i) {
        const std::uint32_t lanes = first_of_32(count - i);
        const __m512i distortion = _mm512_mask_loadu_epi16(splat(-1), lanes, distortions + i);
        return rates ? _mm512_adds_epu16(distortion, narrow_rates(rates + i, lanes)) : distortion;
    };
    int i = 0;
    for (; !rates && i + 128 <= count; i += 128) {
        for (int k = 0; k < 4; ++k)
            least[k] = _mm512_min_epu16(least[k], load64(distortions + i + 32 * k));
    }
    for (; i < count; i += 32)
        least[0] = _mm512_min_epu16(least[0], costs(i));
    const __m512i all = _mm512_min_epu16(_mm512_min_epu16(least[0], least[1]), _mm512_min_epu16(least[2], least[3]));
    const __m256i half = _mm256_min_epu16(_mm512_castsi512_si256(all), _mm512_extracti64x4_epi64(all, 1));
    const __m128i eight = _mm_min_epu16(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
    return static_cast<std::uint32_t>(_mm_cvtsi128_si32(_mm_minpos_epu16(eight))) & 0xFFFF;
}

std::uint32_t least_wide_avx512(const std::uint32_t* distortions, const std::uint32_t* rates, int count) {
    __m512i least = _mm512_set1_epi32(-1);
    for (int i = 0; i < count; i += 16) {
        const auto lanes = static_cast<__mmask16>(first_of_32(count - i < 16 ? count - i : 16));
        __m512i cost = _mm512_maskz_loadu_epi32(lanes, distortions + i);
        if (rates) cost = _mm512_add_epi32(cost, _mm512_maskz_loadu_epi32(lanes, rates + i));
        least = _mm512_mask_min_epu32(least, lanes, least, cost);
    }
    return _mm512_reduce_min_epu32(least);
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
