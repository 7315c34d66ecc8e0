// SPDX-License-Identifier: BSD-2-Clause
#include "coding/costs/device_costs.h"

#include <cstdint>
#include <vector>

#include "machine/errors.h"

namespace tandem {

namespace {

/// A copy of all that was measured.
struct Measured {
    std::vector<std::uint32_t> costs;
    std::vector<PredictedCost> predicted;

    explicit Measured(const CostWork& work) {
        for (const CostWork::Intra& each : work.intra)
            costs.insert(costs.end(), each.costs->begin(), each.costs->end());
        for (const CostWork::Both& each : work.both)
            costs.insert(costs.end(), each.costs->begin(), each.costs->end());
        for (const CostWork::Predicted& each : work.predicted)
            predicted.insert(predicted.end(), each.costs->begin(), each.costs->end());
    }
    bool operator==(const Measured&) const = default;
};

} // namespace

DeviceCosts::DeviceCosts(Workers& workers, const CodingDevices& devices)
    : workers_(workers), verifies_(devices.verify),
      device_(devices.make_costs, devices.on_warning, "measures macroblocks") {}

void DeviceCosts::measure(const CostWork& work) {
    if (work.empty()) return;
    CostMeter* const device = device_.get();
    if (device == nullptr) return by_cpu(work);
    try {
        device->measure(work);
    } catch (const RunError& error) {
        device_.retire(error);
        return by_cpu(work);
    }
    if (verifies_) verify(work, device->name());
}

void DeviceCosts::by_cpu(const CostWork& work) {
    workers_.for_each(work.any_picture().height() / half_macroblock, [&](int row, int) { measure_row(work, row); });
}

void DeviceCosts::verify(const CostWork& work, const std::string& device) {
    const Measured by_device(work);
    by_cpu(work);
    if (by_device != Measured(work))
        throw RunError("--verify-gpu: " + device + " measured other costs of macroblocks than the CPU");
}

} // namespace tandem
