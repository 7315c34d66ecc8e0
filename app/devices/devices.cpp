// SPDX-License-Identifier: BSD-2-Clause
#include "app/devices/devices.h"

#include <algorithm>
#include <array>
#include <fstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/about.h"
#include "app/json.h"
#include "cuda/device/devices.h"
#include "cuda/device/no_device_reason.h"
#include "files/atomic_file.h"
#include "files/file_name.h"
#include "machine/simd_level.h"
#include "machine/workers.h"
#include "me/estimator.h"
#include "me/search.h"

namespace tandem {
namespace {

using Names = std::vector<std::string>;

/// What an estimator runs with a search's default parameters.
Names searches_of(const Estimator& estimator) {
    Names names;
    for (const SearchRow& row : search_table()) {
        SearchParams params;
        params.algorithm = row.algorithm;
        if (estimator.supports(params)) names.emplace_back(row.name);
    }
    return names;
}

struct Gpu {
    cuda::DeviceInfo info;
    Names searches;
    std::string why_unusable; ///< Empty where it is used.
    std::string label() const { return fmt::format("gpu:{}", info.ordinal); }
};

struct Devices {
    std::vector<Gpu> gpus;
    std::string why_none; ///< Empty where there is one that can be used.
    std::string driver;   ///< "580.159.04", or empty where there is none.
    int driver_cuda = 0, runtime_cuda = 0;
    Machine machine = this_machine();
    Names cpu_searches = searches_of(*make_cpu_estimator(1));
};

/// The version of the kernel's driver, as the kernel tells it.
std::string driver_version() {
    std::ifstream file("/sys/module/nvidia/version");
    std::string version;
    std::getline(file, version);
    return version;
}

Devices find_devices() {
    Devices devices;
    const cuda::DeviceList list = cuda::list_devices();
    devices.why_none = list.why_none;
    devices.driver_cuda = list.driver_version;
    devices.runtime_cuda = list.runtime_version;
    if (list.driver_version != 0) devices.driver = driver_version();
    bool is_any_usable = false;
    for (const cuda::DeviceInfo& info : list.devices) {
        Gpu gpu{info, {}, cuda::why_unusable(info)};
        if (gpu.why_unusable.empty()) {
            const auto estimators = make_gpu_estimators(&gpu.why_unusable, {info.ordinal});
            if (!estimators.empty()) gpu.searches = searches_of(*estimators.front());
        }
        is_any_usable |= gpu.why_unusable.empty();
        devices.gpus.push_back(std::move(gpu));
    }
    if (!is_any_usable && devices.why_none.empty()) devices.why_none = devices.gpus.front().why_unusable;
    return devices;
}

std::string driver_text(const Devices& devices) {
    const std::string cuda = "CUDA " + cuda::version_text(devices.driver_cuda);
    return devices.driver.empty() ? cuda : fmt::format("{} ({})", devices.driver, cuda);
}

using TableRow = std::array<std::string, 6>;

std::string table_text(const std::vector<TableRow>& rows) {
    std::array<std::size_t, 6> widths{};
    for (const TableRow& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], row[i].size());
    }
    std::string text;
    for (const TableRow& row : rows) {
        for (std::size_t i = 0; i + 1 < row.size(); ++i)
            text += fmt::format("{:<{}}  ", row[i], widths[i]);
        text += row.back() + "\n";
    }
    return text;
}

std::string devices_text(const Devices& devices) {
    std::vector<TableRow> rows{{"device", "name", "memory", "runs", "driver", "searches"}};
    for (const Gpu& gpu : devices.gpus) {
        const double gibibytes = static_cast<double>(gpu.info.memory) / (1 << 30);
        rows.push_back(
            {gpu.label(), gpu.info.name, fmt::format("{:.1f} GiB", gibibytes),
             fmt::format("sm_{}{}", gpu.info.major, gpu.info.minor), driver_text(devices),
             gpu.why_unusable.empty() ? fmt::format("{}", fmt::join(gpu.searches, " ")) : "none: " + gpu.why_unusable});
    }
    const Machine& machine = devices.machine;
    rows.push_back(
        {"cpu", machine.processor, "-",
         fmt::format("{}, {} thread{}", name_of(best_simd_level()), machine.threads, machine.threads == 1 ? "" : "s"),
         "-", fmt::format("{}", fmt::join(devices.cpu_searches, " "))});
    std::string text = table_text(rows);
    if (!devices.why_none.empty()) text += fmt::format("no GPU: {}\n", devices.why_none);
    return text;
}

Json version_json(int version) { return version == 0 ? Json(nullptr) : Json(cuda::version_text(version)); }

Json gpu_json(const Gpu& gpu) {
    return {{"device", gpu.label()},
            {"name", gpu.info.name},
            {"memory_bytes", gpu.info.memory},
            {"compute_capability", fmt::format("{}.{}", gpu.info.major, gpu.info.minor)},
            {"multiprocessors", gpu.info.multiprocessors},
            {"why_unusable", gpu.why_unusable.empty() ? Json(nullptr) : Json(gpu.why_unusable)},
            {"searches", gpu.searches}};
}

std::string devices_json(const Devices& devices) {
    Json json = {{"gpus", Json::array()},
                 {"why_no_gpu", devices.why_none.empty() ? Json(nullptr) : Json(devices.why_none)},
                 {"driver", devices.driver.empty() ? Json(nullptr) : Json(devices.driver)},
                 {"driver_cuda", version_json(devices.driver_cuda)},
                 {"build_cuda", version_json(devices.runtime_cuda)},
                 {"cpu",
                  {{"name", devices.machine.processor},
                   {"simd", std::string(name_of(best_simd_level()))},
                   {"threads", devices.machine.threads},
                   {"searches", devices.cpu_searches}}}};
    for (const Gpu& gpu : devices.gpus)
        json["gpus"].push_back(gpu_json(gpu));
    add_provenance(json);
    return json_text(json);
}

void write_to(const std::string& path, const std::string& text) {
    AtomicFile file(path);
    file.write(text);
    file.finish();
}

} // namespace

int run_devices(const Arguments& arguments) {
    const std::string report = arguments.text("report");
    const Devices devices = find_devices();
    if (!report.empty()) write_to(report, devices_json(devices));
    if (!is_standard_output(report)) write_to("-", devices_text(devices));
    return 0;
}

} // namespace tandem
