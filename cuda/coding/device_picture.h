// SPDX-License-Identifier: BSD-2-Clause
// Rebuilt pictures that stay on the device, and who remembers which of them is which reference.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "coding/mpeg/mpeg_backend.h"
#include "cuda/coding/coding_task.h"
#include "cuda/device/handles.h"
#include "cuda/device/memory_pool.h"

namespace tandem::cuda {

/// A picture of whole macroblocks on the device.
struct DevicePicture {
    /// Samples are uninitialised.
    DevicePicture(MemoryPool<DeviceMemory>& pool, int columns, int rows);

    std::shared_ptr<const DeviceMemory> memory;
    WrittenPlanes planes;
    std::uint8_t* coded_since_intra = nullptr; ///< By macroblock.
    bool has_counts = true;                    ///< Whether that counts: see Reference::coded_since_intra.
    Event ready;                               ///< Recorded behind what writes the picture.
};

/// The rows of bytes of a plane of so many macroblocks.
struct PlaneSize {
    std::size_t row_bytes, rows;
};
PlaneSize plane_size(int plane, int columns, int rows);

/// The same planes, to be read.
SamplePlanes constant(const WrittenPlanes& planes);

/// Queue copies between a frame's planes and a picture's.
void upload_planes(const Frame& frame, const WrittenPlanes& planes, const Stream& stream);
void download_planes(const SamplePlanes& planes, Frame& frame, const Stream& stream);

/// The pictures on the device by the references that they are, as long as somebody holds those. Thread-safe.
class PictureStore {
  public:
    /// Null where it is not there.
    std::shared_ptr<DevicePicture> find(const Reference* reference);
    void add(const ReferencePtr& reference, std::shared_ptr<DevicePicture> picture);

  private:
    struct Entry {
        const Reference* key;
        std::weak_ptr<const Reference> held;
        std::shared_ptr<DevicePicture> picture;
    };
    void drop_what_nobody_holds();

    std::mutex mutex_;
    std::vector<Entry> entries_;
};

} // namespace tandem::cuda
