// SPDX-License-Identifier: BSD-2-Clause
// Pieces of memory that are used again: to allocate and free device memory takes longer than to search a picture.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace tandem::cuda {

/// Memory is a movable type with Memory(bytes) and bytes(). Thread-safe; outlives what it gave out.
/// A piece comes back when its last holder lets go, who must have seen all device work on it end.
template <class Memory> class MemoryPool : public std::enable_shared_from_this<MemoryPool<Memory>> {
  public:
    /// Spare pieces are kept up to `few`, and up to `most` while they have at most `small_bytes` together.
    explicit MemoryPool(std::size_t small_bytes = 0) : small_bytes_(small_bytes) { spares_.reserve(most); }

    /// A piece of exactly this size. When there is no memory left, tries once more without the spare pieces.
    std::shared_ptr<const Memory> take(std::size_t bytes) {
        if (std::unique_ptr<Memory> spare = take_spare(bytes)) return give(std::move(spare));
        try {
            return give(std::make_unique<Memory>(bytes));
        } catch (...) {
            if (!drop_spares()) throw;
        }
        return give(std::make_unique<Memory>(bytes));
    }

    /// Whether there were some.
    bool drop_spares() {
        const std::lock_guard lock(mutex_);
        const bool had_some = !spares_.empty();
        spares_.clear();
        return had_some;
    }

    std::size_t spares() const {
        const std::lock_guard lock(mutex_);
        return spares_.size();
    }

  private:
    static constexpr std::size_t few = 16, most = 512;

    std::shared_ptr<const Memory> give(std::unique_ptr<Memory> piece) {
        auto pool = this->shared_from_this();
        return {piece.release(), [pool](Memory* memory) { pool->take_back(std::unique_ptr<Memory>(memory)); }};
    }

    std::unique_ptr<Memory> take_spare(std::size_t bytes) {
        const std::lock_guard lock(mutex_);
        for (auto spare = spares_.begin(); spare != spares_.end(); ++spare) {
            if ((*spare)->bytes() != bytes) continue;
            std::unique_ptr<Memory> found = std::move(*spare);
            spares_.erase(spare);
            return found;
        }
        return nullptr;
    }

    /// The oldest spare pieces go when there are enough. The list has its room from the start, so that giving back
    /// cannot fail.
    void take_back(std::unique_ptr<Memory> piece) noexcept {
        const std::lock_guard lock(mutex_);
        std::size_t bytes = piece->bytes();
        for (const std::unique_ptr<Memory>& spare : spares_)
            bytes += spare->bytes();
        while (spares_.size() == most || (spares_.size() >= few && bytes > small_bytes_)) {
            bytes -= spares_.front()->bytes();
            spares_.erase(spares_.begin());
        }
        spares_.push_back(std::move(piece));
    }

    std::size_t small_bytes_;
    mutable std::mutex mutex_;
    std::vector<std::unique_ptr<Memory>> spares_;
};

} // namespace tandem::cuda
