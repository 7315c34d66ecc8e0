// SPDX-License-Identifier: BSD-2-Clause
#include "app/motion/motion_record.h"

#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace tandem {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

template <auto figure> double of_measures(const MotionRecord& record) { return (record.measures.*figure)(); }
template <auto figure> double of_truth(const MotionRecord& record) {
    return record.truth ? (*record.truth.*figure)() : unknown;
}
template <auto figure> double of_differences(const MotionRecord& record) {
    return record.differences ? (*record.differences.*figure)() : unknown;
}
template <int plane> double psnr_of(const MotionRecord& record) { return record.measures.psnr(plane); }

double blocks_per_second(const MotionRecord& record) {
    return record.search_seconds > 0 ? static_cast<double>(record.measures.blocks) / record.search_seconds : unknown;
}

constexpr std::array columns{
    MotionColumn{"psnr_y", "PSNR Y", 3, psnr_of<0>},
    MotionColumn{"psnr_u", "", 3, psnr_of<1>},
    MotionColumn{"psnr_v", "", 3, psnr_of<2>},
    MotionColumn{"psnr_kelly", "Kelly's", 3, of_measures<&FieldMeasures::absolute_psnr>},
    MotionColumn{"mse_y", "MSE", 3, [](const MotionRecord& record) { return record.measures.mse(0); }},
    MotionColumn{"mse_u", "", 3, [](const MotionRecord& record) { return record.measures.mse(1); }},
    MotionColumn{"mse_v", "", 3, [](const MotionRecord& record) { return record.measures.mse(2); }},
    MotionColumn{"sad_per_block", "SAD/block", 1, of_measures<&FieldMeasures::sad_per_block>},
    MotionColumn{"sad_per_pel", "SAD/pel", 3, of_measures<&FieldMeasures::sad_per_pel>},
    MotionColumn{"dfd_entropy", "DFD bits", 3, of_measures<&FieldMeasures::dfd_entropy>},
    MotionColumn{"vector_entropy", "mv bits", 3, of_measures<&FieldMeasures::vector_entropy>},
    MotionColumn{"vector_step_entropy", "step bits", 3, of_measures<&FieldMeasures::vector_step_entropy>},
    MotionColumn{"share_without_vector", "", 3, of_measures<&FieldMeasures::share_without_vector>},
    MotionColumn{"zero_share", "zero", 3, of_measures<&FieldMeasures::zero_share>},
    MotionColumn{"mean_length", "mean mv", 3, of_measures<&FieldMeasures::mean_length>},
    MotionColumn{"candidates_per_block", "tried", 1, of_measures<&FieldMeasures::evaluated_per_block>},
    MotionColumn{"blocks_per_second", "blocks/s", 0, blocks_per_second},
    MotionColumn{"end_point_error", "EPE", 3, of_truth<&TruthErrors::end_point_error>, MotionColumn::Needs::truth},
    MotionColumn{"angular_error", "angle", 3, of_truth<&TruthErrors::angular_error>, MotionColumn::Needs::truth},
    MotionColumn{"within_one_pel", "in 1 pel", 3, of_truth<&TruthErrors::share_within_one_pel>,
                 MotionColumn::Needs::truth},
    MotionColumn{"outliers", "Fl", 4, of_truth<&TruthErrors::outlier_share>, MotionColumn::Needs::truth_of_samples},
    MotionColumn{"truth_known", "", 3, of_truth<&TruthErrors::known_share>, MotionColumn::Needs::truth},
    MotionColumn{"equal_vectors", "equal", 3, of_differences<&FieldDifferences::equal_share>,
                 MotionColumn::Needs::other_field},
    MotionColumn{"mean_difference", "mv diff", 3, of_differences<&FieldDifferences::mean_length>,
                 MotionColumn::Needs::other_field},
    MotionColumn{"mean_cost_difference", "cost diff", 1, of_differences<&FieldDifferences::mean_cost>,
                 MotionColumn::Needs::other_field},
};

template <class Sums> void add_sums(std::optional<Sums>& to, const std::optional<Sums>& from) {
    if (!from) return;
    if (!to) to.emplace();
    to->add(*from);
}

} // namespace

void MotionRecord::add(const MotionRecord& pair) {
    measures.add(pair.measures);
    add_sums(truth, pair.truth);
    add_sums(differences, pair.differences);
    search_seconds += pair.search_seconds;
    add_backends(backend, pair.backend);
}

std::span<const MotionColumn> motion_columns() { return columns; }

bool is_wanted(const MotionColumn& column, const MotionOptions& options) {
    if (column.needs == MotionColumn::Needs::truth) return !options.truth.empty();
    if (column.needs == MotionColumn::Needs::truth_of_samples)
        return !options.truth.empty() && !options.measure.empty();
    return column.needs == MotionColumn::Needs::nothing || !options.compare.empty();
}

std::string figure_text(double value, int digits, std::string_view nothing) {
    if (std::isnan(value)) return std::string(nothing);
    return std::isinf(value) ? "inf" : fmt::format("{:.{}f}", value, digits);
}

} // namespace tandem
