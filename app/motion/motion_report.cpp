// SPDX-License-Identifier: BSD-2-Clause
#include "app/motion/motion_report.h"

#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "app/options/setting_options.h"
#include "me/rows/search_rows.h"

namespace tandem {
namespace {

/// What a bin of a histogram holds, as people read it.
struct Bin {
    std::string range;
    std::int64_t blocks;
};

std::vector<Bin> length_bins(const FieldDifferences& differences) {
    const auto& limits = FieldDifferences::length_limits;
    std::vector<Bin> bins{{"0", differences.lengths[0]}};
    for (std::size_t i = 1; i < limits.size(); ++i)
        bins.push_back({fmt::format("to {}", limits[i]), differences.lengths[i]});
    bins.push_back({fmt::format("over {}", limits.back()), differences.lengths.back()});
    return bins;
}

std::vector<Bin> cost_bins(const FieldDifferences& differences) {
    constexpr int middle = FieldDifferences::cost_middle;
    std::vector<Bin> bins;
    for (int i = -middle; i <= middle; ++i) {
        const int power = std::abs(i);
        const char* sign = i < 0 ? "-" : "";
        const std::int64_t limit = std::int64_t{1} << (2 * (power == middle ? power - 1 : power));
        const std::string range = i == 0 ? "0" : fmt::format("{} {}{}", power == middle ? "beyond" : "to", sign, limit);
        bins.push_back({range, differences.costs[static_cast<std::size_t>(middle + i)]});
    }
    return bins;
}

Json bins_json(const std::vector<Bin>& bins) {
    Json json = Json::array();
    for (const Bin& bin : bins)
        json.push_back({{"range", bin.range}, {"blocks", bin.blocks}});
    return json;
}

Json differences_json(const FieldDifferences& differences) {
    return {{"vector_difference_pels", bins_json(length_bins(differences))},
            {"blocks_with_costs", differences.costs_known},
            {"cost_difference", bins_json(cost_bins(differences))}};
}

Json figures_json(const MotionRecord& record, const MotionOptions& options) {
    Json json;
    for (const MotionColumn& column : motion_columns())
        if (is_wanted(column, options)) json[std::string(column.name)] = figure_json(column.value(record));
    json["search_seconds"] = record.search_seconds;
    json["backend"] = record.backend;
    return json;
}

Json search_json(const MotionOptions& options, const SearchParams& search) {
    Json json = settings_json(plain_search_rows(), search);
    json.update(settings_json(shared_search_rows(), search));
    json["block"] = {search.block_width, search.block_height};
    json["range"] = {search.range_x, search.range_y};
    json["predictor"] = options.predictor;
    return json;
}

void add_lines(std::vector<std::string>& lines, const std::string& title, const std::vector<Bin>& bins,
               std::int64_t blocks) {
    lines.push_back(title);
    for (const Bin& bin : bins) {
        if (bin.blocks == 0) continue;
        const double share = static_cast<double>(bin.blocks) / static_cast<double>(blocks);
        const auto bar = static_cast<std::size_t>(std::lround(share * 40));
        lines.push_back(
            fmt::format("{:>14}{:>10}{:>8.2f} %  {}", bin.range, bin.blocks, share * 100, std::string(bar, '#')));
    }
}

} // namespace

Json pair_json(const MotionRecord& record, const MotionOptions& options) {
    Json json = {{"picture", record.picture}, {"reference", record.reference}};
    json.update(figures_json(record, options));
    return json;
}

Json motion_json(const MotionOptions& options, const SearchParams& search, const VideoFormat& format,
                 const MotionRecord& total) {
    Json json = {{"input",
                  {{"name", options.input},
                   {"width", format.width},
                   {"height", format.height},
                   {"frame_rate", {format.frame_rate.numerator, format.frame_rate.denominator}}}}};
    if (options.second.empty()) {
        json["input"]["seek"] = options.seek;
        json["input"]["step"] = options.step;
    } else {
        json["input"]["second"] = options.second;
    }
    if (options.measure.empty())
        json["search"] = search_json(options, search);
    else
        json["measured"] = options.measure;
    json["threads"] = options.threads;
    json["total"] = {{"pairs", total.measures.pairs}, {"blocks", total.measures.blocks}};
    json["total"].update(figures_json(total, options));
    if (total.differences) json["differences"] = differences_json(*total.differences);
    return json;
}

std::vector<std::string> difference_lines(const FieldDifferences& differences) {
    std::vector<std::string> lines;
    add_lines(lines, "length of the difference of two vectors, in pels, and blocks:", length_bins(differences),
              differences.blocks);
    if (differences.costs_known > 0) {
        add_lines(lines, "cost in the other field minus cost here, and blocks:", cost_bins(differences),
                  differences.costs_known);
    }
    return lines;
}

} // namespace tandem
