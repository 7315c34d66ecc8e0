// SPDX-License-Identifier: BSD-2-Clause
#include "coding/filter/device_filter.h"

#include "coding/sample_difference.h"

namespace tandem {

namespace {

LateDevice<PictureFilter>::Make maker_for(double quantiser, const CodingDevices& devices) {
    if (!devices.make_filter) return {};
    return [make = devices.make_filter, quantiser] { return make(quantiser); };
}

} // namespace

DeviceFilter::DeviceFilter(double quantiser, Workers& workers, const CodingDevices& devices)
    : cpu_(quantiser), workers_(workers), verifies_(devices.verify),
      device_(maker_for(quantiser, devices), devices.on_warning, "filters pictures") {}

FramePtr DeviceFilter::filtered(const FilterInput& input) {
    PictureFilter* const device = device_.get();
    if (device == nullptr) return cpu_.filtered(input, workers_);
    FramePtr filtered;
    try {
        filtered = device->filtered(input);
    } catch (const RunError& error) {
        device_.retire(error);
        return cpu_.filtered(input, workers_);
    }
    if (verifies_) verify(input, *filtered, device->name());
    return filtered;
}

void DeviceFilter::verify(const FilterInput& input, const Frame& filtered, const std::string& device) {
    const std::string difference = sample_difference(*cpu_.filtered(input, workers_), filtered);
    if (!difference.empty())
        throw RunError("--verify-gpu: " + device + " filtered a picture to another " + difference + " than the CPU");
}

} // namespace tandem
