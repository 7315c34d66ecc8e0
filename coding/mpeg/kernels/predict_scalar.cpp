// SPDX-License-Identifier: BSD-2-Clause
// Motion compensation in plain C++: what the other levels must equal.
#include "coding/mpeg/kernels/predict.h"
#include "coding/mpeg/kernels/transform_variants.h"

namespace tandem {

namespace {

void half_pel(const std::uint8_t* reference, std::ptrdiff_t reference_stride, int half_x, int half_y, int width,
              int height, std::uint8_t* out, std::ptrdiff_t out_stride) {
    const std::ptrdiff_t right = half_x;
    const std::ptrdiff_t below = half_y * reference_stride;
    for (int y = 0; y < height; ++y, reference += reference_stride, out += out_stride) {
        for (int x = 0; x < width; ++x) {
            // Where a phase is 0 its two samples are the same one, and both formulas of 13818-2 clause 7.6.4 become
            // this.
            const int sum = reference[x] + reference[x + right] + reference[x + below] + reference[x + right + below];
            out[x] = static_cast<std::uint8_t>((sum + 2) >> 2);
        }
    }
}

void average(const std::uint8_t* a, std::ptrdiff_t a_stride, const std::uint8_t* b, std::ptrdiff_t b_stride, int width,
             int height, std::uint8_t* out, std::ptrdiff_t out_stride) {
    for (int y = 0; y < height; ++y, a += a_stride, b += b_stride, out += out_stride) {
        for (int x = 0; x < width; ++x)
            out[x] = static_cast<std::uint8_t>((a[x] + b[x] + 1) >> 1);
    }
}

} // namespace

const PredictKernels scalar_predict_kernels = {SimdLevel::scalar, half_pel, average};

} // namespace tandem
