// SPDX-License-Identifier: BSD-2-Clause
// Samples on their way to the device.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "cuda/device/handles.h"
#include "video/frame.h"

namespace tandem::cuda {

/// Pinned memory used round and round: the first rows of a large picture travel while the next are copied, and the
/// pictures of a batch need none of their own. A slot holds a 1080p picture, since each has its calls to the driver.
/// One thread at a time.
class UploadRing {
  public:
    /// Queues the upload of a plane to rows of `pitch` bytes; what lies between rows is undefined. When this returns
    /// the plane's samples have been read.
    void upload(PlaneView from, std::size_t pitch, void* to, Stream& stream);

  private:
    static constexpr std::size_t slot_bytes = std::size_t{2} << 20;
    static constexpr std::size_t slots = 2;

    PinnedBuffer<std::uint8_t> memory_;
    std::size_t slot_size_ = 0; ///< At least slot_bytes, and a row.
    std::array<Event, slots> fetched_{Event(Event::Kind::timed), Event(Event::Kind::timed)}; ///< Waited for awake.
    std::size_t next_ = 0;
};

} // namespace tandem::cuda
