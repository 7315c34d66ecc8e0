// SPDX-License-Identifier: BSD-2-Clause
#include "app/devices/device_choice.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include <spdlog/spdlog.h>

#include "cuda/device/devices.h"
#include "cuda/gpu_coding_devices.h"
#include "machine/errors.h"

namespace tandem {
namespace {

std::atomic<bool> some_are_open{false}; ///< By open_devices().

/// A number that no device has is a mistake in the command, unless no device is there at all.
void check_ordinals(const DeviceChoice& choice) {
    if (choice.ordinals.empty()) return;
    const cuda::DeviceList list = cuda::list_devices();
    if (list.devices.empty()) return;
    std::string known;
    for (const cuda::DeviceInfo& device : list.devices)
        known += fmt::format("{}gpu:{} {}", known.empty() ? "" : ", ", device.ordinal, device.name);
    for (const int ordinal : choice.ordinals) {
        if (std::ranges::find(list.devices, ordinal, &cuda::DeviceInfo::ordinal) == list.devices.end())
            throw InputError(fmt::format("--device: there is no gpu:{}; this machine has {}", ordinal, known));
    }
}

void say_where(const std::vector<std::unique_ptr<Estimator>>& devices, bool cpu_shares) {
    std::string names;
    for (const auto& device : devices)
        names += (names.empty() ? "" : ", ") + device->name();
    spdlog::info("motion on {}{}", names, cpu_shares ? " and the CPU" : "");
}

/// What make() makes. Null, and a warning where it fails: the CPU does the work, which `work` says of pictures.
template <class Make> auto open_or_warn(const char* work, Make make) -> decltype(make()) {
    try {
        auto device = make();
        if (device) spdlog::debug("{} on {}", work, device->name());
        return device;
    } catch (const RunError& error) {
        spdlog::warn("warning: {} on the CPU: {}", work, error.what());
        return nullptr;
    }
}

/// Null: the CPU codes.
std::unique_ptr<MpegBackend> open_coding_device(const MpegTools& tools, const std::vector<int>& ordinals,
                                                bool cpu_shares) {
    auto backend = open_or_warn("pictures are coded", [&] { return make_gpu_mpeg_backend(tools, ordinals); });
    if (!backend) return nullptr;
    const bool does = backend->supports(tools);
    if (does)
        spdlog::info("pictures coded on {}{}", backend->name(), cpu_shares ? " and the CPU" : "");
    else
        spdlog::info("{} does not code by this decision; the CPU does", backend->name());
    return does ? std::move(backend) : nullptr;
}

} // namespace

DeviceChoice parse_device(std::string_view text, std::string_view option) {
    if (auto choice = device_named(text)) return *std::move(choice);
    throw InputError(fmt::format("{} {}: must be {}", option, text.empty() ? "(empty)" : text, device_words));
}

std::vector<std::unique_ptr<Estimator>> open_devices(const DeviceChoice& choice) {
    if (!choice.gpus) {
        spdlog::debug("motion on the CPU (as --device cpu asks)");
        return {};
    }
    check_ordinals(choice);
    std::string why_not;
    std::vector<std::unique_ptr<Estimator>> devices = make_gpu_estimators(&why_not, choice.ordinals);
    if (!devices.empty()) some_are_open = true;
    const bool are_all_there = !devices.empty() && devices.size() >= choice.ordinals.size();
    if (choice.gpus_are_required && !are_all_there) throw RunError(fmt::format("no GPU for motion: {}", why_not));
    if (devices.empty()) {
        spdlog::debug("motion on the CPU ({})", why_not);
        return devices;
    }
    if (!why_not.empty()) spdlog::warn("warning: not used: {}", why_not);
    say_where(devices, choice.cpu_shares);
    return devices;
}

bool gpus_are_in_use() { return some_are_open; }

bool any_does(const std::vector<std::unique_ptr<Estimator>>& devices, const SearchParams& search) {
    return std::ranges::any_of(devices, [&](const auto& device) { return device->supports(search); });
}

void say_if_left_to_the_cpu(const DeviceChoice& choice, const std::vector<std::unique_ptr<Estimator>>& devices,
                            const SearchParams& search) {
    if (devices.empty() || !search.validate().empty() || any_does(devices, search)) return;
    spdlog::log(choice.gpus_are_required ? spdlog::level::warn : spdlog::level::info,
                "{}no GPU in use does this search; the CPU does it", choice.gpus_are_required ? "warning: " : "");
}

CodingDevices coding_devices(const DeviceChoice& choice, bool verify) {
    CodingDevices devices;
    devices.verify = verify;
    devices.on_warning = [](const std::string& warning) { spdlog::warn("warning: {}", warning); };
    if (!choice.gpus) return devices;
    devices.cpu_shares = choice.cpu_shares;
    devices.make_mpeg = [ordinals = choice.ordinals, cpu_shares = choice.cpu_shares](const MpegTools& tools) {
        return std::optional(open_coding_device(tools, ordinals, cpu_shares));
    };
    devices.make_costs = [ordinals = choice.ordinals] {
        return std::optional(
            open_or_warn("pictures are looked at ahead", [&] { return make_gpu_cost_meter(ordinals); }));
    };
    devices.make_filter = [ordinals = choice.ordinals] {
        return std::optional(open_or_warn("pictures are filtered", [&] { return make_gpu_picture_filter(ordinals); }));
    };
    return devices;
}

CoprocessorOptions coprocessor_options(const DeviceChoice& choice, Split split, Trace* trace) {
    CoprocessorOptions options;
    options.split = split;
    options.fallback_shares = choice.cpu_shares;
    options.on_warning = [](const std::string& warning) { spdlog::warn("warning: {}", warning); };
    options.trace = trace;
    return options;
}

} // namespace tandem
