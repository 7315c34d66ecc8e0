// SPDX-License-Identifier: BSD-2-Clause
#include "app/bench/bench_motion.h"

#include <algorithm>
#include <array>
#include <optional>
#include <random>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "app/bench/bench_motion_options.h"
#include "app/bench/child_process.h"
#include "app/bench/stopwatch.h"
#include "app/frame_reader.h"
#include "app/interrupt.h"
#include "app/json.h"
#include "app/messages.h"
#include "files/atomic_file.h"
#include "files/file_name.h"
#include "machine/errors.h"
#include "me/block.h"
#include "me/estimator.h"
#include "me/kernels/sad_ceiling.h"
#include "me/rows/search_names.h"
#include "me/search.h"

namespace tandem {
namespace {

FramePtr noise_picture(int width, int height, unsigned seed) {
    std::mt19937 random(seed);
    auto frame = std::make_shared<Frame>(width, height);
    const MutablePlaneView luma = frame->plane(0).view();
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x)
            luma.at(x, y) = static_cast<std::uint8_t>(random() >> 24);
    }
    return frame;
}

std::vector<FramePtr> pictures_of(const BenchMotionOptions& options) {
    std::vector<FramePtr> pictures;
    if (options.input.empty()) {
        for (unsigned i = 0; i < static_cast<unsigned>(options.frames); ++i)
            pictures.push_back(noise_picture(options.width, options.height, i + 1));
        return pictures;
    }
    FrameReader reader(options.input, options.source, options.seek, options.frames);
    if (reader.start()) {
        while (std::unique_ptr<Frame> frame = reader.read())
            pictures.push_back(std::move(frame));
    }
    if (pictures.size() < 2 && !interrupted())
        throw InputError(input_name(options.input) + ": a pair needs two pictures");
    return pictures;
}

/// What a search of every vector has to do in one picture.
struct Work {
    double positions = 0;   ///< Whole ones.
    double differences = 0; ///< Of samples: each block's positions by its samples, which are fewer where it is cut.
};

Work work_of(const MotionField& field, const SearchParams& params) {
    Work work;
    for (int row = 0; row < field.rows(); ++row) {
        for (int column = 0; column < field.columns(); ++column) {
            const BlockRect block = block_rect(field, column, row);
            const Window window = search_window(block, field.picture_width(), field.picture_height(), params);
            const double positions = (window.max_x - window.min_x + 1.0) * (window.max_y - window.min_y + 1.0);
            work.positions += positions;
            work.differences += positions * block.width * block.height;
        }
    }
    return work;
}

/// One row of the table: the seconds of every repetition, and what one of them did.
struct Measured {
    SearchParams params;
    std::vector<double> seconds; ///< Of one field, on average over the pairs.
    Work range;                  ///< Of all vectors of the range, in one field.
    double evaluated = 0;        ///< Really measured, in one field.
    double fields_per_second() const { return 1 / median(seconds); }
};

struct Peer {
    std::string method;
    std::vector<double> seconds; ///< Of one field.
};

struct MotionResults {
    std::vector<Measured> rows;
    std::vector<Peer> peers;
    std::string_view ceiling_instructions; ///< Empty: there is no ceiling.
    std::vector<double> ceiling;           ///< Absolute differences per second, all threads.
};

double ceiling_once(const SadCeiling& ceiling, int threads) {
    constexpr std::uint64_t rounds = 1 << 20;
    const Stopwatch watch(1);
    static_cast<void>(ceiling.run(rounds));
    return static_cast<double>(rounds) * ceiling.differences / watch.seconds() * threads;
}

void search_pairs(Estimator& estimator, const std::vector<FramePtr>& pictures, int threads, Measured& row) {
    const Stopwatch watch(threads);
    double evaluated = 0;
    MotionField field;
    for (std::size_t i = 1; i < pictures.size(); ++i) {
        field = estimator.estimate({pictures[i], pictures[i - 1], row.params, nullptr});
        evaluated += static_cast<double>(field.evaluated());
    }
    const auto pairs = static_cast<double>(pictures.size() - 1);
    row.seconds.push_back(watch.seconds() / pairs);
    row.evaluated = evaluated / pairs;
    row.range = work_of(field, row.params);
}

constexpr std::array<const char*, 5> peer_methods{"esa", "tss", "hexbs", "epzs", "umh"};

/// FFmpeg's mestimate searches each picture against the one before and the one after: two fields a picture. Start,
/// decoding and the filter graph are in a short run as in a long one. Of too few pictures it may be nothing or less.
double peer_once(const BenchMotionOptions& options, const std::string& method, int pictures) {
    const SearchParams& params = options.rows.front();
    const auto run = [&](const std::string& filter, int frames) {
        const double before = seconds_of_children();
        run_program({"ffmpeg", "-nostdin", "-v", "error", "-threads", "1", "-filter_threads", "1", "-i",
                     "file:" + options.input, "-frames:v", std::to_string(frames), "-vf", filter, "-f", "null", "-"});
        return seconds_of_children() - before;
    };
    const std::string filter =
        fmt::format("mestimate=method={}:mb_size={}:search_param={}", method, params.block_width, params.range_x);
    const double searched = run(filter, 2 * pictures) - run(filter, pictures);
    const double passed = run("null", 2 * pictures) - run("null", pictures);
    return (searched - passed) / (2.0 * pictures);
}

/// Nothing where the runs were too short for that.
std::optional<double> fields_per_second(const Peer& peer) {
    const double seconds = median(peer.seconds);
    return seconds > 0 ? std::optional(1 / seconds) : std::nullopt;
}

bool peers_there(const BenchMotionOptions& options) {
    if (!options.peers) return false;
    if (!program_exists("ffmpeg")) {
        spdlog::warn("warning: no ffmpeg along PATH: no peers");
        return false;
    }
    return true;
}

/// Everything by turns, so that a machine which changes its speed changes it for all.
MotionResults measure(const BenchMotionOptions& options, const std::vector<FramePtr>& pictures) {
    MotionResults results;
    for (const SearchParams& params : options.rows)
        results.rows.push_back({params, {}, {}, 0});
    if (peers_there(options)) {
        for (const char* method : peer_methods)
            results.peers.push_back({method, {}});
    }
    const auto ceiling = sad_ceiling(simd_level());
    if (ceiling) results.ceiling_instructions = ceiling->instructions;
    const auto estimator = make_cpu_estimator(options.threads);
    const int peer_pictures = std::max(1, static_cast<int>(pictures.size()) / 2);
    for (int i = 0; i < options.repeat; ++i) {
        for (Measured& row : results.rows) {
            if (interrupted()) return results;
            if (ceiling) results.ceiling.push_back(ceiling_once(*ceiling, options.threads));
            search_pairs(*estimator, pictures, options.threads, row);
        }
        for (Peer& peer : results.peers) {
            if (interrupted()) return results;
            peer.seconds.push_back(peer_once(options, peer.method, peer_pictures));
        }
    }
    return results;
}

/// Positions of a field that a search answers for: a full search for all of the range, others for those that they
/// measure.
double positions_answered_for(const Measured& row) {
    return row.params.algorithm == Algorithm::full ? row.range.positions : row.evaluated;
}

/// Of what the bare instructions would do; nothing where they do not apply.
std::optional<double> share_of_ceiling(const MotionResults& results, const Measured& row) {
    if (results.ceiling.empty() || row.params.metric != Metric::sad) return std::nullopt;
    const double differences = positions_answered_for(row) * row.range.differences / row.range.positions;
    return differences * row.fields_per_second() / median(results.ceiling);
}

std::string name_of_row(const SearchParams& params) {
    return std::string(search_row(params.algorithm).name) + (params.brute_force ? " --brute" : "");
}

std::string table_text(const MotionResults& results) {
    std::string text = fmt::format("{:<14}{:>9}{:>7}{:>7}{:>13}{:>13}{:>13}{:>9}\n", "search", "block", "range",
                                   "metric", "MSAD/s", "measured/s", "fields/s", "ceiling");
    for (const Measured& row : results.rows) {
        const double fields = row.fields_per_second();
        const auto share = share_of_ceiling(results, row);
        text += fmt::format("{:<14}{:>9}{:>7}{:>7}{:>13.1f}{:>13.1f}{:>13.2f}{:>9}\n", name_of_row(row.params),
                            fmt::format("{}x{}", row.params.block_width, row.params.block_height), row.params.range_x,
                            name_of(metric_names, row.params.metric), positions_answered_for(row) * fields / 1e6,
                            row.evaluated * fields / 1e6, fields, share ? fmt::format("{:.0f} %", 100 * *share) : "-");
    }
    if (!results.ceiling.empty())
        text += fmt::format("ceiling: {}: {:.1f} MSAD/s of 16x16\n", results.ceiling_instructions,
                            median(results.ceiling) / 256e6);
    const auto ours = std::ranges::find(results.rows, false, [](const Measured& r) { return r.params.brute_force; });
    for (const Peer& peer : results.peers) {
        const std::optional<double> fields = fields_per_second(peer);
        if (fields)
            text += fmt::format("ffmpeg mestimate={}: {:.2f} fields/s; {} makes {:.3g} times as many\n", peer.method,
                                *fields, name_of_row(ours->params), ours->fields_per_second() / *fields);
        else
            text += fmt::format("ffmpeg mestimate={}: too short to measure; more --frames\n", peer.method);
    }
    return text;
}

Json row_json(const MotionResults& results, const Measured& row) {
    const double fields = row.fields_per_second();
    const auto share = share_of_ceiling(results, row);
    return {{"search", search_row(row.params.algorithm).name},
            {"brute", row.params.brute_force},
            {"block", {row.params.block_width, row.params.block_height}},
            {"range", row.params.range_x},
            {"metric", name_of(metric_names, row.params.metric)},
            {"positions_per_field", row.range.positions},
            {"measured_per_field", row.evaluated},
            {"fields_per_second", fields},
            {"positions_per_second", positions_answered_for(row) * fields},
            {"measured_per_second", row.evaluated * fields},
            {"share_of_ceiling", share ? Json(*share) : Json(nullptr)},
            {"seconds", row.seconds}};
}

Json report_json(const BenchMotionOptions& options, const MotionResults& results, const Frame& picture) {
    Json report{{"input", options.input.empty() ? Json("noise") : Json(options.input)},
                {"width", picture.width()},
                {"height", picture.height()},
                {"repeat", options.repeat},
                {"threads", options.threads},
                {"clock", options.threads > 1 ? "wall" : "processor"},
                {"ceiling", nullptr}};
    if (!results.ceiling.empty()) {
        report["ceiling"] = {{"instructions", results.ceiling_instructions},
                             {"differences_per_second", median(results.ceiling)}};
    }
    report["rows"] = Json::array();
    for (const Measured& row : results.rows)
        report["rows"].push_back(row_json(results, row));
    report["peers"] = Json::array();
    for (const Peer& peer : results.peers) {
        const std::optional<double> fields = fields_per_second(peer);
        report["peers"].push_back({{"name", "ffmpeg mestimate=" + peer.method},
                                   {"fields_per_second", fields ? Json(*fields) : Json()},
                                   {"seconds", peer.seconds}});
    }
    add_provenance(report);
    return report;
}

} // namespace

int run_bench_motion(const Arguments& arguments) {
    const BenchMotionOptions options = bench_motion_options(arguments);
    set_simd_level(options.simd.value_or(best_simd_level()));
    std::optional<AtomicFile> report;
    if (!options.report.empty()) report.emplace(options.report);
    const std::vector<FramePtr> pictures = pictures_of(options);
    if (interrupted()) return interrupted_exit_code();
    const MotionResults results = measure(options, pictures);
    if (interrupted()) return interrupted_exit_code();
    if (!is_standard_output(options.report)) print(table_text(results));
    if (report) {
        report->write(json_text(report_json(options, results, *pictures.front())));
        report->finish();
    }
    return 0;
}

} // namespace tandem
