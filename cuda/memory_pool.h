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

    std::size_t spares() const {
        const std::lock_guard lock(mutex_);
        return spares_.size();
    }

  private:
    static constexpr std::size_t most_spares = 16;

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

    bool drop_spares() {
        const std::lock_guard lock(mutex_);
        const bool had_some = !spares_.empty();
        spares_.clear();
        return had_some;
    }

    /// The oldest spare piece goes when there are enough.
    void take_back(std::unique_ptr<Memory> piece) noexcept {
        const std::lock_guard lock(mutex_);
        if (spares_.size() == most_spares) spares_.erase(spares_.begin());
        spares_.push_back(std::move(piece));
    }

    mutable std::mutex mutex_;
    /// Has its room from the start, so that giving back cannot fail.
    std::vector<std::unique_ptr<Memory>> spares_ = [] {
        std::vector<std::unique_ptr<Memory>> spares;
        spares.reserve(most_spares);
        return spares;
    }();
};

} // namespace tandem::cuda
