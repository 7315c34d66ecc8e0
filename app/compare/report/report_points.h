// SPDX-License-Identifier: BSD-2-Clause
// The rows of results.jsonl as numbers, sorted out by clip and series.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/json.h"
#include "video/quality/bd_rate.h"

namespace tandem {

struct ReportClip {
    std::string name, md5; ///< The name is unique among the clips of a report.
    int width = 0, height = 0;
    std::int64_t frames = 0;
    double fps = 0;
};

struct ReportSeries {
    std::string name, encoder, codec, search, device, options; ///< Search and device are Tandem's alone.
};

/// What a row does not say is not a number.
struct ReportPoint {
    std::size_t clip = 0, series = 0;
    int qp = 0;          ///< 0: the point has a rate to keep.
    int target_kbps = 0; ///< 0: the point has a quantiser.
    std::int64_t frames = 0, bytes = 0;
    double kbps = 0, psnr_y = 0, psnr_u = 0, psnr_v = 0, psnr = 0, ssim_y = 0, ssim = 0, vmaf = 0;
    double encode_seconds = 0, total_seconds = 0, motion_seconds = 0, peak_rss_bytes = 0;
    double least_seconds = 0, most_seconds = 0; ///< Of its runs, as seconds() counts them.
    int runs = 0;
    std::string stream_md5;
    std::int64_t searched = 0; ///< Pairs of pictures whose motion was searched: one a P picture, two a B picture.
    Json row;

    /// Seconds of coding; with reading and writing where a foreign command does not tell them apart.
    double seconds() const;
    /// By how much more than the rate it took, in per cent of it; not a number at a quantiser.
    double miss_percent() const;
};

struct ReportPoints {
    std::vector<ReportClip> clips;
    std::vector<ReportSeries> series;
    std::vector<ReportPoint> points; ///< By clip, series and rising quantiser or rate; each of these once.

    /// One curve; empty where the series was not run on the clip.
    std::vector<const ReportPoint*> curve(std::size_t clip, std::size_t series) const;
};

/// Of several rows for one clip, series and quantiser or rate the last counts. Throws InputError for rows that lack
/// what every row has.
ReportPoints report_points(const std::vector<Json>& rows);

enum class CurveMeasure { psnr_y, psnr_u, psnr_v, ssim_y, vmaf };
inline constexpr CurveMeasure curve_measures[] = {CurveMeasure::psnr_y, CurveMeasure::psnr_u, CurveMeasure::psnr_v,
                                                  CurveMeasure::ssim_y, CurveMeasure::vmaf};
std::string_view name_of(CurveMeasure measure);
double measured(const ReportPoint& point, CurveMeasure measure);

std::vector<RatePoint> rate_points(const std::vector<const ReportPoint*>& curve, CurveMeasure measure);

/// The same search, codec and options on another device than the CPU, beside the CPU's.
struct DevicePair {
    std::size_t cpu = 0, other = 0; ///< Series; equal where only the CPU was measured.
};
std::vector<DevicePair> device_pairs(const ReportPoints& points);

} // namespace tandem
