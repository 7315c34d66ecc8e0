// SPDX-License-Identifier: BSD-2-Clause
// Samples on their way to the device.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "cuda/handles.h"
#include "video/frame.h"

namespace tandem::cuda {

/// A little pinned memory, used round and round: what is copied there is still in the processor's cache when the device
/// fetches it, so that uploads for several devices do not use up the memory's bandwidth, and a picture's first rows
/// travel while the next are copied. One thread at a time.
class UploadRing {
  public:
    /// Queues the upload of a plane to rows of `pitch` bytes; what lies between rows is undefined. When this returns
    /// the plane's samples have been read.
    void upload(PlaneView from, std::size_t pitch, void* to, Stream& stream);

  private:
    static constexpr std::size_t slot_bytes = std::size_t{256} << 10;
    static constexpr std::size_t slots = 4;

    PinnedBuffer<std::uint8_t> memory_;
    std::size_t slot_size_ = 0; ///< At least slot_bytes, and a row.
    std::array<Event, slots> fetched_{Event(Event::Kind::timed), Event(Event::Kind::timed), Event(Event::Kind::timed),
                                      Event(Event::Kind::timed)}; ///< Timed events are waited for without sleep.
    std::size_t next_ = 0;
};

} // namespace tandem::cuda
