// SPDX-License-Identifier: BSD-2-Clause
// Motion compensation with AVX2: 32 samples a step, two rows of 16 or four of 8.
#include <immintrin.h>

#include "coding/mpeg/kernels/predict.h"
#include "coding/mpeg/kernels/transform_variants.h"

namespace tandem {

namespace {

using Bytes = __m256i;

const __m128i* at(const std::uint8_t* samples) { return reinterpret_cast<const __m128i*>(samples); }

/// Rows of one width, `rows` of them in a register, with exactly their samples read and written.
struct Wide {
    static constexpr int rows = 2;
    static Bytes load(const std::uint8_t* samples, std::ptrdiff_t stride) {
        return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(at(samples))),
                                       _mm_loadu_si128(at(samples + stride)), 1);
    }
    static void store(std::uint8_t* out, std::ptrdiff_t stride, Bytes bytes) {
        _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm256_castsi256_si128(bytes));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(out + stride), _mm256_extracti128_si256(bytes, 1));
    }
};

struct Narrow {
    static constexpr int rows = 4;
    static __m128i two(const std::uint8_t* samples, std::ptrdiff_t stride) {
        return _mm_unpacklo_epi64(_mm_loadl_epi64(at(samples)), _mm_loadl_epi64(at(samples + stride)));
    }
    static Bytes load(const std::uint8_t* samples, std::ptrdiff_t stride) {
        return _mm256_inserti128_si256(_mm256_castsi128_si256(two(samples, stride)), two(samples + 2 * stride, stride),
                                       1);
    }
    static void store(std::uint8_t* out, std::ptrdiff_t stride, Bytes bytes) {
        const __m128i first = _mm256_castsi256_si128(bytes);
        const __m128i second = _mm256_extracti128_si256(bytes, 1);
        _mm_storel_epi64(reinterpret_cast<__m128i*>(out), first);
        _mm_storeh_pi(reinterpret_cast<__m64*>(out + stride), _mm_castsi128_ps(first));
        _mm_storel_epi64(reinterpret_cast<__m128i*>(out + 2 * stride), second);
        _mm_storeh_pi(reinterpret_cast<__m64*>(out + 3 * stride), _mm_castsi128_ps(second));
    }
};

/// (a + b + c + d + 2) >> 2 in bytes: the average of two averages is too large by one exactly where one of the pairs
/// was rounded up and the averages' own average is rounded up too.
Bytes average_of_four(Bytes a, Bytes b, Bytes c, Bytes d) {
    const Bytes above = _mm256_avg_epu8(a, b);
    const Bytes below = _mm256_avg_epu8(c, d);
    const Bytes rounded = _mm256_or_si256(_mm256_xor_si256(a, b), _mm256_xor_si256(c, d));
    const Bytes excess =
        _mm256_and_si256(_mm256_and_si256(rounded, _mm256_xor_si256(above, below)), _mm256_set1_epi8(1));
    return _mm256_sub_epi8(_mm256_avg_epu8(above, below), excess);
}

template <class Rows>
void predict(const std::uint8_t* reference, std::ptrdiff_t stride, int half_x, int half_y, int height,
             std::uint8_t* out, std::ptrdiff_t out_stride) {
    const std::ptrdiff_t second = half_x != 0 ? 1 : stride;
    for (int y = 0; y < height; y += Rows::rows) {
        const std::uint8_t* from = reference + y * stride;
        Bytes value = Rows::load(from, stride);
        if (half_x != 0 && half_y != 0) {
            value = average_of_four(value, Rows::load(from + 1, stride), Rows::load(from + stride, stride),
                                    Rows::load(from + stride + 1, stride));
        } else if (half_x != 0 || half_y != 0) {
            value = _mm256_avg_epu8(value, Rows::load(from + second, stride));
        }
        Rows::store(out + y * out_stride, out_stride, value);
    }
}

void half_pel(const std::uint8_t* reference, std::ptrdiff_t reference_stride, int half_x, int half_y, int width,
              int height, std::uint8_t* out, std::ptrdiff_t out_stride) {
    if (width == 16) {
        predict<Wide>(reference, reference_stride, half_x, half_y, height, out, out_stride);
    } else {
        predict<Narrow>(reference, reference_stride, half_x, half_y, height, out, out_stride);
    }
}

template <class Rows>
void average_rows(const std::uint8_t* a, std::ptrdiff_t a_stride, const std::uint8_t* b, std::ptrdiff_t b_stride,
                  int height, std::uint8_t* out, std::ptrdiff_t out_stride) {
    for (int y = 0; y < height; y += Rows::rows) {
        const Bytes value =
            _mm256_avg_epu8(Rows::load(a + y * a_stride, a_stride), Rows::load(b + y * b_stride, b_stride));
        Rows::store(out + y * out_stride, out_stride, value);
    }
}

void average(const std::uint8_t* a, std::ptrdiff_t a_stride, const std::uint8_t* b, std::ptrdiff_t b_stride, int width,
             int height, std::uint8_t* out, std::ptrdiff_t out_stride) {
    if (width == 16) {
        average_rows<Wide>(a, a_stride, b, b_stride, height, out, out_stride);
    } else {
        average_rows<Narrow>(a, a_stride, b, b_stride, height, out, out_stride);
    }
}

} // namespace

const PredictKernels avx2_predict_kernels = {SimdLevel::avx2, half_pel, average};

} // namespace tandem
