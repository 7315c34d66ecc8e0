// SPDX-License-Identifier: BSD-2-Clause
#include "app/encode/records/stats_file.h"

#include <array>
#include <string_view>

#include <fmt/format.h>

#include "app/csv_field.h"

namespace tandem {
namespace {

/// A column: its heading and how its value is written.
struct Column {
    std::string_view name;
    std::string (*text)(const PictureRecord&);
};

template <auto member> std::string stat(const PictureRecord& record) { return fmt::format("{}", record.stats.*member); }

template <int plane> std::string psnr_text(const PictureRecord& record) {
    return record.errors ? decibel_text(record.errors->psnr(plane), 4) : std::string();
}

constexpr std::array columns{
    Column{"coding", stat<&PictureStats::coding_index>},
    Column{"display", stat<&PictureStats::display_index>},
    Column{"type", [](const PictureRecord& record) { return std::string(1, letter_of(record.stats.type)); }},
    Column{"bytes", stat<&PictureStats::bytes>},
    Column{"qp", stat<&PictureStats::qp>},
    Column{"psnr_y", psnr_text<0>},
    Column{"psnr_u", psnr_text<1>},
    Column{"psnr_v", psnr_text<2>},
    Column{
        "ssim_y",
        [](const PictureRecord& record) { return record.ssim ? fmt::format("{:.6f}", *record.ssim) : std::string(); }},
    Column{"intra", stat<&PictureStats::intra>},
    Column{"forward", stat<&PictureStats::forward>},
    Column{"backward", stat<&PictureStats::backward>},
    Column{"both", stat<&PictureStats::both>},
    Column{"skipped", stat<&PictureStats::skipped>},
    Column{"zero_motion", stat<&PictureStats::zero_motion>},
    Column{"mean_mv", [](const PictureRecord& record) { return fmt::format("{:.4f}", record.stats.mean_mv); }},
    Column{"motion_us", stat<&PictureStats::motion_us>},
    Column{"wait_us", stat<&PictureStats::wait_us>},
    Column{"refine_us", stat<&PictureStats::refine_us>},
    Column{"decide_us", stat<&PictureStats::decide_us>},
    Column{"residual_us", stat<&PictureStats::residual_us>},
    Column{"entropy_us", stat<&PictureStats::entropy_us>},
    Column{"backend", [](const PictureRecord& record) { return csv_field(record.stats.backend); }},
};

} // namespace

StatsFile::StatsFile(const std::string& path) : file_(path) {
    std::string line;
    for (const Column& column : columns)
        line += (line.empty() ? "" : ",") + std::string(column.name);
    file_.write(line + "\n");
}

void StatsFile::write(const PictureRecord& record) {
    std::string line;
    for (const Column& column : columns) {
        if (!line.empty()) line += ',';
        line += column.text(record);
    }
    file_.write(line + "\n");
}

} // namespace tandem
