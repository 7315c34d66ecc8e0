// SPDX-License-Identifier: BSD-2-Clause
// SSDs of rectangles of positions by vpmaddwd, which multiplies 16 samples, as words, and adds them up by twos.
#include "me/kernels/avx2.h"
#include "me/kernels/distortion_variants.h"
#include "me/kernels/ssd_rectangle.h"

namespace tandem {

namespace {

struct Twos {
    static constexpr int samples = 2, positions = 16;
    using Element = std::int16_t;
    using Vector = std::uint32_t __attribute__((vector_size(32)));

    static Vector load(const Byte* p) { return Vector(_mm256_cvtepu8_epi16(load16(p))); }
    static Vector first(int) { return Vector(_mm256_set1_epi32(0xFFFF)); }
    static Vector repeat(const Element* p) { return Vector(_mm256_set1_epi32(word4(p))); }
    static void add_products(Vector& sums, Vector words, Vector elements) {
        sums += Vector(_mm256_madd_epi16(__m256i(words), __m256i(elements)));
    }
    static void add_squares(Vector& sums, Vector words) {
        add_products(sums, words, Vector(_mm256_sub_epi16(__m256i(words), _mm256_set1_epi16(256))));
    }
    static bool any_within(const Vector (&sums)[samples], std::int32_t limit) {
        const __m256i least = _mm256_min_epu32(__m256i(sums[0]), __m256i(sums[1]));
        return _mm256_movemask_epi8(_mm256_cmpgt_epi32(least, _mm256_set1_epi32(limit))) != -1;
    }
    static void store(const Vector (&sums)[samples], std::uint32_t* words) {
        const __m256i low = _mm256_unpacklo_epi32(__m256i(sums[0]), __m256i(sums[1]));
        const __m256i high = _mm256_unpackhi_epi32(__m256i(sums[0]), __m256i(sums[1]));
        store32(words, _mm256_permute2x128_si256(low, high, 0x20));
        store32(words + 8, _mm256_permute2x128_si256(low, high, 0x31));
    }
};

} // namespace

int ssds_within_avx2(const Byte* current, Stride current_stride, const Byte* reference, Stride reference_stride,
                     int width, int height, int columns, int rows, const std::int32_t* limits,
                     MeasuredPosition* found) {
    Within good(limits, found);
    measure_ssds<Twos, ssd_avx2>(current, current_stride, width, height, {reference, reference_stride, columns, rows},
                                 good);
    return good.count_from(found);
}

void all_ssds_avx2(const Byte* current, Stride current_stride, const Byte* reference, Stride reference_stride,
                   int width, int height, int columns, int rows, std::uint32_t* ssds, Stride row_length) {
    const Everything<std::uint32_t> all{ssds, row_length};
    measure_ssds<Twos, ssd_avx2>(current, current_stride, width, height, {reference, reference_stride, columns, rows},
                                 all);
}

} // namespace tandem
