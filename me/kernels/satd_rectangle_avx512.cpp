// SPDX-License-Identifier: BSD-2-Clause
#include "me/kernels/satd_rectangle.h"

#include "me/kernels/avx512.h"
#include "me/kernels/distortion_variants.h"

namespace tandem {

namespace {

struct Words {
    static constexpr int count = 32;
    using Vector = std::uint16_t __attribute__((vector_size(64)));

    static Vector load(const Byte* p) { return Vector(_mm512_cvtepu8_epi16(load32(p))); }
    static Vector repeat(const std::int16_t* pair) { return Vector(four_bytes(pair)); }
    static Vector larger(Vector a, Vector b) { return Vector(_mm512_max_epi16(__m512i(a), __m512i(b))); }
    static void add_to(std::uint32_t* sums, Vector words) {
        const __m512i low = _mm512_cvtepu16_epi32(_mm512_castsi512_si256(__m512i(words)));
        const __m512i high = _mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64(__m512i(words), 1));
        _mm512_storeu_si512(sums, _mm512_add_epi32(low, load64(sums)));
        _mm512_storeu_si512(sums + 16, _mm512_add_epi32(high, load64(sums + 16)));
    }
};

} // namespace

int satds_within_avx512(const Byte* current, Stride current_stride, const Byte* reference, Stride reference_stride,
                        int width, int height, int columns, int rows, const std::int32_t* limits,
                        MeasuredPosition* found) {
    Within good(limits, found);
    measure_satds<Words, satd_avx512>(current, current_stride, width, height,
                                      {reference, reference_stride, columns, rows}, good);
    return good.count_from(found);
}

void all_satds_avx512(const Byte* current, Stride current_stride, const Byte* reference, Stride reference_stride,
                      int width, int height, int columns, int rows, std::uint16_t* satds, Stride row_length) {
    const Everything<std::uint16_t> all{satds, row_length};
    measure_satds<Words, satd_avx512>(current, current_stride, width, height,
                                      {reference, reference_stride, columns, rows}, all);
}

} // namespace tandem
