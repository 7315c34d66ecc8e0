// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/coding/device_picture.h"

#include <algorithm>

namespace tandem::cuda {

namespace {

constexpr std::size_t plane_row_alignment = 64;

std::size_t pitch_of(int plane, int columns) {
    const std::size_t row = plane_size(plane, columns, 1).row_bytes;
    return (row + plane_row_alignment - 1) / plane_row_alignment * plane_row_alignment;
}

std::size_t bytes_of(int columns, int rows) {
    std::size_t bytes = static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows);
    for (int plane = 0; plane < 3; ++plane)
        bytes += pitch_of(plane, columns) * plane_size(plane, columns, rows).rows;
    return bytes;
}

} // namespace

PlaneSize plane_size(int plane, int columns, int rows) {
    const int side = plane == 0 ? 16 : 8;
    return {static_cast<std::size_t>(columns * side), static_cast<std::size_t>(rows * side)};
}

DevicePicture::DevicePicture(MemoryPool<DeviceMemory>& pool, int columns, int rows)
    : memory(pool.take(bytes_of(columns, rows))) {
    auto* next = static_cast<std::uint8_t*>(memory->data());
    for (int plane = 0; plane < 3; ++plane) {
        planes.plane[plane] = next;
        planes.stride[plane] = static_cast<int>(pitch_of(plane, columns));
        next += pitch_of(plane, columns) * plane_size(plane, columns, rows).rows;
    }
    coded_since_intra = next;
}

SamplePlanes constant(const WrittenPlanes& planes) {
    SamplePlanes made;
    std::ranges::copy(planes.plane, made.plane);
    std::ranges::copy(planes.stride, made.stride);
    return made;
}

void upload_planes(const Frame& frame, const WrittenPlanes& planes, const Stream& stream) {
    for (int p = 0; p < 3; ++p) {
        const PlaneView from = frame.plane(p).view();
        copy_rows_to_device(planes.plane[p], static_cast<std::size_t>(planes.stride[p]), from.data,
                            static_cast<std::size_t>(from.stride), static_cast<std::size_t>(from.width),
                            static_cast<std::size_t>(from.height), stream);
    }
}

void download_planes(const SamplePlanes& planes, Frame& frame, const Stream& stream) {
    for (int p = 0; p < 3; ++p) {
        const MutablePlaneView to = frame.plane(p).view();
        copy_rows_to_host(to.data, static_cast<std::size_t>(to.stride), planes.plane[p],
                          static_cast<std::size_t>(planes.stride[p]), static_cast<std::size_t>(to.width),
                          static_cast<std::size_t>(to.height), stream);
    }
}

void PictureStore::drop_what_nobody_holds() {
    std::erase_if(entries_, [](const Entry& entry) { return entry.held.expired(); });
}

std::shared_ptr<DevicePicture> PictureStore::find(const Reference* reference) {
    const std::lock_guard lock(mutex_);
    drop_what_nobody_holds();
    const auto found = std::ranges::find(entries_, reference, &Entry::key);
    return found == entries_.end() ? nullptr : found->picture;
}

void PictureStore::add(const ReferencePtr& reference, std::shared_ptr<DevicePicture> picture) {
    const std::lock_guard lock(mutex_);
    drop_what_nobody_holds();
    std::erase_if(entries_, [&](const Entry& entry) { return entry.key == reference.get(); }); // Coded once more.
    entries_.push_back({reference.get(), reference, std::move(picture)});
}

} // namespace tandem::cuda
