// SPDX-License-Identifier: BSD-2-Clause
// Interpolation by the texture units (Interpolation::texture): bilinear fetches whose weights have 8 bits of fraction,
// as Kelly and Kokaram and Massanes et al. (2011) searched between samples. A measured alternative to the packed
// arithmetic; it rounds in its own way, so that no CPU repeats its distortions.
#pragma once

#include <cuda_runtime_api.h>

#include <utility>

#include "cuda/phase/phase_task.h"
#include "cuda/requests/search_task.h"

namespace tandem::cuda {

/// A plane of samples in device memory as a texture; edge samples replicate. The plane must outlive it.
class Texture {
  public:
    Texture() = default;
    explicit Texture(const SamplePlane& plane);
    Texture(Texture&& other) noexcept : object_(std::exchange(other.object_, 0)) {}
    Texture& operator=(Texture&& other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    ~Texture();
    cudaTextureObject_t get() const { return object_; }
    explicit operator bool() const { return object_ != 0; }

  private:
    cudaTextureObject_t object_ = 0;
};

/// Full search on the task's grid, of which one candidate per block is kept. `best`: one key per block, no_vector_key.
void launch_texture_full(const SearchTask& task, cudaTextureObject_t reference, VectorKey* best, cudaStream_t stream);

/// As launch_refine().
void launch_texture_refine(const SearchTask& task, int precision, int border, cudaTextureObject_t reference,
                           cudaStream_t stream);

/// SADs of a block by either way; `unrounded` is the sum of differences from fetches as they come, in samples' units.
struct TwoSads {
    std::uint32_t fetched, packed;
    float unrounded;
};
/// Those of each block at `mv`, to `sads`.
void launch_two_sads(const SearchTask& task, Mv mv, cudaTextureObject_t reference, TwoSads* sads, cudaStream_t stream);

} // namespace tandem::cuda
