// SPDX-License-Identifier: BSD-2-Clause
#include "app/about.h"

#include <sys/utsname.h>

#include <fstream>

#include <CLI/Version.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spdlog/version.h>

#include "machine/errors.h"
#include "machine/simd_level.h"
#include "machine/threads.h"

#if TANDEM_HAVE_FFMPEG
#include "video/libav/libav_functions.h"
#endif

namespace tandem {
namespace {

using Features = std::vector<std::pair<std::string, std::string>>;

#if TANDEM_HAVE_FFMPEG
std::string libav_version(unsigned number) {
    return fmt::format("{}.{}.{}", AV_VERSION_MAJOR(number), AV_VERSION_MINOR(number), AV_VERSION_MICRO(number));
}

void add_libav(Features& features) {
    try {
        const LibavFunctions& functions = libav();
        features.emplace_back("libavformat", libav_version(functions.avformat_version()));
        features.emplace_back("libavcodec", libav_version(functions.avcodec_version()));
        features.emplace_back("libavutil", libav_version(functions.avutil_version()));
        features.emplace_back("libswscale", libav_version(functions.swscale_version()));
    } catch (const InputError&) {
        features.emplace_back("FFmpeg", "its libraries cannot be loaded here");
    }
}
#else
void add_libav(Features& features) { features.emplace_back("FFmpeg", "no"); }
#endif

/// What the first line of /proc/cpuinfo that begins with `key` says; empty where there is none.
std::string processor_line(std::string_view key) {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        const std::size_t colon = line.find(':');
        if (line.starts_with(key) && colon != std::string::npos && colon + 2 <= line.size())
            return line.substr(colon + 2);
    }
    return {};
}

std::string processor_name() {
    const std::string name = processor_line("model name");
    if (!name.empty()) return name;
    // Of ARM's processors the system knows numbers alone.
    const std::string part = processor_line("CPU part");
    if (part.empty()) return "unknown";
    return fmt::format("ARM implementer {} part {}", processor_line("CPU implementer"), part);
}

} // namespace

std::string version_number() { return TANDEM_VERSION; }

std::vector<std::pair<std::string, std::string>> build_features() {
    Features features;
    features.emplace_back("compiler", TANDEM_COMPILER);
    features.emplace_back("build", TANDEM_BUILD_TYPE);
    features.emplace_back("CUDA", TANDEM_HAVE_CUDA ? "yes" : "no");
    features.emplace_back("SIMD",
                          TANDEM_HAVE_SIMD ? fmt::format("yes, here up to {}", name_of(best_simd_level())) : "no");
    add_libav(features);
    features.emplace_back("CLI11", CLI11_VERSION);
    features.emplace_back("fmt",
                          fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100));
    features.emplace_back("spdlog", fmt::format("{}.{}.{}", SPDLOG_VER_MAJOR, SPDLOG_VER_MINOR, SPDLOG_VER_PATCH));
    features.emplace_back("nlohmann-json", fmt::format("{}.{}.{}", NLOHMANN_JSON_VERSION_MAJOR,
                                                       NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH));
    return features;
}

std::string version_text() {
    std::string text = fmt::format("tandem {}\n", version_number());
    for (const auto& [name, value] : build_features())
        text += fmt::format("{:<14} {}\n", name, value);
    return text;
}

Machine this_machine() {
    Machine machine{processor_name(), "unknown", available_threads()};
    utsname name{};
    if (::uname(&name) == 0) machine.system = fmt::format("{} {} {}", name.sysname, name.release, name.machine);
    return machine;
}

} // namespace tandem
