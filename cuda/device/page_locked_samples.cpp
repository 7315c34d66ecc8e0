// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/device/page_locked_samples.h"

#include <cuda_runtime_api.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <future>
#include <list>
#include <map>
#include <memory>
#include <mutex>

#include "cuda/device/handles.h"
#include "cuda/device/locked_pages.h"
#include "video/sample_memory.h"

namespace tandem::cuda {

namespace {

constexpr std::size_t alignment = 256;
constexpr std::size_t least_slab = std::size_t{4} << 20, most_slab = std::size_t{32} << 20;

/// Pages are locked a slab at a time, each as large as all before it within limits: to lock many pages at once is
/// cheaper. A slab is unlocked when its last piece has been released. A device that has failed gives nothing: then the
/// heap does.
class PageLockedSamples : public SampleMemorySource {
  public:
    explicit PageLockedSamples(int ordinal) : ordinal_(ordinal) {}

    void* allocate(std::size_t bytes) noexcept override {
        const std::size_t wanted = (bytes + alignment - 1) / alignment * alignment;
        const std::lock_guard lock(mutex_);
        try {
            Slab& slab = slab_with_room(wanted);
            void* const piece = static_cast<std::uint8_t*>(slab.pages.data()) + slab.used;
            slab.used += wanted;
            ++slab.pieces;
            return piece;
        } catch (const std::exception&) {
            return nullptr;
        }
    }

    /// In a forked process CUDA does nothing, and the memory is the parent's.
    void release(void* memory) noexcept override {
        if (getpid() != process_) return;
        const std::lock_guard lock(mutex_);
        const auto slab = std::ranges::find_if(slabs_, [&](const Slab& each) { return each.holds(memory); });
        if (--slab->pieces == 0) slabs_.erase(slab);
    }

  private:
    struct Slab {
        LockedPages pages;
        std::size_t used = 0;
        int pieces = 0; ///< That have not been released.

        bool holds(const void* memory) const {
            const std::less<const void*> before;
            const void* const first = pages.data();
            return !before(memory, first) && before(memory, static_cast<const std::uint8_t*>(first) + pages.bytes());
        }
    };

    Slab& slab_with_room(std::size_t bytes) {
        std::size_t all = 0;
        for (Slab& slab : slabs_) {
            if (slab.pages.bytes() - slab.used >= bytes) return slab;
            all += slab.pages.bytes();
        }
        return slabs_.emplace_back(locked_by_a_thread(std::max(bytes, std::clamp(all, least_slab, most_slab))));
    }

    /// The calling thread may be at work on another device, or on none, and that stays so.
    LockedPages locked_by_a_thread(std::size_t bytes) const {
        const auto lock_pages = [this, bytes] {
            use_device(ordinal_);
            return LockedPages(bytes);
        };
        return std::async(std::launch::async, lock_pages).get();
    }

    int ordinal_;
    pid_t process_ = getpid();
    std::mutex mutex_;
    std::list<Slab> slabs_;
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
