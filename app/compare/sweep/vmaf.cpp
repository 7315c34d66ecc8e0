// SPDX-License-Identifier: BSD-2-Clause
#include "app/compare/sweep/vmaf.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

#include <fmt/format.h>

#include "machine/errors.h"

namespace tandem {
namespace {

/// Half of a pair's height: with chroma of 4:2:0 the source below begins at an even row.
int even(int height) { return height + height % 2; }

/// A plane's rows, and its last one again up to `rows`.
void append_rows(std::vector<std::uint8_t>& bytes, const PlaneView& plane, int rows) {
    for (int y = 0; y < rows; ++y) {
        const std::uint8_t* const row = plane.row(std::min(y, plane.height - 1));
        bytes.insert(bytes.end(), row, row + plane.width);
    }
}

} // namespace

bool lists_vmaf(const std::string& filters) {
    std::istringstream lines(filters);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string flags, name;
        if (words >> flags >> name && name == "libvmaf") return true;
    }
    return false;
}

std::string vmaf_maker() {
    if (!lists_vmaf(output_of({"ffmpeg", "-hide_banner", "-filters"}))) return "";
    return first_line_of({"ffmpeg", "-version"});
}

double vmaf_of_log(const std::string& log, std::int64_t pictures) {
    const Json json = Json::parse(log, nullptr, false);
    const Json frames = json.is_object() ? json.value("frames", Json::array()) : Json::array();
    if (!frames.is_array() || static_cast<std::int64_t>(frames.size()) != pictures)
        throw RunError(fmt::format("libvmaf's log has {} pictures, not {}", frames.size(), pictures));
    double sum = 0;
    for (const Json& frame : frames) {
        const Json metrics = frame.is_object() ? frame.value("metrics", Json::object()) : Json::object();
        if (!metrics.is_object() || !metrics.contains("vmaf") || !metrics["vmaf"].is_number())
            throw RunError("a picture in libvmaf's log has no VMAF");
        sum += metrics["vmaf"].get<double>();
    }
    return sum / static_cast<double>(pictures);
}

std::vector<std::string> vmaf_words(int width, int height, int threads) {
    // "exact" keeps an odd height, which crop else makes even.
    const std::string chain =
        fmt::format("split[a][b];[a]crop={0}:{1}:0:0:exact=1[decoded];[b]crop={0}:{1}:0:{2}:exact=1[source];"
                    "[decoded][source]libvmaf=log_fmt=json:log_path=/dev/stdout:n_threads={3}",
                    width, height, even(height), threads);
    const std::string size = fmt::format("{}x{}", width, 2 * even(height));
    return {"ffmpeg", "-v", "error",  "-f",     "rawvideo", "-pix_fmt", "yuv420p", "-s",
            size,     "-i", "pipe:0", "-lavfi", chain,      "-f",       "null",    "-"};
}

VmafRun::VmafRun(int width, int height, int threads, const std::string& folder)
    : width_(width), height_(height), log_(folder + "/vmaf.json"),
      program_(vmaf_words(width, height, threads), log_, folder + "/vmaf.txt") {}

void VmafRun::add(const Frame& decoded, const Frame& source) {
    stacked_.clear();
    for (int plane = 0; plane < 3; ++plane)
        for (const Frame* const frame : {&decoded, &source})
            append_rows(stacked_, frame->plane(plane).view(), plane == 0 ? even(height_) : even(height_) / 2);
    program_.write(stacked_);
    ++pictures_;
}

double VmafRun::finish() {
    program_.finish();
    std::ifstream file(log_, std::ios::binary);
    const std::string log{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    return vmaf_of_log(log, pictures_);
}

} // namespace tandem
