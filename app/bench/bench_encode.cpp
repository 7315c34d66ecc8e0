// SPDX-License-Identifier: BSD-2-Clause
#include "app/bench/bench_encode.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "app/bench/bench_encode_options.h"
#include "app/bench/stopwatch.h"
#include "app/frame_reader.h"
#include "app/interrupt.h"
#include "app/json.h"
#include "app/messages.h"
#include "encoder/encoder.h"
#include "encoder/lookahead/lookahead_of_settings.h"
#include "encoder/pictures/motion_ahead.h"
#include "encoder/reach.h"
#include "files/atomic_file.h"
#include "files/file_name.h"
#include "machine/errors.h"
#include "machine/task_pool.h"
#include "machine/workers.h"
#include "me/coprocessor/coprocessor.h"
#include "me/kernels/sad_ceiling.h"
#include "me/samples/interpolation.h"
#include "me/search.h"

namespace tandem {
namespace {

constexpr double microseconds = 1e6;

/// Pictures of whole macroblocks, which an encoder takes as they are.
struct Clip {
    std::vector<FramePtr> pictures;
    VideoFormat format;
};

FrameReader reader_of(const BenchEncodeOptions& options) {
    return {options.input, options.source, options.seek, options.frames};
}

Clip clip_of(const BenchEncodeOptions& options) {
    Clip clip;
    FrameReader reader = reader_of(options);
    if (!reader.start()) return clip;
    clip.format = reader.format();
    while (std::unique_ptr<Frame> frame = reader.read()) {
        frame->grow((frame->width() + 15) / 16 * 16, (frame->height() + 15) / 16 * 16);
        clip.pictures.push_back(std::move(frame));
    }
    if (clip.pictures.size() < 2 && !interrupted())
        throw InputError(input_name(options.input) + ": bench encode needs two pictures");
    if (clip.pictures.empty()) return clip;
    clip.format.width = clip.pictures.front()->width();
    clip.format.height = clip.pictures.front()->height();
    return clip;
}

/// The picture of a number, to and fro.
const FramePtr& picture_of(const Clip& clip, int number) {
    const std::size_t period = 2 * clip.pictures.size() - 2;
    const std::size_t at = static_cast<std::size_t>(number) % period;
    return clip.pictures[at < clip.pictures.size() ? at : period - at];
}

/// Stages of the coder, in the order of the table; times are sums over the pictures of one run.
struct CoderTimes {
    double refine = 0, decide = 0, residual = 0, entropy = 0, bytes = 0;
    int referring = 0;  ///< Pictures that are predicted.
    int references = 0; ///< Pictures that others may be predicted from.
};

CoderTimes code(const Clip& clip, const BenchEncodeOptions& options, int threads, int pictures) {
    Settings settings = options.settings;
    settings.threads = threads;
    TaskPool pool(threads);
    Coprocessor motion({}, make_cpu_estimator(pool, rank_of_searches), {});
    CoderTimes times;
    const auto take = [&](const EncodedPicture& picture) {
        const PictureStats& stats = picture.stats;
        times.refine += static_cast<double>(stats.refine_us);
        times.decide += static_cast<double>(stats.decide_us);
        times.residual += static_cast<double>(stats.residual_us);
        times.entropy += static_cast<double>(stats.entropy_us);
        times.bytes += static_cast<double>(stats.bytes);
        times.referring += stats.type != PictureType::intra;
        times.references += stats.type != PictureType::bidirectional;
    };
    Encoder encoder(settings, clip.format, motion, pool, take);
    for (int i = 0; i < pictures && !interrupted(); ++i)
        encoder.push(picture_of(clip, i));
    encoder.finish();
    return times;
}

double reading_once(const BenchEncodeOptions& options) {
    const Stopwatch watch(1);
    FrameReader reader = reader_of(options);
    int pictures = 0;
    if (reader.start()) {
        while (reader.read())
            ++pictures;
    }
    return watch.seconds() * microseconds / std::max(pictures, 1);
}

/// Bytes a second that are read and written by memcpy(), both counted, of more than caches hold.
double copied_bytes_a_second() {
    constexpr std::size_t bytes = std::size_t{64} << 20;
    std::vector<std::uint8_t> from(bytes, 1), to(bytes, 2);
    const Stopwatch watch(1);
    constexpr int rounds = 4;
    for (int i = 0; i < rounds; ++i) {
        from[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(i); // So that no round can be left out.
        std::memcpy(to.data(), from.data(), bytes);
        from[0] = static_cast<std::uint8_t>(from[0] + to[static_cast<std::size_t>(i)]);
    }
    return 2.0 * rounds * static_cast<double>(bytes) / watch.seconds();
}

double differences_a_second() {
    const auto ceiling = sad_ceiling(simd_level());
    if (!ceiling) return 0;
    constexpr std::uint64_t rounds = 1 << 20;
    const Stopwatch watch(1);
    static_cast<void>(ceiling->run(rounds));
    return static_cast<double>(rounds) * ceiling->differences / watch.seconds();
}

struct Searched {
    double us = 0;        ///< Of one picture from the one before.
    double positions = 0; ///< That were measured for it.
};

Searched search_once(const Clip& clip, const Settings& settings) {
    const auto estimator = make_cpu_estimator(1);
    const SearchParams params = search_params(settings, PictureType::predicted, 1);
    const std::size_t pairs = clip.pictures.size() - 1;
    Searched searched;
    const Stopwatch watch(1);
    for (std::size_t i = 1; i <= pairs && !interrupted(); ++i)
        searched.positions += static_cast<double>(
            estimator->estimate({clip.pictures[i], clip.pictures[i - 1], params, nullptr}).evaluated());
    searched.us = watch.seconds() * microseconds / static_cast<double>(pairs);
    searched.positions /= static_cast<double>(pairs);
    return searched;
}

bool filters(const Settings& settings) { return settings.mbtree && settings.temporal_filter > 0; }

/// Microseconds of a picture for its type and importance; `with_filter`: and for the filter of anchors.
double look_ahead_once(const Clip& clip, const BenchEncodeOptions& options, bool with_filter) {
    if (!looks_ahead(options.settings)) return 0;
    LookaheadSettings settings = lookahead_settings(options.settings);
    if (!with_filter) settings.filter = 0;
    TaskPool pool(1);
    Workers workers(pool, 0);
    Coprocessor motion({}, make_cpu_estimator(pool, rank_of_searches), {});
    const Stopwatch watch(1);
    Lookahead lookahead(settings, motion, workers);
    const auto take = [&](const std::vector<TypedPicture>& pictures) {
        for (const TypedPicture& picture : pictures) {
            if (picture.importance.valid()) picture.importance.wait();
            if (picture.filtered.valid()) picture.filtered.wait();
        }
        return !pictures.empty();
    };
    for (int i = 0; i < options.pictures && !interrupted(); ++i)
        take(lookahead.push(picture_of(clip, i), half_picture_of(*picture_of(clip, i))));
    while (!interrupted() && take(lookahead.rest()))
        continue;
    return watch.seconds() * microseconds / options.pictures;
}

enum class Floor { none, bytes, differences };

struct Stage {
    const char* name;
    Floor floor = Floor::none;
    double amount = 0;           ///< Of bytes or of differences, in a picture.
    std::vector<double> us = {}; ///< Of a picture, one for each repetition.
};

struct Results {
    static constexpr std::size_t measured = 8; ///< Stages before the rest.
    std::array<Stage, measured + 2> stages{{{"reading", Floor::bytes},
                                            {"lookahead", Floor::differences},
                                            {"filter", Floor::bytes},
                                            {"search", Floor::differences},
                                            {"refine", Floor::differences},
                                            {"decide", Floor::bytes},
                                            {"residual", Floor::bytes},
                                            {"entropy", Floor::bytes},
                                            {"rest"},
                                            {"whole"}}};
    std::vector<double> copying, differing; ///< Bytes and differences a second.
    struct Run {
        int threads;
        std::vector<double> seconds; ///< Of one more picture.
    };
    std::vector<Run> runs;
};

constexpr double positions_of_diamond = 5, positions_of_ring = 9;

/// By the lookahead for a macroblock, at least: its searches, which are of pictures of half the size, and the costs of
/// what they found.
double positions_looked_at(const Settings& settings) {
    if (!looks_ahead(settings)) return 0;
    const int most_b = lookahead_settings(settings).rules.most_b;
    const double searches = 2 * most_b + 1, means = most_b * (most_b + 1) / 2.0;
    return searches * (positions_of_diamond + positions_of_ring) + 1 + searches + means;
}

/// What the stages have to move or to measure for a picture, on average.
void set_amounts(const Clip& clip, const Settings& settings, const CoderTimes& times, const Searched& searched,
                 int pictures, Results& results) {
    const double luma = static_cast<double>(clip.format.width) * clip.format.height, all = 1.5 * luma;
    const double predicted = static_cast<double>(times.referring) / pictures;
    const double references = static_cast<double>(times.references) / pictures;
    const double stream = times.bytes / pictures;
    const std::array<double, Results::measured> amounts{
        2 * all, // Read from the file, written to memory.
        positions_looked_at(settings) * luma / 4,
        filters(settings) ? 6 * references * all : 0, // A picture and its four neighbours are read, one is written.
        predicted * searched.positions * 256,         //
        predicted * settings.search.candidates * positions_of_ring * luma, //
        2 * predicted * luma,                                              // The picture and its prediction are read,
        3 * all,                                                           // and the reconstruction is written.
        2 * stream,                                                        // Of about as many bytes of levels.
    };
    for (std::size_t i = 0; i < amounts.size(); ++i)
        results.stages[i].amount = amounts[i];
}

void measure_stages(const Clip& clip, const BenchEncodeOptions& options, Results& results) {
    results.copying.push_back(copied_bytes_a_second());
    if (const double differences = differences_a_second(); differences > 0) results.differing.push_back(differences);
    const double reading = reading_once(options);
    const double ahead = look_ahead_once(clip, options, false);
    const double filter = filters(options.settings) ? std::max(look_ahead_once(clip, options, true) - ahead, 0.0) : 0;
    const Searched searched = search_once(clip, options.settings);
    const Stopwatch watch(1);
    const CoderTimes times = code(clip, options, 1, options.pictures);
    const double pictures = options.pictures;
    const double whole = reading + watch.seconds() * microseconds / pictures;
    set_amounts(clip, options.settings, times, searched, options.pictures, results);
    std::array<double, Results::measured + 2> us{reading,
                                                 ahead,
                                                 filter,
                                                 searched.us * times.referring / pictures,
                                                 times.refine / pictures,
                                                 times.decide / pictures,
                                                 times.residual / pictures,
                                                 times.entropy / pictures,
                                                 0,
                                                 whole};
    us[Results::measured] = whole - std::accumulate(us.begin(), us.begin() + Results::measured, 0.0);
    for (std::size_t i = 0; i < us.size(); ++i)
        results.stages[i].us.push_back(us[i]);
}

/// The time of the pictures that a long run codes more than a short one.
void measure_run(const Clip& clip, const BenchEncodeOptions& options, Results::Run& run) {
    const auto seconds_of = [&](int pictures) {
        const auto begin = std::chrono::steady_clock::now();
        code(clip, options, run.threads, pictures);
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    const int few = options.pictures / 4;
    const double short_one = seconds_of(few);
    run.seconds.push_back((seconds_of(options.pictures) - short_one) / (options.pictures - few));
}

/// Everything by turns, so that a machine which changes its speed changes it for all.
Results measure(const Clip& clip, const BenchEncodeOptions& options) {
    Results results;
    for (const int threads : options.threads)
        results.runs.push_back({threads, {}});
    for (int i = 0; i < options.repeat && !interrupted(); ++i) {
        measure_stages(clip, options, results);
        for (Results::Run& run : results.runs)
            if (!interrupted()) measure_run(clip, options, run);
    }
    return results;
}

/// Microseconds; nothing where the machine tells of no such speed.
std::optional<double> floor_of(const Results& results, const Stage& stage) {
    const std::vector<double>& speed = stage.floor == Floor::differences ? results.differing : results.copying;
    if (stage.floor == Floor::none || speed.empty()) return std::nullopt;
    return stage.amount / median(speed) * microseconds;
}

/// Nothing where the runs were too short to tell.
std::optional<double> pictures_a_second(const Results::Run& run) {
    const double seconds = median(run.seconds);
    return seconds > 0 ? std::optional(1 / seconds) : std::nullopt;
}

std::string table_text(const Results& results) {
    std::string text = fmt::format("{:<10}{:>12}{:>9}{:>12}  {}\n", "stage", "us/picture", "share", "floor", "of");
    const double whole = median(results.stages.back().us);
    for (const Stage& stage : results.stages) {
        const double us = median(stage.us);
        const auto floor = floor_of(results, stage);
        const char* const of = stage.floor == Floor::bytes ? "bytes moved" : "differences";
        text += fmt::format("{:<10}{:>12.0f}{:>9}{:>12}{}\n", stage.name, us, fmt::format("{:.0f} %", 100 * us / whole),
                            floor ? fmt::format("{:.0f}", *floor) : "-", floor ? fmt::format("  {}", of) : "");
    }
    text += fmt::format("copying: {:.1f} GB/s\n\n{:<10}{:>12}{:>9}\n", median(results.copying) / 1e9, "threads",
                        "pictures/s", "times");
    const auto first = pictures_a_second(results.runs.front());
    for (const Results::Run& run : results.runs) {
        const auto speed = pictures_a_second(run);
        text += fmt::format("{:<10}{:>12}{:>9}\n", run.threads, speed ? fmt::format("{:.1f}", *speed) : "-",
                            speed && first ? fmt::format("{:.2f}", *speed / *first) : "-");
    }
    return text;
}

Json report_json(const BenchEncodeOptions& options, const Clip& clip, const Results& results) {
    Json report{{"input", options.input},
                {"width", clip.format.width},
                {"height", clip.format.height},
                {"pictures", options.pictures},
                {"preset", options.preset},
                {"qp", options.settings.qp},
                {"keyint", options.settings.keyint},
                {"search", search_row(options.settings.search.algorithm).name},
                {"repeat", options.repeat},
                {"copied_bytes_per_second", median(results.copying)},
                {"stages", Json::array()},
                {"threads", Json::array()}};
    for (const Stage& stage : results.stages) {
        const auto floor = floor_of(results, stage);
        report["stages"].push_back({{"name", stage.name},
                                    {"us", median(stage.us)},
                                    {"floor_us", floor ? Json(*floor) : Json(nullptr)},
                                    {"runs_us", stage.us}});
    }
    for (const Results::Run& run : results.runs) {
        const auto speed = pictures_a_second(run);
        report["threads"].push_back({{"threads", run.threads},
                                     {"pictures_per_second", speed ? Json(*speed) : Json(nullptr)},
                                     {"seconds_of_a_picture", run.seconds}});
    }
    add_provenance(report);
    return report;
}

} // namespace

int run_bench_encode(const Arguments& arguments) {
    const BenchEncodeOptions options = bench_encode_options(arguments);
    set_simd_level(options.simd.value_or(best_simd_level()));
    std::optional<AtomicFile> report;
    if (!options.report.empty()) report.emplace(options.report);
    const Clip clip = clip_of(options);
    if (interrupted()) return interrupted_exit_code();
    const Results results = measure(clip, options);
    if (interrupted()) return interrupted_exit_code();
    if (!is_standard_output(options.report)) print(table_text(results));
    if (report) {
        report->write(json_text(report_json(options, clip, results)));
        report->finish();
    }
    return 0;
}

} // namespace tandem
