// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/device/upload_ring.h"

#include <algorithm>
#include <cstring>

namespace tandem::cuda {

namespace {

void copy_rows(PlaneView from, int first, int count, std::size_t pitch, std::uint8_t* to) {
    const auto width = static_cast<std::size_t>(from.width);
    if (from.stride == static_cast<std::ptrdiff_t>(pitch)) {
        std::memcpy(to, from.row(first), pitch * static_cast<std::size_t>(count - 1) + width);
        return;
    }
    for (int y = 0; y < count; ++y)
        std::memcpy(to + static_cast<std::size_t>(y) * pitch, from.row(first + y), width);
}

} // namespace

void UploadRing::upload(PlaneView from, std::size_t pitch, void* to, Stream& stream) {
    if (const std::size_t wanted = std::max(slot_bytes, pitch); slot_size_ < wanted) {
        for (Event& event : fetched_)
            event.synchronise();
        slot_size_ = 0;
        memory_.reserve(slots * wanted);
        slot_size_ = wanted;
    }
    const int rows_at_once = static_cast<int>(slot_size_ / pitch);
    for (int y = 0; y < from.height; y += rows_at_once) {
        const int rows = std::min(rows_at_once, from.height - y);
        std::uint8_t* slot = memory_.data() + next_ * slot_size_;
        fetched_[next_].synchronise();
        copy_rows(from, y, rows, pitch, slot);
        copy_to_device(static_cast<std::uint8_t*>(to) + static_cast<std::size_t>(y) * pitch, slot,
                       static_cast<std::size_t>(rows) * pitch, stream);
        fetched_[next_].record(stream);
        next_ = (next_ + 1) % slots;
    }
}

} // namespace tandem::cuda
