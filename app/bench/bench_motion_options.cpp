// SPDX-License-Identifier: BSD-2-Clause
#include "app/bench/bench_motion_options.h"

#include <algorithm>
#include <bit>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/file_clash.h"
#include "app/options/numbers.h"
#include "app/options/search_list.h"
#include "files/file_name.h"
#include "machine/errors.h"
#include "machine/threads.h"
#include "me/rows/search_names.h"

namespace tandem {
namespace {

std::vector<Metric> metrics_of(const Arguments& arguments) {
    std::vector<Metric> found;
    for (const std::string& name : arguments.list("metric")) {
        const auto metric = value_named(metric_names, name);
        if (!metric)
            throw InputError(fmt::format("--metric {}: must be of {}", name, joined_names(metric_names, ", ")));
        found.push_back(*metric);
    }
    return found;
}

/// The rows of one search: a full one is also measured without shortcuts, which tells what they gain.
void add_rows(const SearchParams& params, std::vector<SearchParams>& rows) {
    if (const auto problems = params.validate(); !problems.empty())
        throw InputError(fmt::format("{}", fmt::join(problems, "; ")));
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
    const std::vector<std::string> ranges = arguments.list("merange");
    const std::vector<std::string> sizes = arguments.list("block");
    for (const Algorithm algorithm : searches_of(arguments, "me")) {
        params.algorithm = algorithm;
        for (const std::string& size : sizes) {
            std::tie(params.block_width, params.block_height) =
                parse_size("--block", size, least_block_side, largest_block_side);
            for (const std::string& range : ranges) {
                params.range_x = static_cast<int>(parse_integer(arguments.written("merange"), range, 0, largest_range));
                params.range_y = search_row(algorithm).vertical_range(params.range_x);
                for (const Metric metric : metrics) {
                    params.metric = metric;
                    add_rows(params, rows);
                }
            }
        }
    }
    return rows;
}

/// What ffmpeg cannot read by itself, and what its filter refuses or takes for something else.
void check_peers(const BenchMotionOptions& options) {
    if (options.input.empty()) throw InputError("--peers needs a clip, which the peers read too");
    const std::string extension = lower_case_extension(options.input);
    std::error_code none;
    const bool is_file =
        std::filesystem::is_regular_file(options.input, none) || !std::filesystem::exists(options.input, none);
    if (options.input == "-" || !is_file || extension == ".yuv" || extension == ".raw")
        throw InputError(fmt::format("--peers: ffmpeg reads the clip by itself, so {} cannot be raw samples or a pipe",
                                     options.input));
    const SearchParams& first = options.rows.front();
    constexpr int least_side = 8, least_range = 4;
    const auto side = static_cast<unsigned>(first.block_width);
    if (first.block_width != first.block_height || first.block_width < least_side || !std::has_single_bit(side) ||
        first.range_x < least_range)
        throw InputError(fmt::format("--peers: mestimate searches squares of 8, 16, 32, 64 or 128 samples at ranges "
                                     "from {} on; the first row here is {}x{} at {}",
                                     least_range, first.block_width, first.block_height, first.range_x));
}

} // namespace

BenchMotionOptions bench_motion_options(const Arguments& arguments) {
    for (const char* name : {"pictures", "preset", "qp", "keyint"})
        if (arguments.given(name))
            throw InputError(fmt::format("--{} is for bench encode, not for bench motion", name));
    BenchMotionOptions options;
    options.input = arguments.second();
    options.source.frame_rate = Rational{25, 1}; // Of no matter here, so the clip need not say it.
    if (arguments.given("input-res")) options.source.input_res = arguments.size("input-res");
    std::tie(options.width, options.height) = arguments.size("size");
    options.seek = arguments.integer("seek");
    options.frames = static_cast<int>(arguments.integer("frames"));
    options.rows = rows_of(arguments);
    options.repeat = static_cast<int>(arguments.integer("repeat"));
    options.threads = threads_or_all(arguments.threads());
    options.simd = simd_level_by_name(arguments.text("simd"));
    options.peers = arguments.given("peers");
    options.report = arguments.text("report");
    if (!options.input.empty() && arguments.given("size"))
        throw InputError(fmt::format("--size is for pictures of noise; here is a clip, {}", options.input));
    for (const char* name : {"input-res", "seek"})
        if (options.input.empty() && arguments.given(name))
            throw InputError(fmt::format("--{} is for a clip; here are pictures of noise", name));
    if (options.peers) check_peers(options);
    refuse_shared_files(
        {{"INPUT", options.input, false},
         {"--report", options.report, true},
         {"the table", is_standard_output(options.report) || arguments.given("quiet") ? "" : "-", true}});
    return options;
}

} // namespace tandem
