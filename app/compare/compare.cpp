// SPDX-License-Identifier: BSD-2-Clause
#include "app/compare/compare.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "app/bench/child_process.h"
#include "app/compare/compare_provenance.h"
#include "app/compare/compare_report.h"
#include "app/compare/sweep/compare_sweep.h"
#include "app/compare/sweep/vmaf.h"
#include "app/interrupt.h"
#include "app/messages.h"
#include "files/atomic_file.h"
#include "machine/errors.h"

namespace tandem {
namespace {

/// Nothing after an interrupt.
std::optional<std::vector<ComparedClip>> inspected_clips(const CompareOptions& options) {
    std::vector<Json> inspected;
    for (const std::string& path : options.clips) {
        const auto clip = run_in_child([&] { return inspect_clip(path, options); });
        if (!clip || interrupted()) return std::nullopt;
        const std::string note = (*clip)["note"];
        if (!note.empty()) spdlog::warn("warning: {}: {}", path, note);
        inspected.push_back(*clip);
    }
    return compared_clips(options.clips, inspected);
}

int say_interrupted(std::string_view what) {
    spdlog::warn("interrupted; {}", what);
    return interrupted_exit_code();
}

std::string list_text(const ComparePlan& plan) {
    std::string text;
    for (std::size_t i = 0; i < plan.points.size(); ++i) {
        const ComparePoint& point = plan.points[i];
        text += fmt::format("{}\t{}\t{}\t{}\t{}\n", i + 1, point.key, plan.clips[point.clip].name,
                            plan.series[point.series].name, text_of(point.target));
    }
    return text;
}

/// By key, or by its number from 1 on in the list of points.
const ComparePoint& chosen_point(const ComparePlan& plan, const std::string& name) {
    const auto found = std::ranges::find(plan.points, name, &ComparePoint::key);
    if (found != plan.points.end()) return *found;
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error != std::errc{} || end != name.data() + name.size() || number < 1 || number > plan.points.size()) {
        throw InputError(
            fmt::format("--point {}: neither a point's number, 1 to {}, nor its key; --list-points has them", name,
                        plan.points.size()));
    }
    return plan.points[number - 1];
}

int print_point(const SweepContext& context, const ComparePoint& point) {
    const auto row = run_whole_point(context, point);
    if (!row) return say_interrupted("nothing is written");
    print(line_of(*row));
    return 0;
}

/// The folder that is written to; one that was made here goes away again where nothing came into it.
class OutputFolder {
  public:
    explicit OutputFolder(const CompareOptions& options) : path_(options.folder) {
        std::error_code error;
        is_new_ = !std::filesystem::exists(path_, error);
        const std::string folder = options.keep_streams ? path_ + "/streams" : path_;
        std::filesystem::create_directories(folder, error);
        if (error) throw InputError(fmt::format("{}: cannot be made: {}", folder, error.message()));
        if (!std::filesystem::is_directory(folder)) throw InputError(fmt::format("{}: is not a folder", folder));
    }
    ~OutputFolder() {
        std::error_code ignored;
        if (is_new_) std::filesystem::remove(path_, ignored);
    }
    OutputFolder(const OutputFolder&) = delete;
    OutputFolder& operator=(const OutputFolder&) = delete;

  private:
    std::string path_;
    bool is_new_ = false;
};

std::string results_path(const CompareOptions& options) { return options.folder + "/results.jsonl"; }

/// What use() gives, which reads rows of a file that anybody may have changed.
template <class Use> auto with_rows(const CompareOptions& options, const Use& use) {
    try {
        return use();
    } catch (const Json::exception& error) {
        throw InputError(fmt::format("{}: a result in it is damaged; --fresh begins anew ({})", results_path(options),
                                     error.what()));
    }
}

/// A clip in the folder that has the name of what is written there would be lost.
void refuse_clips_as_outputs(const CompareOptions& options) {
    std::vector<std::string> outputs{results_path(options)};
    for (const std::string_view name : report_files)
        outputs.push_back(fmt::format("{}/{}", options.folder, name));
    for (const std::string& clip : options.clips)
        if (std::ranges::any_of(outputs, [&](const std::string& output) { return same_file(clip, output); }))
            throw InputError(fmt::format("{}: this clip is one of the files of --output ({})", clip, options.folder));
}

/// Found out before hours are spent, not after. Pipes and devices are left alone: they would be opened twice.
void check_report_files(const std::string& folder) {
    for (const std::string_view name : report_files) {
        const std::string path = fmt::format("{}/{}", folder, name);
        std::error_code none;
        if (!std::filesystem::is_other(path, none)) const AtomicFile opened_and_dropped(path);
    }
}

int report(const CompareOptions& options, const std::vector<Json>& rows) {
    const ReportOptions place{options.folder, options.anchor, ""};
    for (const std::string& path : with_rows(options, [&] { return write_report(rows, place); }))
        spdlog::info("{}", path);
    return 0;
}

/// Found out before hours are spent, not after.
void check_anchor(const CompareOptions& options, const ComparePlan& plan) {
    const std::string& anchor = options.anchor;
    if (anchor.empty() || std::ranges::find(plan.series, anchor, &Series::name) != plan.series.end()) return;
    if (!options.fresh && std::filesystem::exists(results_path(options))) {
        const auto rows = read_results(results_path(options));
        const auto is_anchor = [&](const Json& row) { return row.value("series", "") == anchor; };
        if (with_rows(options, [&] { return std::ranges::any_of(rows, is_anchor); })) return;
    }
    std::string known;
    for (const Series& series : plan.series)
        known += (known.empty() ? "" : ", ") + series.name;
    throw InputError(fmt::format("--anchor {}: must be one of {}", anchor, known));
}

int sweep(const SweepContext& context) {
    check_report_files(context.options.folder);
    ResultsFile results(results_path(context.options), context.options.fresh);
    with_rows(context.options, [&] { warn_of_other_makers(results.rows(), context.provenance); });
    const SweepOutcome outcome = run_sweep(context, results);
    if (outcome.interrupted)
        return say_interrupted(context.options.fresh ? "the same command without --fresh goes on where it was"
                                                     : "the same command goes on where it was");
    if (!results.rows().empty()) report(context.options, results.rows());
    if (outcome.failed > 0)
        throw RunError(fmt::format("{} of {} points failed; the others are in {}/results.jsonl", outcome.failed,
                                   context.plan.points.size(), context.options.folder));
    return 0;
}

} // namespace

int run_compare(const Arguments& arguments) {
    const CompareOptions options = compare_options(arguments);
    if (options.simd) set_simd_level(*options.simd);
    if (options.report_only) return report(options, read_results(results_path(options)));
    refuse_clips_as_outputs(options);
    const auto clips = inspected_clips(options);
    if (!clips) return say_interrupted("nothing is written");
    const auto available = available_series(options, *clips);
    if (!available) return say_interrupted("nothing is written");
    const ComparePlan plan = make_plan(options, *clips, available->series);
    if (options.list_points) {
        print(list_text(plan));
        return 0;
    }
    check_anchor(options, plan);
    const ComparePoint* const only = options.point.empty() ? nullptr : &chosen_point(plan, options.point);
    const OutputFolder folder(options);
    const std::string vmaf = options.wants_vmaf ? vmaf_maker() : "";
    SweepContext context{options, plan, *available, common_provenance(), !vmaf.empty()};
    if (!vmaf.empty()) context.provenance["vmaf"] = vmaf;
    return only == nullptr ? sweep(context) : print_point(context, *only);
}

} // namespace tandem
