// SPDX-License-Identifier: BSD-2-Clause
// What a report says, as JSON: all that is computed from results is computed here. Page, tables and scripts only show
// it.
#pragma once

#include "app/compare/report/report_points.h"

namespace tandem {

/// Series, clips, points, BD-rates of every series against every other, speed, motion on CPU and GPU, the papers, and
/// who measured where. Clips and series are named by their places in the lists. docs/compare.md has the keys.
Json report_summary(const ReportPoints& points, std::size_t anchor);

/// For each point that has them: its pictures, and one motion field for each clip and series.
Json report_details(const ReportPoints& points, std::size_t anchor);

/// One clip's sums over the quantisers that both series of a pair have.
struct MotionComparison {
    std::size_t clip = 0;
    DevicePair series;
    int points = 0, same_streams = 0;
    double psnr_difference = 0;           ///< Mean of other - CPU, luma, dB.
    double bitrate_percent = 0;           ///< Of all bytes of the CPU's streams.
    double motion_ms[2] = {0, 0};         ///< A pair of pictures: CPU, other. Not a number where nobody measured it.
    double whole_ms[2] = {0, 0};          ///< A picture.
    double blocks_per_second[2] = {0, 0}; ///< Macroblocks searched.
};
std::vector<MotionComparison> motion_comparisons(const ReportPoints& points);

/// The figures of five papers on motion estimation on GPUs beside those of these results.
Json papers_json(const ReportPoints& points, const std::vector<MotionComparison>& motion);

} // namespace tandem
