// SPDX-License-Identifier: BSD-2-Clause
// The GPU behind coding's CostMeter.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "coding/costs/cost_meter.h"
#include "cuda/costs/cost_task.h"
#include "cuda/device/devices.h"
#include "cuda/device/frame_cache.h"
#include "cuda/device/handles.h"
#include "cuda/device/memory_pool.h"

namespace tandem::cuda {

/// One device and one stream. Pictures and costs stay there while somebody can still refer to them; fields go up with
/// each piece of work, and its costs come down.
class CudaCostMeter final : public CostMeter {
  public:
    /// Throws RunError where the device cannot be used.
    explicit CudaCostMeter(const DeviceInfo& device);
    /// Waits for work that nobody finished.
    ~CudaCostMeter() override;

    std::string name() const override;
    void measure(const CostWork& work) override;

  private:
    struct InputParts;

    const std::uint8_t* uploaded(const HalfPicture& picture);
    const DeviceMemory& make_copy(const std::shared_ptr<CostMemory>& memory);
    void upload_known(const CostWork& work, const std::set<std::shared_ptr<CostMemory>>& measured);
    template <class Cost> Cost* on_device(const CostArray<Cost>& costs) const;
    void list_items(const CostWork& work, const InputParts& input, CostItem* next);
    void launch(const CostWork& work, const CostItem* items);

    const DeviceInfo device_;
    KeptMemory freed_memory_;
    std::shared_ptr<MemoryPool<DeviceMemory>> pool_ = std::make_shared<MemoryPool<DeviceMemory>>();
    FrameCache<const DeviceMemory> pictures_;
    /// On the device, of each CostMemory that somebody holds.
    std::map<std::weak_ptr<CostMemory>, std::shared_ptr<const DeviceMemory>, std::owner_less<>> cost_copies_;
    PinnedBuffer<std::uint8_t> staged_input_;
    DeviceBuffer<std::uint8_t> input_;
    Stream stream_;
};

} // namespace tandem::cuda
