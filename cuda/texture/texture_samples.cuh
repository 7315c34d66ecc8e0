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
    /// A sample's value, 0..255, not rounded.
    __device__ float at(int column, int row) const {
        return 255.0F * tex2D<float>(texture, x + static_cast<float>(column), y + static_cast<float>(row));
    }
    __device__ std::uint32_t operator()(int column, int row) const {
        std::uint32_t word = 0;
#pragma unroll
        for (int i = 0; i < 4; ++i)
            word |= __float2uint_rn(at(column + i, row)) << (8 * i);
        return word;
    }
};

} // namespace tandem::cuda
