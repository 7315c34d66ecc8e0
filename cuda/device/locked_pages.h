// SPDX-License-Identifier: BSD-2-Clause
// Host memory that devices read and write themselves, at their full speed, while the host works.
#pragma once

#include <cstddef>
#include <memory>

namespace tandem::cuda {

/// Whole pages of zeros that every device reads. They are huge pages where the system has them, and locked when they
/// are there: CUDA's own page-locked memory takes five times as long, and other calls of CUDA wait meanwhile.
class LockedPages {
  public:
    LockedPages() = default;
    /// The calling thread has a device. Throws OutOfMemory where there is none left, RunError for other failures.
    explicit LockedPages(std::size_t bytes);

    void* data() const { return pages_.get(); }
    std::size_t bytes() const { return bytes_; } ///< As many as were asked for.

  private:
    struct Unmap {
        std::size_t bytes; ///< Whole pages.
        void operator()(void* pages) const noexcept;
    };
    struct Unlock {
        Unmap unmap;
        void operator()(void* pages) const noexcept;
    };
    std::unique_ptr<void, Unlock> pages_;
    std::size_t bytes_ = 0;
};

} // namespace tandem::cuda
