// SPDX-License-Identifier: BSD-2-Clause
// SSDs of rectangles of positions by vpdpbusd, which multiplies 64 samples and adds them up by fours.
#include "me/kernels/avx512.h"
#include "me/kernels/distortion_variants.h"
#include "me/kernels/ssd_rectangle.h"

namespace tandem {

namespace {

struct Fours {
    static constexpr int samples = 4, positions = 64;
    using Element = std::int8_t;
    using Vector = std::uint32_t __attribute__((vector_size(64)));

    static Vector load(const Byte* p) { return Vector(load64(p)); }
    static Vector first(int n) { return Vector(_mm512_set1_epi32((1 << 8 * n) - 1)); }
    static Vector repeat(const Element* p) { return Vector(four_bytes(p)); }

    /// Written out so that this file needs no more of the compiler than AVX-512's others do.
    static void add_products(Vector& sums, Vector bytes, Vector elements) {
        asm("vpdpbusd %[elements], %[bytes], %[sums]"
            : [sums] "+v"(sums)
            : [bytes] "v"(bytes), [elements] "v"(elements));
    }
    static void add_squares(Vector& sums, Vector bytes) {
        const Vector minus_128 = Vector(_mm512_set1_epi8(-128));
        add_products(sums, bytes, bytes ^ minus_128); // r (r - 128)
        add_products(sums, bytes, minus_128);
    }
    static bool any_within(const Vector (&sums)[samples], std::int32_t limit) {
        const __m512i least = _mm512_min_epu32(_mm512_min_epu32(__m512i(sums[0]), __m512i(sums[1])),
                                               _mm512_min_epu32(__m512i(sums[2]), __m512i(sums[3])));
        return _mm512_cmple_epu32_mask(least, _mm512_set1_epi32(limit)) != 0;
    }
    static void store(const Vector (&sums)[samples], std::uint32_t* words) {
        const __m512i s0 = __m512i(sums[0]), s1 = __m512i(sums[1]), s2 = __m512i(sums[2]), s3 = __m512i(sums[3]);
        const __m512i low01 = _mm512_unpacklo_epi32(s0, s1), high01 = _mm512_unpackhi_epi32(s0, s1);
        const __m512i low23 = _mm512_unpacklo_epi32(s2, s3), high23 = _mm512_unpackhi_epi32(s2, s3);
        // Each has four positions in a lane, and in the next lane those 16 further.
        const __m512i at0 = _mm512_unpacklo_epi64(low01, low23), at4 = _mm512_unpackhi_epi64(low01, low23);
        const __m512i at8 = _mm512_unpacklo_epi64(high01, high23), at12 = _mm512_unpackhi_epi64(high01, high23);
        constexpr int even_lanes = 0x88, odd_lanes = 0xDD;
        const __m512i even0 = _mm512_shuffle_i32x4(at0, at4, even_lanes),
                      even8 = _mm512_shuffle_i32x4(at8, at12, even_lanes);
        const __m512i odd0 = _mm512_shuffle_i32x4(at0, at4, odd_lanes),
                      odd8 = _mm512_shuffle_i32x4(at8, at12, odd_lanes);
        _mm512_storeu_si512(words, _mm512_shuffle_i32x4(even0, even8, even_lanes));
        _mm512_storeu_si512(words + 16, _mm512_shuffle_i32x4(odd0, odd8, even_lanes));
        _mm512_storeu_si512(words + 32, _mm512_shuffle_i32x4(even0, even8, odd_lanes));
        _mm512_storeu_si512(words + 48, _mm512_shuffle_i32x4(odd0, odd8, odd_lanes));
    }
};

} // namespace

int ssds_within_avx512(const Byte* current, Stride current_stride, const Byte* reference, Stride reference_stride,
                       int width, int height, int columns, int rows, const std::int32_t* limits,
                       MeasuredPosition* found) {
    Within good(limits, found);
    measure_ssds<Fours, ssd_avx2>(current, current_stride, width, height, {reference, reference_stride, columns, rows},
                                  good);
    return good.count_from(found);
}

void all_ssds_avx512(const Byte* current, Stride current_stride, const Byte* reference, Stride reference_stride,
                     int width, int height, int columns, int rows, std::uint32_t* ssds, Stride row_length) {
    const Everything<std::uint32_t> all{ssds, row_length};
    measure_ssds<Fours, ssd_avx2>(current, current_stride, width, height, {reference, reference_stride, columns, rows},
                                  all);
}

} // namespace tandem
