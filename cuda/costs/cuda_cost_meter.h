// SPDX-License-Identifier: BSD-2-Clause
// The GPU behind coding's CostMeter.
#pragma once

#include <map>
#include <memory>

#include "coding/costs/cost_meter.h"
#include "cuda/costs/cost_task.h"
#include "cuda/device/devices.h"
#include "cuda/device/frame_cache.h"
#include "cuda/device/handles.h"
#include "cuda/device/memory_pool.h"

namespace tandem::cuda {

/// One device and one stream. Pictures stay there while they can still be referred to; fields go up with each piece of
/// work, and costs come down.
class CudaCostMeter final : public CostMeter {
  public:
    /// Throws RunError where the device cannot be used.
    explicit CudaCostMeter(const DeviceInfo& device);
    /// Waits for work that nobody finished.
    ~CudaCostMeter() override;

    std::string name() const override;
    void measure(const CostWork& work, Workers& workers) override;

  private:
    struct InputParts;
    struct CostParts;
    /// Where predicted costs are on the device.
    using DeviceCostsOf = std::map<const PredictedCosts*, const PredictedCost*>;

    const std::uint8_t* uploaded(const HalfPicture& picture);
    void list_items(const CostWork& work, const InputParts& input, const CostParts& costs,
                    const DeviceCostsOf& on_device, CostItem* next);
    static void fetch(const CostParts& measured, const CostWork& work, Workers& workers);

    const DeviceInfo device_;
    KeptMemory freed_memory_;
    std::shared_ptr<MemoryPool<DeviceMemory>> pool_ = std::make_shared<MemoryPool<DeviceMemory>>();
    FrameCache<const DeviceMemory> pictures_;
    PinnedBuffer<std::uint8_t> staged_input_, staged_costs_;
    DeviceBuffer<std::uint8_t> input_, costs_;
    Stream stream_;
};

} // namespace tandem::cuda
