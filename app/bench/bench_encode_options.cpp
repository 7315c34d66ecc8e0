// SPDX-License-Identifier: BSD-2-Clause
#include "app/bench/bench_encode_options.h"

#include <filesystem>

#include <fmt/format.h>

#include "app/file_clash.h"
#include "app/options/search_list.h"
#include "encoder/settings/given_settings.h"
#include "files/file_name.h"
#include "machine/errors.h"
#include "machine/threads.h"
#include "me/search.h"

namespace tandem {
namespace {

/// 1, 2, 4 ... below the most, and the most.
std::vector<int> thread_counts(int most) {
    std::vector<int> counts;
    for (int threads = 1; threads < most; threads *= 2)
        counts.push_back(threads);
    counts.push_back(most);
    return counts;
}

Settings settings_of(const Arguments& arguments) {
    GivenSettings given;
    given.set_preset(arguments.text("preset"));
    given.set("qp", arguments.text("qp"));
    given.set("keyint", arguments.text("keyint"));
    if (arguments.given("me")) {
        const std::vector<Algorithm> searches = searches_of(arguments, "me");
        if (searches.size() != 1)
            throw InputError(
                fmt::format("{} {}: an encode has one search", arguments.written("me"), arguments.text("me")));
        given.set("me", search_row(searches.front()).name);
    }
    return given.settings();
}

/// It is read once for its pictures and once for the time that takes.
void check_clip(const std::string& input) {
    if (input.empty()) throw InputError("bench encode needs a clip");
    std::error_code none;
    if (input == "-" || (std::filesystem::exists(input, none) && !std::filesystem::is_regular_file(input, none)))
        throw InputError(fmt::format("{}: bench encode reads its clip twice, so it must be a file", input_name(input)));
}

} // namespace

BenchEncodeOptions bench_encode_options(const Arguments& arguments) {
    for (const char* name : {"block", "merange", "metric", "size", "peers"})
        if (arguments.given(name))
            throw InputError(fmt::format("{} is for bench motion, not for bench encode", arguments.written(name)));
    BenchEncodeOptions options;
    options.input = arguments.second();
    check_clip(options.input);
    options.source.frame_rate = Rational{25, 1}; // Of no matter here, so the clip need not say it.
    if (arguments.given("input-res")) options.source.input_res = arguments.size("input-res");
    options.seek = arguments.integer("seek");
    if (arguments.given("frames")) options.frames = static_cast<int>(arguments.integer("frames"));
    options.pictures = static_cast<int>(arguments.integer("pictures"));
    options.preset = arguments.text("preset");
    options.settings = settings_of(arguments);
    options.repeat = static_cast<int>(arguments.integer("repeat"));
    options.threads = thread_counts(threads_or_all(arguments.threads()));
    options.simd = simd_level_by_name(arguments.text("simd"));
    options.report = arguments.text("report");
    refuse_shared_files(
        {{"CLIP", options.input, false},
         {"--report", options.report, true},
         {"the table", is_standard_output(options.report) || arguments.given("quiet") ? "" : "-", true}});
    return options;
}

} // namespace tandem
