// SPDX-License-Identifier: BSD-2-Clause
#include "coding/filter/device_filter.h"

#include "coding/sample_difference.h"

namespace tandem {

DeviceFilter::DeviceFilter(Workers& workers, const CodingDevices& devices)
    : workers_(workers), verifies_(devices.verify),
      device_(devices.make_filter, devices.on_warning, "filters pictures") {}

FramePtr DeviceFilter::filtered(const FilterInput& input) {
    PictureFilter* const device = device_.get();
    if (device == nullptr) return temporally_filtered(input, workers_);
    FramePtr filtered;
    try {
        filtered = device->filtered(input);
    } catch (const RunError& error) {
        device_.retire(error);
        return temporally_filtered(input, workers_);
    }
    if (verifies_) verify(input, *filtered, device->name());
    return filtered;
}

void DeviceFilter::verify(const FilterInput& input, const Frame& filtered, const std::string& device) {
    const std::string difference = sample_difference(*temporally_filtered(input, workers_), filtered);
    if (!difference.empty())
        throw RunError("--verify-gpu: " + device + " filtered a picture to another " + difference + " than the CPU");
}

} // namespace tandem
