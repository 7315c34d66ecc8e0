// SPDX-License-Identifier: BSD-2-Clause
// The stream and the memory that one picture needs on its way through the device.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "coding/mpeg/mpeg_backend.h"
#include "cuda/coding/coding_task.h"
#include "cuda/coding/device_picture.h"
#include "cuda/device/handles.h"

namespace tandem::cuda {

/// What all pictures of a stream share on the device.
class StreamTables {
  public:
    StreamTables(const MpegTools& tools, std::span<const SliceExtent> slices, Stream& stream);
    void set(CodingTask& task) const;

  private:
    DeviceBuffer<CodingTables> tables_;
    DeviceBuffer<SliceExtent> slices_;
    DeviceBuffer<std::uint32_t> slice_of_;
};

/// Used again for one picture after the other; memory is made with the first, and grows where a picture needs more. One
/// thread at a time. Whatever fails throws RunError, when the device is done with the memory.
class PictureInFlight {
  public:
    PictureInFlight(const MpegTools& tools, std::shared_ptr<MemoryPool<DeviceMemory>> pool);

    /// Queues the uploads; what the kernels are to be launched with. `references`: as the job's, null where there is
    /// none. `made` is written to.
    CodingTask prepare(const MpegCodingJob& job, const StreamTables& tables,
                       const std::array<std::shared_ptr<DevicePicture>, 2>& references,
                       std::shared_ptr<DevicePicture> made);
    /// The same, and the kernels.
    void begin(const MpegCodingJob& job, const StreamTables& tables,
               const std::array<std::shared_ptr<DevicePicture>, 2>& references, std::shared_ptr<DevicePicture> made);
    /// Waits, and fills the job's arrays and its reconstruction, and the reference's coded_since_intra.
    void finish(MpegCodingJob& job);

    Stream& stream() { return stream_; }

  private:
    void upload_input(const MpegCodingJob& job, CodingTask& task);
    void set_memory(CodingTask& task);
    void take_results(MpegCodingJob& job) const;

    const MpegTools& tools_;
    const std::size_t macroblocks_;
    std::shared_ptr<MemoryPool<DeviceMemory>> pool_;
    Stream stream_;
    Event computed_;
    DevicePicture source_;
    PinnedBuffer<std::uint8_t> staged_input_;
    DeviceBuffer<std::uint8_t> input_;   ///< What changes from picture to picture.
    DeviceBuffer<std::uint8_t> between_; ///< What kernels hand to one another.
    DeviceBuffer<std::uint8_t> results_;
    PinnedBuffer<std::uint8_t> staged_results_;
    DeviceBuffer<std::int16_t> packed_;
    PinnedBuffer<std::int16_t> staged_packed_;
    std::array<std::shared_ptr<DevicePicture>, 2> references_; ///< Of the picture under way.
    std::shared_ptr<DevicePicture> made_;
};

} // namespace tandem::cuda
