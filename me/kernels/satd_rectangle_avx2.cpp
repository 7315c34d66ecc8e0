// SPDX-License-Identifier: BSD-2-Clause
#include "me/kernels/satd_rectangle.h"

#include "me/kernels/avx2.h"
#include "me/kernels/distortion_variants.h"

namespace tandem {

namespace {

struct Words {
    static constexpr int count = 16;
    using Vector = std::uint16_t __attribute__((vector_size(32)));

    static Vector load(const Byte* p) { return Vector(_mm256_cvtepu8_epi16(load16(p))); }
    static Vector repeat(const std::int16_t* pair) { return Vector(_mm256_set1_epi32(word4(pair))); }
    static Vector larger(Vector a, Vector b) { return Vector(_mm256_max_epi16(__m256i(a), __m256i(b))); }
    static void add_to(std::uint32_t* sums, Vector words) {
        const __m256i low = _mm256_cvtepu16_epi32(_mm256_castsi256_si128(__m256i(words)));
        const __m256i high = _mm256_cvtepu16_epi32(_mm256_extracti128_si256(__m256i(words), 1));
        store32(sums, _mm256_add_epi32(low, load32(sums)));
        store32(sums + 8, _mm256_add_epi32(high, load32(sums + 8)));
    }
};

} // namespace

int satds_within_avx2(const Byte* current, Stride current_stride, const Byte* reference, Stride reference_stride,
                      int width, int height, int columns, int rows, const std::int32_t* limits,
                      MeasuredPosition* found) {
    Within good(limits, found);
    measure_satds<Words, satd_avx2>(current, current_stride, width, height,
                                    {reference, reference_stride, columns, rows}, good);
    return good.count_from(found);
}

void all_satds_avx2(const Byte* current, Stride current_stride, const Byte* reference, Stride reference_stride,
                    int width, int height, int columns, int rows, std::uint16_t* satds, Stride row_length) {
    const Everything<std::uint16_t> all{satds, row_length};
    measure_satds<Words, satd_avx2>(current, current_stride, width, height,
                                    {reference, reference_stride, columns, rows}, all);
}

} // namespace tandem
