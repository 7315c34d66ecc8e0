// SPDX-License-Identifier: BSD-2-Clause
// Words of four samples at any position, fetched by the texture units.
#pragma once

#include "cuda/search_geometry.cuh"

namespace tandem::cuda {

/// As BlendedSamples, but of one fetch per sample.
struct TextureSamples {
    using Source = cudaTextureObject_t;
    cudaTextureObject_t texture;
    float x, y; ///< Of the first sample's centre.

    __device__ TextureSamples(cudaTextureObject_t object, int left, int top, Mv mv)
        : texture(object), x(static_cast<float>(left) + static_cast<float>(mv.x) * 0.125F + 0.5F),
          y(static_cast<float>(top) + static_cast<float>(mv.y) * 0.125F + 0.5F) {}
    __device__ std::uint32_t operator()(int column, int row) const {
        const float down = y + static_cast<float>(row);
        std::uint32_t word = 0;
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const float sample = tex2D<float>(texture, x + static_cast<float>(column + i), down);
            word |= __float2uint_rn(sample * 255.0F) << (8 * i);
        }
        return word;
    }
};

} // namespace tandem::cuda
