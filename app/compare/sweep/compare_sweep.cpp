// SPDX-License-Identifier: BSD-2-Clause
#include "app/compare/sweep/compare_sweep.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <ranges>
#include <set>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "app/bench/child_process.h"
#include "app/compare/sweep/point_run.h"
#include "app/compare/sweep/sweep_progress.h"
#include "app/encode/records/picture_record.h"
#include "app/encode/records/progress.h"
#include "app/interrupt.h"
#include "app/messages.h"
#include "encoder/settings/setting_names.h"
#include "machine/errors.h"
#include "me/search.h"

namespace tandem {
namespace {

/// A folder for files that go away again. Its name is no user's: it is emptied before and after.
class WorkFolder {
  public:
    explicit WorkFolder(const SweepContext& context, const std::string& more = "")
        : path_(context.options.folder + "/.tandem-compare-work" + more) {
        // A run that was killed may have left it.
        std::filesystem::remove_all(path_);
        std::filesystem::create_directories(path_);
    }
    ~WorkFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    WorkFolder(const WorkFolder&) = delete;
    WorkFolder& operator=(const WorkFolder&) = delete;
    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

Json clip_json(const ComparedClip& clip) {
    const Rational rate = clip.format.frame_rate;
    return {{"name", clip.name},
            {"file", clip.path},
            {"md5", clip.md5},
            {"width", clip.format.width},
            {"height", clip.format.height},
            {"frames", clip.frames},
            {"fps", rate.value()},
            {"fps_ratio", fmt::format("{}/{}", rate.numerator, rate.denominator)}};
}

std::string point_name(const SweepContext& context, const ComparePoint& point) {
    return fmt::format("{} {} {}", context.plan.clips[point.clip].name, words_of(point.target),
                       context.plan.series[point.series].name);
}

/// What is known of a point before it runs, then what its runs gave, then who made it.
Json row_of(const SweepContext& context, const ComparePoint& point, const std::vector<Json>& runs) {
    const Series& series = context.plan.series[point.series];
    Json row = {{"schema", results_schema},
                {"key", point.key},
                {"clip", clip_json(context.plan.clips[point.clip])},
                {"encoder", series.encoder},
                {"series", series.name}};
    if (!series.peer) {
        row["search"] = search_row(series.search).name;
        row["device"] = series.device.name;
    }
    row["options"] = series.options;
    row["threads"] = context.options.settings.threads;
    row["idct"] = context.options.exact_idct ? "exact" : "ffmpeg";
    if (point.target.kbps > 0)
        row["target_kbps"] = point.target.kbps;
    else
        row["qp"] = point.target.qp;
    row.update(merged_runs(runs));
    if (row.contains("vmaf_failure")) {
        spdlog::warn("warning: {}: VMAF is not measured: {}", point_name(context, point),
                     row["vmaf_failure"].get<std::string>());
        row.erase("vmaf_failure");
    }
    row["provenance"] = context.provenance;
    if (series.peer) row["provenance"]["peer"] = context.available.makers[point.series];
    if (row.contains("peer_version")) {
        row["provenance"]["peer"] =
            fmt::format("{}, {}", row["provenance"]["peer"].get<std::string>(), row["peer_version"].get<std::string>());
        row.erase("peer_version");
    }
    if (!series.peer && series.device.choice.gpus) row["provenance"]["gpu"] = context.available.makers[point.series];
    return row;
}

/// Fields are drawn at the middle target; one for each curve is enough.
bool wants_field(const SweepContext& context, const ComparePoint& point) {
    const std::vector<PointTarget> targets = targets_of(context.options);
    return !context.plan.series[point.series].peer && point.target == targets[targets.size() / 2];
}

PointRun run_of(const SweepContext& context, const ComparePoint& point, const std::string& folder, bool first) {
    return {folder, first, first && context.has_vmaf, first && wants_field(context, point)};
}

std::optional<Json> run_once(const SweepContext& context, const ComparePoint& point, const PointRun& run) {
    return run_in_child([&] {
        // What is to be said of a clip or a setting is said once, by this process.
        spdlog::set_level(spdlog::level::err);
        return run_point(context.options, context.plan.clips[point.clip], context.plan.series[point.series],
                         point.target, run);
    });
}

/// The row of a point whose runs, of which `last` was the last, are good; then its stream is kept too.
Json finished_row(const SweepContext& context, const ComparePoint& point, const std::vector<Json>& runs,
                  const PointRun& last) {
    Json row = row_of(context, point, runs);
    if (context.options.keep_streams)
        keep_stream(last, context.plan.series[point.series], context.options.folder + "/streams/" + point.key);
    return row;
}

std::string decibel_of(const Json& figure) {
    return figure.is_string() ? figure.get<std::string>() : decibel_text(figure.get<double>(), 2);
}

/// The keys of the points whose streams are in FOLDER/streams.
std::set<std::string> kept_streams(const CompareOptions& options) {
    std::set<std::string> keys;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(options.folder + "/streams", none))
        keys.insert(entry.path().stem().string());
    return keys;
}

/// A point on its way through its runs.
struct Turn {
    const ComparePoint* point = nullptr;
    std::vector<Json> runs;
    bool failed = false;
};

class Sweep {
  public:
    Sweep(const SweepContext& context, ResultsFile& results) : context_(context), results_(results), work_(context) {
        for (const ComparePoint& point : context.plan.points)
            if (!results.has(point.key)) pending_.push_back(&point);
        for (const ComparePoint* point : pending_)
            for (int i = 0; i < context.options.repeat; ++i)
                progress_.expect(step_of(*point));
        done_ = context.plan.points.size() - pending_.size();
        if (done_ > 0) say_kept();
    }

    SweepOutcome run() {
        for (std::size_t begin = 0; begin < pending_.size() && !interrupted();) {
            std::size_t end = begin;
            std::vector<Turn> turns;
            for (; end < pending_.size() && same_group(*pending_[begin], *pending_[end]); ++end)
                turns.push_back({pending_[end], {}, false});
            run_group(turns);
            begin = end;
        }
        clear_status();
        outcome_.interrupted = interrupted();
        return outcome_;
    }

  private:
    /// What is there already stays as it is, also where this command would have it otherwise.
    void say_kept() const {
        int without_stream = 0, with_fewer_runs = 0, without_vmaf = 0;
        const std::set<std::string> streams = kept_streams(context_.options);
        for (const ComparePoint& point : context_.plan.points) {
            const auto row =
                std::ranges::find_if(results_.rows(), [&](const Json& one) { return one["key"] == point.key; });
            if (row == results_.rows().end()) continue;
            without_stream += context_.options.keep_streams && !streams.contains(point.key);
            without_vmaf += context_.has_vmaf && !row->contains("vmaf");
            with_fewer_runs += std::ssize(row->value("runs", Json::array())) < context_.options.repeat;
        }
        spdlog::info("{} of {} points are there already", done_, context_.plan.points.size());
        if (without_stream > 0)
            spdlog::warn("warning: --keep-streams: {} of them have no stream in {}/streams; --fresh codes them again",
                         without_stream, context_.options.folder);
        if (without_vmaf > 0)
            spdlog::warn("warning: {} of them have no VMAF, which ffmpeg measures here; --fresh codes them again",
                         without_vmaf);
        if (with_fewer_runs > 0)
            spdlog::warn("warning: --repeat {}: {} of them have fewer runs; --fresh runs them again",
                         context_.options.repeat, with_fewer_runs);
    }

    static bool same_group(const ComparePoint& a, const ComparePoint& b) {
        return a.clip == b.clip && a.target == b.target;
    }

    SweepStep step_of(const ComparePoint& point) const {
        const ComparedClip& clip = context_.plan.clips[point.clip];
        return {point.series,
                static_cast<double>(clip.format.width) * clip.format.height * static_cast<double>(clip.frames)};
    }

    /// The last round goes forward, so that rows come into the file in the plan's order.
    void run_group(std::vector<Turn>& turns) {
        for (int round = 0; round < context_.options.repeat; ++round) {
            const bool forward = (context_.options.repeat - round) % 2 == 1;
            const auto count = static_cast<std::ptrdiff_t>(turns.size());
            for (std::ptrdiff_t i = 0; i < count; ++i) {
                Turn& turn = turns[static_cast<std::size_t>(forward ? i : count - 1 - i)];
                if (!turn.failed) run_turn(turn, round);
                if (interrupted()) return;
            }
        }
    }

    void run_turn(Turn& turn, int round) {
        show(*turn.point, round);
        const auto begin = std::chrono::steady_clock::now();
        std::optional<Json> row;
        try {
            const PointRun run = run_of(context_, *turn.point, work_.path(), round == 0);
            auto found = run_once(context_, *turn.point, run);
            if (!found) return;
            turn.runs.push_back(std::move(*found));
            const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
            progress_.done(step_of(*turn.point), seconds.count());
            if (round + 1 == context_.options.repeat) row = finished_row(context_, *turn.point, turn.runs, run);
        } catch (const InputError& error) {
            fail(turn, round, error.what());
        } catch (const RunError& error) {
            fail(turn, round, error.what());
        }
        if (row) keep(*turn.point, *row);
    }

    void fail(Turn& turn, int round, const std::string& why) {
        turn.failed = true;
        ++outcome_.failed;
        const int missing = context_.options.repeat - static_cast<int>(turn.runs.size());
        for (int i = 0; i < missing; ++i)
            progress_.drop(step_of(*turn.point));
        spdlog::error("{}: run {}: {}", point_name(context_, *turn.point), round + 1, why);
    }

    /// All runs are done. A row that cannot be written is not this point's failure, but the end.
    void keep(const ComparePoint& point, const Json& row) {
        results_.append(row);
        ++done_;
        spdlog::info("[{}/{}] {}: {} bytes, Y {} dB, {:.2f} s{}", done_, context_.plan.points.size(),
                     point_name(context_, point), row["bytes"].get<std::int64_t>(), decibel_of(row["psnr_y"]),
                     row["total_s"].get<double>(), left_text());
    }

    std::string left_text() const {
        const double seconds = progress_.seconds_left();
        return seconds > 0 ? fmt::format(", {} left", time_text(seconds)) : "";
    }

    void show(const ComparePoint& point, int round) const {
        if (!terminal_shows_status() || !spdlog::should_log(spdlog::level::info)) return;
        show_status(fmt::format("{}/{} points, {} (run {} of {}){}", done_, context_.plan.points.size(),
                                point_name(context_, point), round + 1, context_.options.repeat, left_text()));
    }

    const SweepContext& context_;
    ResultsFile& results_;
    WorkFolder work_;
    std::vector<const ComparePoint*> pending_;
    SweepProgress progress_;
    std::size_t done_ = 0;
    SweepOutcome outcome_;
};

} // namespace

std::optional<Json> run_whole_point(const SweepContext& context, const ComparePoint& point) {
    const WorkFolder work(context, "-" + point.key);
    std::vector<Json> runs;
    PointRun run;
    for (int round = 0; round < context.options.repeat; ++round) {
        run = run_of(context, point, work.path(), round == 0);
        auto found = run_once(context, point, run);
        if (!found) return std::nullopt;
        runs.push_back(std::move(*found));
    }
    return finished_row(context, point, runs, run);
}

SweepOutcome run_sweep(const SweepContext& context, ResultsFile& results) { return Sweep(context, results).run(); }

} // namespace tandem
