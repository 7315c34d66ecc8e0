// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/page_locked_samples.h"

#include <cuda_runtime_api.h>

#include <memory>

#include "video/sample_memory.h"

namespace tandem::cuda {

namespace {

/// A device that has failed gives nothing: then the heap does.
class PageLockedSamples : public SampleMemorySource {
  public:
    explicit PageLockedSamples(int ordinal) : ordinal_(ordinal) {}

    void* allocate(std::size_t bytes) noexcept override {
        void* memory = nullptr;
        if (cudaSetDevice(ordinal_) == cudaSuccess &&
            cudaHostAlloc(&memory, bytes, cudaHostAllocPortable) == cudaSuccess)
            return memory;
        static_cast<void>(cudaGetLastError());
        return nullptr;
    }

    void release(void* memory) noexcept override {
        static_cast<void>(cudaFreeHost(memory));
        static_cast<void>(cudaGetLastError());
    }

  private:
    int ordinal_;
};

} // namespace

void lock_pages_of_new_planes(int ordinal) { use_sample_memory(std::make_shared<PageLockedSamples>(ordinal)); }

bool is_page_locked(const void* memory) {
    cudaPointerAttributes attributes{};
    const bool known = cudaPointerGetAttributes(&attributes, memory) == cudaSuccess;
    static_cast<void>(cudaGetLastError());
    return known && attributes.type == cudaMemoryTypeHost;
}

} // namespace tandem::cuda
