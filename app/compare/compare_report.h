// SPDX-License-Identifier: BSD-2-Clause
// From the rows of results.jsonl to what people read.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "app/json.h"

namespace tandem {

/// What write_report() writes.
inline constexpr std::array<std::string_view, 4> report_files{"report.html", "summary.json", "results.csv",
                                                              "results.md"};

struct ReportOptions {
    std::string folder; ///< That exists; gets the files.
    std::string anchor; ///< The series that the others are compared with first; empty: FFmpeg's mpeg2video, else
                        ///< mpeg1video, else the first.
    std::string title;  ///< Of the page; empty: "Tandem compared".
};

/// Writes into the folder, each file complete or not at all:
///   report.html   one page that needs nothing else: curves, BD-rates against any series, speed, motion on CPU and GPU,
///                 the pictures of each point, motion fields
///   summary.json  the same figures for programs, without pictures and fields: series, clips, points, BD-rates,
///                 motion, papers (docs/compare.md)
///   results.csv   a line a point
///   results.md    BD-rates, speed and motion as Markdown tables
/// Returns their paths in this order, which is that of report_files. The rows may come in any order, the files do not
/// depend on it beyond the order in which series and clips are named. Throws InputError where there are no rows or no
/// series is called as the anchor, RunError where a file cannot be written.
std::vector<std::string> write_report(const std::vector<Json>& rows, const ReportOptions& options);

} // namespace tandem
