// SPDX-License-Identifier: BSD-2-Clause
#include "me/coprocessor/buffer_pool.h"

#include <algorithm>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace tandem {

namespace {

constexpr std::size_t page = std::size_t{2} << 20;

} // namespace

void BufferPool::Free::operator()(void* memory) const { ::operator delete (memory, std::align_val_t{page}); }

BufferPool::Buffer BufferPool::take(std::size_t bytes) {
    {
        const std::lock_guard lock(mutex_);
        const auto fits = [bytes](const Buffer& b) { return b.bytes >= bytes && b.bytes <= 2 * bytes + page; };
        const auto found = std::find_if(kept_.begin(), kept_.end(), fits);
        if (found != kept_.end()) {
            Buffer buffer = std::move(*found);
            kept_.erase(found);
            return buffer;
        }
    }
    const std::size_t rounded = (bytes + page - 1) / page * page;
    Buffer buffer{std::unique_ptr<void, Free>(::operator new (rounded, std::align_val_t{page})), rounded};
#ifdef MADV_HUGEPAGE
    // A hint: where it is refused, small pages do the same work.
    static_cast<void>(madvise(buffer.memory.get(), rounded, MADV_HUGEPAGE));
#endif
    return buffer;
}

void BufferPool::give(Buffer buffer) noexcept {
    if (!buffer.memory) return;
    const std::lock_guard lock(mutex_);
    if (kept_.size() == most_kept) kept_.erase(kept_.begin());
    kept_.push_back(std::move(buffer));
}

} // namespace tandem
