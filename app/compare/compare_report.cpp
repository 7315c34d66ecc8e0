// SPDX-License-Identifier: BSD-2-Clause
#include "app/compare/compare_report.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "app/compare/report/report_data.h"
#include "app/compare/report/report_page.h"
#include "app/compare/report/report_tables.h"
#include "app/page/page_text.h"
#include "files/atomic_file.h"
#include "machine/errors.h"

namespace tandem {
namespace {

std::size_t default_anchor_of(const ReportPoints& points) {
    for (const std::string_view encoder : {"mpeg2video", "mpeg1video"}) {
        const auto found = std::ranges::find(points.series, encoder, &ReportSeries::encoder);
        if (found != points.series.end()) return static_cast<std::size_t>(found - points.series.begin());
    }
    return 0;
}

std::size_t anchor_of(const ReportPoints& points, const std::string& name) {
    if (name.empty()) return default_anchor_of(points);
    const auto found = std::ranges::find(points.series, name, &ReportSeries::name);
    if (found != points.series.end()) return static_cast<std::size_t>(found - points.series.begin());
    std::string known;
    for (const ReportSeries& series : points.series)
        known += (known.empty() ? "" : ", ") + series.name;
    throw InputError(fmt::format("--anchor {}: no series has this name; there are: {}", name, known));
}

ReportPoints points_of(const std::vector<Json>& rows) {
    if (rows.empty()) throw InputError("there are no results to report");
    return report_points(rows);
}

std::string page_of(const Json& summary, const ReportPoints& points, const std::string& title) {
    Json data = summary;
    data.update(report_details(points, summary["anchor"].get<std::size_t>()));
    const std::string style = fmt::format("{}{}", page_css, report_css);
    const std::string script = fmt::format("{}{}", page_js, report_js);
    return filled(report_html, {{"{{title}}", html_escaped(title.empty() ? "Tandem compared" : title)},
                                {"{{style}}", style},
                                {"{{script}}", script},
                                {"{{data}}", script_json(data)}});
}

} // namespace

std::vector<std::string> write_report(const std::vector<Json>& rows, const ReportOptions& options) {
    const ReportPoints points = points_of(rows);
    const Json summary = report_summary(points, anchor_of(points, options.anchor));
    const std::array<std::string, report_files.size()> texts{
        page_of(summary, points, options.title), json_text(summary), results_csv(points), results_markdown(summary)};
    std::vector<std::string> paths;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        AtomicFile file(fmt::format("{}/{}", options.folder, report_files[i]));
        file.write(texts[i]);
        file.finish();
        paths.push_back(file.path());
    }
    return paths;
}

} // namespace tandem
