// SPDX-License-Identifier: BSD-2-Clause
// The GPU behind coding's PictureFilter.
#pragma once

#include <memory>

#include "coding/filter/picture_filter.h"
#include "cuda/coding/device_picture.h"
#include "cuda/device/devices.h"
#include "cuda/device/frame_cache.h"
#include "cuda/device/handles.h"
#include "cuda/filter/filter_task.h"

namespace tandem::cuda {

/// One device and one stream. Pictures stay there while they can still be a neighbour.
class CudaPictureFilter final : public PictureFilter {
  public:
    /// Throws RunError where the device cannot be used.
    explicit CudaPictureFilter(const DeviceInfo& device);

    std::string name() const override;
    FramePtr filtered(const FilterInput& input) override;

  private:
    SamplePlanes uploaded(const FramePtr& picture);
    void upload_motion(const FilterInput& input, FilterTask& task);

    const DeviceInfo device_;
    KeptMemory freed_memory_;
    std::shared_ptr<MemoryPool<DeviceMemory>> pool_ = std::make_shared<MemoryPool<DeviceMemory>>();
    FrameCache<DevicePicture> pictures_;
    PinnedBuffer<std::uint8_t> staged_input_;
    DeviceBuffer<std::uint8_t> input_;
    Stream stream_;
};

} // namespace tandem::cuda
