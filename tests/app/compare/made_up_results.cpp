// SPDX-License-Identifier: BSD-2-Clause
#include "tests/app/compare/made_up_results.h"

#include <cmath>
#include <cstdint>

#include <fmt/format.h>

namespace tandem::test {
namespace {

constexpr int frames = 13;

struct MadeUpSeries {
    const char *encoder, *name, *search, *device;
    double share, motion_seconds;
};
constexpr MadeUpSeries all[] = {{"tandem", "tandem mpeg2 full cpu", "full", "cpu", 0.9, 0.4},
                                {"tandem", "tandem mpeg2 full gpu", "full", "gpu", 0.9, 0.1},
                                {"tandem", "tandem mpeg2 log cpu", "log", "cpu", 0.95, 0.2},
                                {"mpeg2video", "mpeg2video", "", "", 1, 0}};

/// A PNG of one grey sample.
const char* const grey_png =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==";

Json pictures(std::int64_t bytes, double psnr) {
    Json list;
    for (int n = 0; n < frames; ++n) {
        const char* const type = n % 12 == 0 ? "I" : n % 3 == 0 ? "P" : "B";
        list.push_back({{"n", n}, {"type", type}, {"bytes", bytes / frames}, {"psnr_y", psnr}});
    }
    return list;
}

Json field() {
    Json vectors;
    for (int i = 0; i < 12; ++i)
        vectors.push_back(i == 5 ? Json() : Json({i * 0.5, -i}));
    return {{"picture", 7}, {"columns", 4}, {"rows", 3}, {"block", 16}, {"mv", vectors}, {"under", grey_png}};
}

Json row(const std::string& clip, const MadeUpSeries& series, int qp) {
    const double psnr = 50 - 10 * std::log10(qp);
    const std::int64_t bytes = made_up_bytes(series.share, qp);
    Json json = {{"schema", 1},
                 {"key", fmt::format("{} {} {}", clip, series.name, qp)},
                 {"clip",
                  {{"name", clip},
                   {"file", clip + ".y4m"},
                   {"md5", "c0ffee"},
                   {"width", 60},
                   {"height", 44},
                   {"frames", frames},
                   {"fps", 25},
                   {"fps_ratio", "25/1"}}},
                 {"encoder", series.encoder},
                 {"series", series.name},
                 {"codec", "mpeg2"},
                 {"options", "keyint=12"},
                 {"qp", qp},
                 {"frames", frames},
                 {"bytes", bytes},
                 {"bitrate_kbps", static_cast<double>(bytes) * 8 / 1000 * 25 / frames},
                 {"psnr_y", psnr},
                 {"psnr_u", 52 - 6 * std::log10(qp)},
                 {"psnr_v", 53 - 8 * std::log10(qp)},
                 {"psnr", psnr + 1},
                 {"ssim_y", 1 - 0.004 * qp},
                 {"ssim", 1 - 0.003 * qp},
                 {"encode_s", 1.3 + series.motion_seconds},
                 {"total_s", 2.0},
                 {"peak_rss_bytes", 1 << 20},
                 {"stream_md5", fmt::format("{}-{}-{}", clip, series.share, qp)},
                 {"pictures", pictures(bytes, psnr)},
                 {"shown", {{"picture", 6}, {"left", 0}, {"top", 0}, {"width", 60}, {"height", 44}, {"png", grey_png}}},
                 {"provenance", {{"command", "tandem compare"}, {"tandem", "0.1.0"}, {"cpu", "a processor"}}}};
    if (*series.search != '\0') {
        json["search"] = series.search;
        json["device"] = series.device;
        json["motion_s"] = series.motion_seconds;
        json["field"] = field();
    }
    return json;
}

} // namespace

std::int64_t made_up_bytes(double share, int qp) { return std::llround(1e6 * share / qp); }

std::vector<Json> made_up_results() {
    std::vector<Json> rows;
    for (const std::string& clip : {std::string("pan"), nasty_name})
        for (const MadeUpSeries& series : all)
            for (const int qp : {2, 4, 8, 16, 31})
                rows.push_back(row(clip, series, qp));
    return rows;
}

} // namespace tandem::test
