// SPDX-License-Identifier: BSD-2-Clause
#include "app/motion/motion_outputs.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "app/csv_field.h"
#include "app/interrupt.h"
#include "app/messages.h"
#include "app/motion/motion_report.h"
#include "files/file_name.h"
#include "machine/errors.h"
#include "me/samples/compensation.h"

namespace tandem {
namespace {

constexpr int label_width = 8, column_width = 10;

bool is_shown(const MotionColumn& column, const MotionOptions& options) {
    return !column.heading.empty() && is_wanted(column, options);
}

/// All that searches can have, wanted or not, so that tables of one kind have the same columns.
bool is_in_csv(const MotionColumn& column, const MotionOptions& options) {
    return column.needs != MotionColumn::Needs::truth_of_samples || is_wanted(column, options);
}

std::string csv_row(const std::string& picture, const std::string& reference, const MotionRecord& record,
                    const MotionOptions& options) {
    std::string line = picture + "," + reference;
    for (const MotionColumn& column : motion_columns())
        if (is_in_csv(column, options)) line += "," + figure_text(column.value(record), column.digits + 3, "");
    return line + fmt::format(",{:.0f},{}\n", record.search_seconds * 1e6, csv_field(record.backend));
}

std::string csv_heading(const MotionOptions& options) {
    std::string line = "picture,reference";
    for (const MotionColumn& column : motion_columns())
        if (is_in_csv(column, options)) line += "," + std::string(column.name);
    return line + ",search_us,backend\n";
}

/// What a field's distortions and costs count, so that others are not held against them: "sad", "sad yuv" of all
/// planes, "sad+4b" and "sad+1/256b" where costs have lambda 4 and 1/256, "sad+4b8" where the bits are of steps of 8
/// eighths instead of 4. At most 23 letters.
std::string metric_label(const SearchParams& search) {
    std::string label(name_of(metric_names, search.metric));
    if (search.planes == Planes::all) label += " yuv";
    if (search.lambda_q8 % 256 != 0)
        label += fmt::format("+{}/256b", search.lambda_q8);
    else if (search.lambda_q8 > 0)
        label += fmt::format("+{}b", search.lambda_q8 / 256);
    if (search.lambda_q8 > 0 && search.rate_unit != SearchParams{}.rate_unit) label += std::to_string(search.rate_unit);
    return label;
}

template <class File> void open_if_wanted(std::optional<File>& file, const std::string& path) {
    if (!path.empty()) file.emplace(path);
}

} // namespace

MotionOutputs::MotionOutputs(const MotionOptions& options, const SearchParams& search, const VideoFormat& format,
                             Trace* trace)
    : options_(options), search_(search), format_(format), trace_(trace), workers_(options.threads) {
    const FieldGeometry geometry{format.width, format.height, search.block_width, search.block_height};
    if (!options.truth.empty()) truth_.emplace("--truth", options.truth, geometry);
    if (!options.compare.empty()) compared_.emplace("--compare", options.compare, geometry);
    if (!options.field.empty()) field_ = create_field_file(options.field, metric_label(search));
    if (!options.compensate.empty()) compensated_ = open_frame_sink(options.compensate, format);
    if (!options.residual.empty()) residual_ = open_frame_sink(options.residual, format);
    if (!options.draw.empty())
        drawing_ = std::make_unique<FieldDrawing>(options.draw, format, geometry, options.longest, workers_);
    open_if_wanted(stats_, options.stats);
    open_if_wanted(report_, options.report);
    open_if_wanted(trace_file_, options.trace);
    if (stats_) stats_->write(csv_heading(options));
    shows_table_ = spdlog::should_log(spdlog::level::info);
    for (const std::string* path :
         {&options.compensate, &options.residual, &options.stats, &options.report, &options.trace})
        shows_table_ = shows_table_ && !is_standard_output(*path);
    writes_files_ = field_ || compensated_ || residual_ || drawing_ || stats_ || report_ || trace_file_;
    std::string heading = fmt::format("{:>{}}", "picture", label_width);
    for (const MotionColumn& column : motion_columns())
        if (is_shown(column, options)) heading += fmt::format("{:>{}}", column.heading, column_width);
    print(heading);
}

void MotionOutputs::write(const PicturePair& pair, const MotionResult& result) {
    const auto begin = Trace::Clock::now();
    const MotionField& field = result.field;
    MotionRecord record;
    record.picture = pair.picture;
    record.reference = pair.reference;
    record.backend = result.backend;
    record.search_seconds = std::chrono::duration<double>(result.duration).count();
    const auto prediction = predict_picture(*pair.reference_picture, field, search_.interpolation, workers_);
    record.measures = measure_field(field, *pair.current, *prediction, &workers_);
    if (truth_) record.truth = compare_with_truth(field, truth_->vectors_of(pair));
    std::optional<MotionField> other;
    if (compared_) {
        other = compared_->field_of(pair);
        const bool one_metric = compared_->metric() == metric_label(search_);
        record.differences = compare_fields(field, *other, one_metric);
    }
    if (field_) field_->write({field, pair.picture, static_cast<int>(pair.reference - pair.picture)});
    write_pictures(pair, *prediction);
    if (drawing_)
        drawing_->draw(pair.current, fmt::format("picture {} from {}", pair.picture, pair.reference), pair.picture,
                       field, other ? &*other : nullptr);
    if (record.measures.without_vector > 0 && total_.measures.without_vector == 0) {
        spdlog::warn("warning: picture {}: {} of {} blocks have no vector; they are predicted from their own place",
                     pair.picture, record.measures.without_vector, record.measures.blocks);
    }
    spdlog::debug("picture {} searched on {} in {:.2f} ms", pair.picture, result.backend, record.search_seconds * 1e3);
    keep(pair, record);
    if (trace_ == nullptr) return;
    trace_->add("measure", "measuring", pair.picture, begin, Trace::Clock::now());
    if (trace_file_) trace_file_->write(trace_->take());
}

void MotionOutputs::write_samples(const PicturePair& pair, std::span<const Pels> vectors) {
    const auto begin = Trace::Clock::now();
    MotionRecord record;
    record.picture = pair.picture;
    record.reference = pair.reference;
    record.backend = "file";
    const auto prediction = predict_samples(*pair.reference_picture, vectors, workers_);
    record.measures = measure_samples(vectors, *pair.current, *prediction, &workers_);
    if (truth_) record.truth = compare_with_truth(vectors, truth_->vectors_of(pair));
    write_pictures(pair, *prediction);
    keep(pair, record);
    if (trace_ != nullptr) trace_->add("measure", "measuring", pair.picture, begin, Trace::Clock::now());
}

/// In the total, the table and the files.
void MotionOutputs::keep(const PicturePair& pair, const MotionRecord& record) {
    total_.add(record);
    say(std::to_string(pair.picture), record);
    if (stats_) stats_->write(csv_row(std::to_string(pair.picture), std::to_string(pair.reference), record, options_));
    if (report_) pairs_.push_back(pair_json(record, options_));
}

void MotionOutputs::write_pictures(const PicturePair& pair, const Frame& prediction) {
    if (compensated_) compensated_->write(prediction);
    if (residual_) residual_->write(*residual_picture(*pair.current, prediction));
}

void MotionOutputs::say(const std::string& label, const MotionRecord& record) {
    std::string line = fmt::format("{:>{}}", label, label_width);
    for (const MotionColumn& column : motion_columns())
        if (is_shown(column, options_))
            line += fmt::format("{:>{}}", figure_text(column.value(record), column.digits, "-"), column_width);
    print(line);
}

void MotionOutputs::print(const std::string& line) {
    if (!shows_table_) return;
    clear_status();
    // A terminal that is gone takes nothing, nor does an idle reader; the files are ended all the same.
    try {
        tandem::print(line + "\n");
    } catch (const OutputAbandoned&) {
        shows_table_ = false;
    } catch (const EnoughPrinted&) {
        shows_table_ = false;
        if (!writes_files_) throw;
    } catch (const RunError&) {
        if (!hung_up()) throw;
        shows_table_ = false;
    }
}

void MotionOutputs::finish(bool interrupted) {
    say("all", total_);
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    const std::int64_t pairs = total_.measures.pairs;
    const std::int64_t without = total_.measures.without_vector;
    const std::int64_t blocks = total_.measures.blocks;
    const char* unit = options_.measure.empty() ? "block" : "sample";
    spdlog::info("{} {}, {} {}{}{}, {:.2f} s", pairs, pairs == 1 ? "pair" : "pairs", blocks, unit,
                 blocks == 1 ? "" : "s", without > 0 ? fmt::format(" ({} without a vector)", without) : "", seconds);
    if (total_.differences) {
        for (const std::string& line : difference_lines(*total_.differences))
            print(line);
    }
    if (stats_) stats_->write(csv_row("all", "", total_, options_));
    if (trace_file_) trace_file_->write(trace_->end());
    if (report_) {
        Json report = motion_json(options_, search_, format_, total_);
        report["seconds"] = seconds;
        report["interrupted"] = interrupted;
        report["pairs"] = std::move(pairs_);
        add_provenance(report);
        report_->write(json_text(report));
    }
    // All are complete before the first has its name, but drawings and fields, which may be many files and come first.
    const auto of_all = [this](const auto& each) {
        if (compensated_) each(*compensated_);
        if (residual_) each(*residual_);
        if (stats_) each(*stats_);
        if (trace_file_) each(*trace_file_);
        if (report_) each(*report_);
    };
    of_all([](auto& file) { file.close(); });
    if (drawing_) drawing_->finish();
    if (field_) field_->finish();
    of_all([](auto& file) { file.finish(); });
}

} // namespace tandem
