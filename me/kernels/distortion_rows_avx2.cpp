// SPDX-License-Identifier: BSD-2-Clause
#include "me/kernels/avx2.h"
#include "me/kernels/distortion_row_variants.h"

namespace tandem {

namespace {

/// Writes the numbers of the set bits, each of `bits` bits that stand for one element, counted from `first`.
inline int put_found(std::uint32_t mask, int bits, int first, std::uint16_t* found, int n) {
    const std::uint32_t element = (1u << bits) - 1;
    while (mask != 0) {
        const int bit = __builtin_ctz(mask);
        found[n++] = static_cast<std::uint16_t>(first + bit / bits);
        mask &= ~(element << bit);
    }
    return n;
}

/// 16 rates as 16 bits, saturated.
inline __m256i narrow_rates(const std::uint32_t* rates) {
    const __m256i packed = _mm256_packus_epi32(load32(rates), load32(rates + 8));
    return _mm256_permute4x64_epi64(packed, 0xD8);
}

} // namespace

void sum_narrow_avx2(const std::uint16_t* const* rows, int n, int count, std::uint16_t* sums) {
    for (int i = 0; i < count; i += 16) {
        __m256i sum = load32(rows[0] + i);
        for (int row = 1; row < n; ++row)
            sum = _mm256_add_epi16(sum, load32(rows[row] + i));
        store32(sums + i, sum);
    }
}

void sum_wide_avx2(const std::uint32_t* const* rows, int n, int count, std::uint32_t* sums) {
    for (int i = 0; i < count; i += 8) {
        __m256i sum = load32(rows[0] + i);
        for (int row = 1; row < n; ++row)
            sum = _mm256_add_epi32(sum, load32(rows[row] + i));
        store32(sums + i, sum);
    }
}

void sum_widening_avx2(const std::uint16_t* const* rows, int n, int count, std::uint32_t* sums) {
    for (int i = 0; i < count; i += 8) {
        __m256i sum = _mm256_cvtepu16_epi32(load16(rows[0] + i));
        for (int row = 1; row < n; ++row)
            sum = _mm256_add_epi32(sum, _mm256_cvtepu16_epi32(load16(rows[row] + i)));
        store32(sums + i, sum);
    }
}

std::uint32_t least_narrow_avx2(const std::uint16_t* distortions, const std::uint32_t* rates, int count) {
    __m256i least = _mm256_set1_epi16(-1);
    int i = 0;
    for (; i + 16 <= count; i += 16) {
        __m256i cost = load32(distortions + i);
        if (rates) cost = _mm256_adds_epu16(cost, narrow_rates(rates + i));
        least = _mm256_min_epu16(least, cost);
    }
    const __m128i eight = _mm_min_epu16(_mm256_castsi256_si128(least), _mm256_extracti128_si256(least, 1));
    std::uint32_t of_all = static_cast<std::uint32_t>(_mm_cvtsi128_si32(_mm_minpos_epu16(eight))) & 0xFFFF;
    for (; i < count; ++i) {
        const std::uint32_t cost = distortions[i] + (rates ? rates[i] : 0);
        of_all = cost < of_all ? cost : of_all;
    }
    return of_all;
}

std::uint32_t least_wide_avx2(const std::uint32_t* distortions, const std::uint32_t* rates, int count) {
    __m256i least = _mm256_set1_epi32(-1);
    int i = 0;
    for (; i + 8 <= count; i += 8) {
        __m256i cost = load32(distortions + i);
        if (rates) cost = _mm256_add_epi32(cost, load32(rates + i));
        least = _mm256_min_epu32(least, cost);
    }
    alignas(32) std::uint32_t eight[8];
    store32(eight, least);
    std::uint32_t of_all = UINT32_MAX;
    for (const std::uint32_t cost : eight)
        of_all = cost < of_all ? cost : of_all;
    for (; i < count; ++i) {
        const std::uint32_t cost = distortions[i] + (rates ? rates[i] : 0);
        of_all = cost < of_all ? cost : of_all;
    }
    return of_all;
}

int within_narrow_avx2(const std::uint16_t* distortions, const std::uint32_t* rates, int count, std::uint32_t threshold,
                       std::uint16_t* found) {
    const __m256i most = _mm256_set1_epi16(static_cast<short>(threshold < 65535 ? threshold : 65535));
    int n = 0, i = 0;
    for (; i + 16 <= count; i += 16) {
        __m256i cost = load32(distortions + i);
        if (rates) cost = _mm256_adds_epu16(cost, narrow_rates(rates + i));
        const __m256i good = _mm256_cmpeq_epi16(_mm256_min_epu16(cost, most), cost);
        n = put_found(static_cast<std::uint32_t>(_mm256_movemask_epi8(good)), 2, i, found, n);
    }
    for (; i < count; ++i) {
        const std::uint32_t cost = distortions[i] + (rates ? rates[i] : 0);
        if (cost <= threshold || threshold >= 65535) found[n++] = static_cast<std::uint16_t>(i);
    }
    return n;
}

int within_wide_avx2(const std::uint32_t* distortions, const std::uint32_t* rates, int count, std::uint32_t threshold,
                     std::uint16_t* found) {
    const __m256i most = _mm256_set1_epi32(static_cast<int>(threshold));
    int n = 0, i = 0;
    for (; i + 8 <= count; i += 8) {
        __m256i cost = load32(distortions + i);
        if (rates) cost = _mm256_add_epi32(cost, load32(rates + i));
        const __m256i good = _mm256_cmpeq_epi32(_mm256_min_epu32(cost, most), cost);
        n = put_found(static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(good))), 1, i, found, n);
    }
    for (; i < count; ++i) {
        if (distortions[i] + (rates ? rates[i] : 0) <= threshold) found[n++] = static_cast<std::uint16_t>(i);
    }
    return n;
}

} // namespace tandem
