// SPDX-License-Identifier: BSD-2-Clause
// Large pieces of memory that requests use one after another, so that the system is not asked for them (and does not
// clear them) every time.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace tandem {

/// Thread-safe. Keeps the last 16 buffers that were given back, however large.
class BufferPool {
  public:
    BufferPool() { kept_.reserve(most_kept); }
    struct Free {
        void operator()(void* memory) const;
    };
    /// Owns its memory, which starts at a page; its contents are undefined.
    struct Buffer {
        std::unique_ptr<void, Free> memory;
        std::size_t bytes = 0;
    };

    /// At least `bytes`. On Linux in huge pages where the system has them: searches read columns of far apart rows, and
    /// there are more of those than the processor remembers the addresses of.
    Buffer take(std::size_t bytes);
    void give(Buffer buffer) noexcept;

  private:
    static constexpr std::size_t most_kept = 16;
    std::mutex mutex_;
    std::vector<Buffer> kept_;
};

} // namespace tandem
