// SPDX-License-Identifier: BSD-2-Clause
#include "me/avx2.h"
#include "me/cell_variants.h"

namespace tandem {

namespace {

using Byte = std::uint8_t;
using Stride = std::ptrdiff_t;

/// 16 positions: mpsadbw sums 4 samples of each of 8 positions per lane.
inline __m256i sads_of_16(const Byte* current, Stride current_stride, const Byte* reference, Stride reference_stride,
                          int width, int height) {
    __m256i sum = _mm256_setzero_si256();
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; x += 4) {
            const __m256i there =
                _mm256_inserti128_si256(_mm256_castsi128_si256(load16(reference + x)), load16(reference + x + 8), 1);
            const __m256i here = _mm256_set1_epi32(word4(current + x));
            sum = _mm256_add_epi16(sum, _mm256_mpsadbw_epu8(there, here, 0));
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
            sum = _mm_add_epi16(sum, _mm_mpsadbw_epu8(load16(reference + x), _mm_set1_epi32(word4(current + x)), 0));
        }
        current += current_stride;
        reference += reference_stride;
    }
    return sum;
}

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

void cell_sad_row_avx2(const Byte* current, Stride current_stride, const Byte* reference, Stride reference_stride,
                       int width, int height, int count, std::uint16_t* sads) {
    int i = 0;
    for (; count - i > 8; i += 16) {
        const __m256i sum = width == 4 && height == 4
                                ? sads_of_16(current, current_stride, reference + i, reference_stride, 4, 4)
                                : sads_of_16(current, current_stride, reference + i, reference_stride, width, height);
        store32(sads + i, sum);
    }
    if (i < count) {
        const __m128i sum = width == 4 && height == 4
                                ? sads_of_8(current, current_stride, reference + i, reference_stride, 4, 4)
                                : sads_of_8(current, current_stride, reference + i, reference_stride, width, height);
        _mm_storeu_si128(reinterpret_cast<__m128i*>(sads + i), sum);
    }
}

void cell_ssd_row_avx2(const Byte* current, Stride current_stride, const Byte* reference, Stride reference_stride,
                       int width, int height, int count, std::uint32_t* ssds) {
    const auto samples = [](const Byte* p) {
        return _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)));
    };
    for (int i = 0; i < count; i += 8) {
        __m256i sum = _mm256_setzero_si256();
        for (int y = 0; y < height; ++y) {
            const Byte* here = current + y * current_stride;
            const Byte* there = reference + y * reference_stride + i;
            for (int x = 0; x < width; x += 2) {
                const __m256i pair = _mm256_or_si256(samples(there + x), _mm256_slli_epi32(samples(there + x + 1), 16));
                const __m256i difference =
                    _mm256_sub_epi16(_mm256_set1_epi32(here[x] | static_cast<int>(here[x + 1]) << 16), pair);
                sum = _mm256_add_epi32(sum, _mm256_madd_epi16(difference, difference));
            }
        }
        store32(ssds + i, sum);
    }
}

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
