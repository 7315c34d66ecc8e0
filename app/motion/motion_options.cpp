// SPDX-License-Identifier: BSD-2-Clause
#include "app/motion/motion_options.h"

#include <algorithm>
#include <filesystem>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/file_clash.h"
#include "app/motion/field_drawing.h"
#include "app/options/setting_options.h"
#include "files/file_name.h"
#include "machine/errors.h"
#include "machine/threads.h"
#include "me/fields/field_file.h"
#include "me/rows/search_rows.h"
#include "me/search.h"

namespace tandem {
namespace {

void fill_search(const Arguments& arguments, SearchParams& search) {
    fill_settings(arguments, plain_search_rows(), search);
    fill_settings(arguments, shared_search_rows(), search);
    std::tie(search.block_width, search.block_height) = arguments.size("block");
}

void set_usual_range(SearchParams& search) {
    const SearchRow& row = search_row(search.algorithm);
    search.range_x = row.usual_range;
    search.range_y = row.vertical_range(row.usual_range);
}

void fill_predictor(const Arguments& arguments, MotionOptions& options) {
    options.hint = arguments.text("hint");
    const bool with_hint = !options.hint.empty();
    const SearchRow& search = search_row(options.search.algorithm);
    options.predictor = arguments.given("predictor") ? arguments.text("predictor") : with_hint ? "hint" : "zero";
    if (search.from_hint && !with_hint)
        throw InputError(fmt::format("{} {} needs --hint FIELD", arguments.written("me"), search.name));
    if (options.predictor == "hint" && !with_hint) throw InputError("--predictor hint needs --hint FIELD");
    const bool hint_is_used = search.from_hint || options.predictor == "hint" || options.predictor == "neighbours";
    if ((with_hint && !hint_is_used) || (search.from_hint && options.predictor == "previous"))
        throw InputError(fmt::format("--hint is not used with --predictor {}", options.predictor));
    if (options.predictor == "neighbours")
        options.search.predictor = Predictor::neighbours;
    else if (options.predictor != "zero")
        options.search.predictor = Predictor::hint;
    if (with_hint) options.hint_source = HintSource::file;
    if (options.predictor == "previous") options.hint_source = HintSource::previous;
}

void fill_input(const Arguments& arguments, MotionOptions& options) {
    options.input = arguments.positional();
    options.second = arguments.second();
    options.source.keep_full_range = true;
    if (arguments.given("input-res")) options.source.input_res = arguments.size("input-res");
    if (arguments.given("fps")) options.source.frame_rate = arguments.ratio("fps");
    options.seek = arguments.integer("seek");
    if (arguments.given("frames")) options.frames = arguments.integer("frames");
    options.step = static_cast<int>(arguments.integer("step"));
    if (options.second.empty()) return;
    for (const char* name : {"seek", "frames", "step"})
        if (arguments.given(name)) throw InputError(fmt::format("--{} is for clips; here are two pictures", name));
}

void fill_outputs(const Arguments& arguments, MotionOptions& options) {
    options.field = arguments.text("output");
    options.truth = arguments.text("truth");
    options.compare = arguments.text("compare");
    options.measure = arguments.text("measure");
    options.compensate = arguments.text("compensate");
    options.residual = arguments.text("residual");
    options.draw = arguments.text("draw");
    options.longest = static_cast<double>(arguments.integer("draw-longest"));
    options.stats = arguments.text("stats");
    options.report = arguments.text("report");
    options.trace = arguments.text("trace");
    for (const auto& [name, path] : {std::pair{"--output", options.field}, std::pair{"--draw", options.draw}})
        if (path == "-") throw InputError(fmt::format("{} -: this is written to files, by their extension", name));
}

/// What has no meaning where nothing is searched and each sample has a vector.
void refuse_beside_measure(const Arguments& arguments) {
    const auto refuse = [&](std::string_view name) {
        if (!arguments.given(name)) return;
        throw InputError(fmt::format("--{} is for a search; --measure searches nothing", arguments.written(name)));
    };
    for (const SettingRow<SearchParams>& row : plain_search_rows())
        refuse(row.name);
    for (const SettingRow<SearchParams>& row : shared_search_rows())
        refuse(row.name);
    for (const char* name : {"output", "block", "merange", "predictor", "hint", "compare", "draw", "draw-longest",
                             "device", "split", "simd"})
        refuse(name);
}

/// A field and a drawing may have more files than the one that the option names.
void refuse_files_of(const FileRole& owner, const std::vector<FileRole>& files,
                     bool (*is_file_of)(const std::string& path, const std::string& name)) {
    if (owner.path.empty() || owner.path == "-") return;
    for (const FileRole& file : files) {
        if (file.path.empty() || file.path == "-" || file.role == owner.role || !(file.written || owner.written))
            continue;
        if (!is_file_of(owner.path, file.path)) continue;
        throw InputError(
            fmt::format("{} ({}) is one of the files of {} ({})", file.role, file.path, owner.role, owner.path));
    }
}

/// The files of a folder whose own names, links not followed, are right.
std::vector<std::string> files_in(const std::filesystem::path& folder,
                                  const std::function<bool(const std::string& name)>& is_right) {
    std::vector<std::string> found;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder.empty() ? "." : folder, none)) {
        const std::filesystem::path name = entry.path().filename();
        if (is_right(name.string())) found.push_back((folder / name).string());
    }
    return found;
}

FileRole field_role(const std::string& role, const std::string& path, bool written = false) {
    if (path.empty() || path == "-") return {role, path, written};
    const std::filesystem::path file(path);
    static_cast<void>(is_field_file_of(path, path)); // Refuses a wrong name as it was given.
    // Asked about a place where nothing can be, or the links of this folder would be followed.
    const std::filesystem::path nowhere("/dev/null");
    return {role, path, written, files_in(file.parent_path(), [&](const std::string& name) {
                return name != file.filename() && lower_case_extension(name) == lower_case_extension(path) &&
                       is_field_file_of((nowhere / file.filename()).string(), (nowhere / name).string());
            })};
}

/// The table of figures goes to standard output, unless something else does.
void check_files(const MotionOptions& options, bool quiet) {
    FileRole drawing{"--draw", options.draw, true};
    if (const std::string folder = folder_of_pictures(options.draw); !folder.empty())
        drawing.more = files_in(folder, [&](const std::string& name) { return is_picture_of(options.draw, name); });
    const std::vector<FileRole> fields{field_role("--hint", options.hint), field_role("--truth", options.truth),
                                       field_role("--compare", options.compare),
                                       field_role("--measure", options.measure),
                                       field_role("--output", options.field, true)};
    std::vector<FileRole> files{{"INPUT", options.input, false}, {"SECOND", options.second, false}};
    files.insert(files.end(), fields.begin(), fields.end());
    files.insert(files.end(), {{"--compensate", options.compensate, true},
                               {"--residual", options.residual, true},
                               drawing,
                               {"--stats", options.stats, true},
                               {"--report", options.report, true},
                               {"--trace", options.trace, true}});
    const auto takes_output = [](const FileRole& file) { return file.written && is_standard_output(file.path); };
    if (!quiet && std::ranges::none_of(files, takes_output)) files.push_back({"the table", "-", true});
    refuse_shared_files(files);
    for (const FileRole& field : fields)
        refuse_files_of(field, files, is_field_file_of);
    refuse_files_of(drawing, files, is_drawing_of);
    refuse_shared_existing_files(files);
}

} // namespace

MotionOptions motion_options(const Arguments& arguments) {
    MotionOptions options;
    if (arguments.given("measure")) refuse_beside_measure(arguments);
    fill_input(arguments, options);
    fill_search(arguments, options.search);
    if (!arguments.given("merange"))
        set_usual_range(options.search);
    else if (const auto range = arguments.range("merange"))
        std::tie(options.search.range_x, options.search.range_y) = *range;
    else
        options.whole_picture = true;
    fill_predictor(arguments, options);
    fill_outputs(arguments, options);
    options.device = parse_device(arguments.text("device"));
    options.split = value_named(split_names, arguments.text("split")).value();
    options.threads = threads_or_all(arguments.threads());
    options.simd = simd_level_by_name(arguments.text("simd"));
    check_files(options, arguments.given("quiet"));
    search_for_pictures(options, 1, 1);
    return options;
}

SearchParams search_for_pictures(const MotionOptions& options, int width, int height) {
    SearchParams search = options.search;
    if (options.whole_picture) {
        search.range_x = std::min(width - 1, largest_range);
        search.range_y = std::min(height - 1, largest_range);
    }
    const std::vector<std::string> problems = search.validate();
    if (!problems.empty()) throw InputError(fmt::format("{}", fmt::join(problems, "; ")));
    return search;
}

} // namespace tandem
