// SPDX-License-Identifier: BSD-2-Clause
// A frame's luma on the device: uploaded once, with the word plane that searches read.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "cuda/device/handles.h"
#include "cuda/device/memory_pool.h"
#include "cuda/device/upload_ring.h"
#include "cuda/phase/phase_task.h"
#include "cuda/requests/search_task.h"
#include "video/frame.h"

namespace tandem::cuda {

using DevicePool = MemoryPool<DeviceMemory>;

/// What a search needs of a word plane.
struct WordsWanted {
    int border = 0;     ///< At least.
    int grid_shift = 0; ///< log2 of the positions per pel, at least.
};

/// Word planes and the memory that they lie in.
struct HeldWords {
    WordPlanes planes;
    std::shared_ptr<const DeviceMemory> memory;
};

/// A smaller level of a frame's pyramid, and the memory that it lies in.
struct HeldLevel {
    WordPlane words;
    int width = 0, height = 0;
    std::shared_ptr<const DeviceMemory> memory;
};

/// Luma and its smaller layers, each the 2x2 means of the one before, as phase correlation sees them.
struct HeldLayers {
    SampleLayers layers;
    std::vector<std::shared_ptr<const DeviceMemory>> memory;
};

/// Shared by all searches that name the frame. Thread-safe.
class DeviceFrame {
  public:
    explicit DeviceFrame(std::shared_ptr<DevicePool> pool) : pool_(std::move(pool)) {}

    /// The frame's word planes. Queues what is missing on `upload`, through `ring` where the frame's memory is not
    /// page-locked; makes `use` wait until the planes are there. The frame must live until then.
    HeldWords words(const Frame& frame, WordsWanted wanted, UploadRing& ring, Stream& upload, Stream& use);

    /// Levels 1 .. count - 1 of the frame's pyramid (me/search/levels/pyramid.h), of which positions up to `border`
    /// samples at full size outside may be read. words() has been called before.
    std::vector<HeldLevel> levels(int count, int border, Stream& upload, Stream& use);

    /// The first `count` layers of means. words() has been called before.
    HeldLayers layers(int count, Stream& upload, Stream& use);

  private:
    void upload_samples(const Frame& frame, UploadRing& ring, Stream& upload);
    void make_words(const Frame& frame, WordsWanted wanted, Stream& upload);
    void make_levels(int count, int border, Stream& upload);

    std::mutex mutex_;
    std::shared_ptr<DevicePool> pool_;
    std::shared_ptr<const DeviceMemory> samples_;
    int width_ = 0, height_ = 0;
    std::size_t pitch_ = 0;
    HeldWords words_;
    int border_ = 0;
    std::vector<HeldLevel> levels_; ///< From level 1 on.
    int levels_border_ = 0;
    HeldLayers layers_;
    std::unique_ptr<Event> ready_; ///< What was queued last.
};

} // namespace tandem::cuda
