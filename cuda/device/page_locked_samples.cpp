// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/device/page_locked_samples.h"

#include <cuda_runtime_api.h>
#include <unistd.h>

#include <map>
#include <memory>
#include <mutex>

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

    /// In a forked process CUDA does nothing, and the memory is the parent's.
    void release(void* memory) noexcept override {
        if (getpid() != process_) return;
        static_cast<void>(cudaFreeHost(memory));
        static_cast<void>(cudaGetLastError());
    }

  private:
    int ordinal_;
    pid_t process_ = getpid();
};

} // namespace

void lock_pages_of_new_planes(int ordinal) {
    static std::mutex mutex;
    static std::map<int, std::shared_ptr<PageLockedSamples>> of_devices; // One each, so that its spare pieces stay.
    const std::lock_guard lock(mutex);
    std::shared_ptr<PageLockedSamples>& source = of_devices[ordinal];
    if (!source) source = std::make_shared<PageLockedSamples>(ordinal);
    use_sample_memory(source);
}

bool is_page_locked(const void* memory) {
    cudaPointerAttributes attributes{};
    const bool known = cudaPointerGetAttributes(&attributes, memory) == cudaSuccess;
    static_cast<void>(cudaGetLastError());
    return known && attributes.type == cudaMemoryTypeHost;
}

} // namespace tandem::cuda
