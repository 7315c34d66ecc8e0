// SPDX-License-Identifier: BSD-2-Clause
#include "app/bench_motion_options.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/file_clash.h"
#include "app/filling.h"
#include "app/numbers.h"
#include "video/errors.h"
#include "video/workers.h"

namespace tandem {
namespace {

std::vector<Algorithm> searches_of(const Arguments& arguments) {
    std::vector<Algorithm> found;
    for (const std::string& name : arguments.list("search")) {
        if (name == "all") {
            for (const SearchRow& row : search_table()) {
                if (!row.from_hint && is_built(row)) found.push_back(row.algorithm);
            }
            continue;
        }
        const auto algorithm = algorithm_by_name(name);
        if (!algorithm) throw InputError(fmt::format("--search {}: no such search; see tandem motion --help", name));
        found.push_back(*algorithm);
    }
    return found;
}

std::vector<Metric> metrics_of(const Arguments& arguments) {
    std::vector<Metric> found;
    for (const std::string& name : arguments.list("metric")) {
        const auto known = std::ranges::find(metric_names, name, [](const auto& row) { return row.first; });
        if (known == metric_names.end()) throw InputError(fmt::format("--metric {}: must be sad, ssd or satd", name));
        found.push_back(known->second);
    }
    return found;
}

/// The rows of one search: a full one is also measured without shortcuts, which tells what they gain.
void add_rows(const SearchParams& params, std::vector<SearchParams>& rows) {
    if (const auto problems = params.validate(); !problems.empty()) throw InputError(problems.front());
    if (params.algorithm == Algorithm::full) {
        rows.push_back(params);
        rows.back().brute_force = true;
    }
    rows.push_back(params);
}

std::vector<SearchParams> rows_of(const Arguments& arguments) {
    std::vector<SearchParams> rows;
    SearchParams params;
    const std::vector<Metric> metrics = metrics_of(arguments);
    const std::vector<std::string> ranges = arguments.list("range");
    const std::vector<std::string> sizes = arguments.list("block");
    for (const Algorithm algorithm : searches_of(arguments)) {
        params.algorithm = algorithm;
        for (const std::string& size : sizes) {
            std::tie(params.block_width, params.block_height) = parse_size("--block", size, 4, 128);
            for (const std::string& range : ranges) {
                params.range_x = params.range_y = static_cast<int>(parse_integer("--range", range, 0, 4080));
                for (const Metric metric : metrics) {
                    params.metric = metric;
                    add_rows(params, rows);
                }
            }
        }
    }
    return rows;
}

} // namespace

BenchMotionOptions bench_motion_options(const Arguments& arguments) {
    BenchMotionOptions options;
    options.input = arguments.second();
    options.source.frame_rate = Rational{25, 1}; // Of no matter here, so the clip need not say it.
    if (arguments.given("input-res")) options.source.input_res = arguments.size("input-res");
    std::tie(options.width, options.height) = arguments.size("size");
    options.seek = arguments.integer("seek");
    options.frames = static_cast<int>(arguments.integer("frames"));
    options.rows = rows_of(arguments);
    options.repeat = static_cast<int>(arguments.integer("repeat"));
    options.threads = static_cast<int>(arguments.integer("threads"));
    if (options.threads == 0) options.threads = available_threads();
    options.simd = simd_level_by_name(arguments.text("simd"));
    options.peers = arguments.given("peers");
    options.report = arguments.text("report");
    if (!options.input.empty() && arguments.given("size"))
        throw InputError(fmt::format("--size is for pictures of noise; here is a clip, {}", options.input));
    for (const char* name : {"input-res", "seek"})
        if (options.input.empty() && arguments.given(name))
            throw InputError(fmt::format("--{} is for a clip; here are pictures of noise", name));
    if (options.peers && options.input.empty()) throw InputError("--peers needs a clip, which the peers read too");
    refuse_shared_files({{"INPUT", options.input, false}, {"--report", options.report, true}});
    return options;
}

} // namespace tandem
