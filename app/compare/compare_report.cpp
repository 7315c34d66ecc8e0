// SPDX-License-Identifier: BSD-2-Clause
#include "app/compare/compare_report.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "app/compare/report/report_data.h"
#include "app/compare/report/report_page.h"
#include "app/compare/report/report_tables.h"
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

/// `text` with each placeholder replaced, in one go: what is put in is not looked at again.
std::string filled(std::string_view text, const std::vector<std::pair<std::string_view, std::string_view>>& values) {
    std::string result;
    while (!text.empty()) {
        std::size_t next = text.size();
        const std::pair<std::string_view, std::string_view>* found = nullptr;
        for (const auto& value : values) {
            const std::size_t place = text.find(value.first);
            if (place >= next) continue;
            next = place;
            found = &value;
        }
        result += text.substr(0, next);
        if (found == nullptr) break;
        result += found->second;
        text.remove_prefix(next + found->first.size());
    }
    return result;
}

std::string html_escaped(std::string_view text) {
    std::string result;
    for (const char letter : text) {
        const std::string_view special = letter == '<'   ? "&lt;"
                                         : letter == '>' ? "&gt;"
                                         : letter == '&' ? "&amp;"
                                         : letter == '"' ? "&quot;"
                                                         : "";
        if (special.empty())
            result += letter;
        else
            result += special;
    }
    return result;
}

/// For a <script> element: nothing in a string can end it or begin a comment in it.
std::string script_json(const Json& json) {
    std::string result;
    for (const char letter : json.dump(-1, ' ', false, Json::error_handler_t::replace)) {
        if (letter == '<')
            result += "\\u003c";
        else
            result += letter;
    }
    return result;
}

std::string page_of(const Json& summary, const ReportPoints& points, const std::string& title) {
    Json data = summary;
    data.update(report_details(points, summary["anchor"].get<std::size_t>()));
    return filled(report_html, {{"{{title}}", html_escaped(title.empty() ? "Tandem compared" : title)},
                                {"{{style}}", report_css},
                                {"{{script}}", report_js},
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
