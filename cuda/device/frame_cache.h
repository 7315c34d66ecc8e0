// SPDX-License-Identifier: BSD-2-Clause
// What was made of frames, kept as long as somebody can still ask for the frame.
#pragma once

#include <algorithm>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>

#include "video/frame.h"

namespace tandem::cuda {

/// Copy is what a frame has on the device. Thread-safe.
template <class Copy> class FrameCache {
  public:
    explicit FrameCache(std::size_t most_kept) : most_kept_(most_kept) {}

    /// The frame's copy, made by `make()` (a std::shared_ptr<Copy>) when there is none. Copies of frames that are gone
    /// are let go, and beyond the limit those that were asked for the longest time ago.
    template <class Make> std::shared_ptr<Copy> get(const FramePtr& frame, Make make) {
        const std::lock_guard lock(mutex_);
        entries_.remove_if([](const Entry& entry) { return entry.frame.expired(); });
        const auto found = std::find_if(entries_.begin(), entries_.end(),
                                        [&](const Entry& entry) { return entry.serial == frame->serial(); });
        if (found != entries_.end()) {
            entries_.splice(entries_.begin(), entries_, found);
        } else {
            entries_.push_front({frame->serial(), frame, make()});
            if (entries_.size() > most_kept_) entries_.pop_back();
        }
        return entries_.front().copy;
    }

    void clear() {
        const std::lock_guard lock(mutex_);
        entries_.clear();
    }

    std::size_t size() const {
        const std::lock_guard lock(mutex_);
        return entries_.size();
    }

  private:
    struct Entry {
        std::uint64_t serial;
        std::weak_ptr<const Frame> frame;
        std::shared_ptr<Copy> copy;
    };
    mutable std::mutex mutex_;
    std::size_t most_kept_;
    std::list<Entry> entries_; ///< Last asked for first.
};

} // namespace tandem::cuda
