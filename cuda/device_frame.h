// SPDX-License-Identifier: BSD-2-Clause
// A frame's luma on the device: uploaded once, with the word plane that searches read.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>

#include "cuda/handles.h"
#include "cuda/memory_pool.h"
#include "cuda/search_task.h"
#include "video/frame.h"

namespace tandem::cuda {

using DevicePool = MemoryPool<DeviceMemory>;

/// A word plane and the memory that it lies in.
struct HeldWords {
    WordPlane plane;
    std::shared_ptr<const DeviceMemory> memory;
};

/// Shared by all searches that name the frame. Thread-safe.
class DeviceFrame {
  public:
    explicit DeviceFrame(std::shared_ptr<DevicePool> pool) : pool_(std::move(pool)) {}

    /// The word plane with at least this border. Queues what is missing on `upload`, through `staging`, which must stay
    /// untouched until `upload` is done; makes `use` wait until the plane is there.
    HeldWords words(const Frame& frame, int border, PinnedBuffer<std::uint8_t>& staging, Stream& upload, Stream& use);

  private:
    void upload_samples(const Frame& frame, PinnedBuffer<std::uint8_t>& staging, Stream& upload);
    void make_words(const Frame& frame, int border, Stream& upload);

    std::mutex mutex_;
    std::shared_ptr<DevicePool> pool_;
    std::shared_ptr<const DeviceMemory> samples_;
    std::size_t pitch_ = 0;
    HeldWords words_;
    int border_ = 0;
    std::unique_ptr<Event> ready_; ///< What was queued last.
};

} // namespace tandem::cuda
