// SPDX-License-Identifier: BSD-2-Clause
// The words that stand for values of SearchParams: on the command line, in reports, in C and in Python. Searches have
// theirs in the table of searches.
#pragma once

#include <array>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "me/search_params.h"

namespace tandem {

template <class Value, std::size_t count> using NameTable = std::array<std::pair<std::string_view, Value>, count>;

inline constexpr NameTable<Metric, 5> metric_names{
    {{"sad", Metric::sad}, {"ssd", Metric::ssd}, {"satd", Metric::satd}, {"zsad", Metric::zsad}, {"ncc", Metric::ncc}}};
inline constexpr NameTable<Planes, 2> planes_names{{{"luma", Planes::luma}, {"all", Planes::all}}};
inline constexpr NameTable<Interpolation, 3> interpolation_names{
    {{"bilinear", Interpolation::bilinear}, {"six-tap", Interpolation::six_tap}, {"texture", Interpolation::texture}}};
inline constexpr NameTable<Boundary, 2> boundary_names{{{"inside", Boundary::inside}, {"padded", Boundary::padded}}};
inline constexpr NameTable<Predictor, 3> predictor_names{
    {{"zero", Predictor::zero}, {"hint", Predictor::hint}, {"neighbours", Predictor::neighbours}}};
inline constexpr NameTable<StepSequence, 2> step_sequence_names{
    {{"falling", StepSequence::falling}, {"halving", StepSequence::halving}}};
inline constexpr NameTable<Start, 2> start_names{{{"zero", Start::zero}, {"predictors", Start::predictors}}};
inline constexpr NameTable<BlockOrder, 2> block_order_names{
    {{"passes", BlockOrder::passes}, {"raster", BlockOrder::raster}}};

/// Positions per pel, by their number or by their distance.
inline constexpr NameTable<int, 7> precision_names{
    {{"1", 1}, {"2", 2}, {"4", 4}, {"8", 8}, {"1/2", 2}, {"1/4", 4}, {"1/8", 8}}};

/// Nothing where no row has the name.
template <class Value, std::size_t count>
std::optional<Value> value_named(const NameTable<Value, count>& names, std::string_view name) {
    for (const auto& [known, value] : names)
        if (known == name) return value;
    return std::nullopt;
}

/// A value without a row is a fault of the program.
template <class Value, std::size_t count> std::string_view name_of(const NameTable<Value, count>& names, Value value) {
    for (const auto& [name, known] : names)
        if (known == value) return name;
    throw std::logic_error("a value of the settings has no name");
}

/// All names, in the table's order.
template <class Value, std::size_t count>
std::string joined_names(const NameTable<Value, count>& names, std::string_view between) {
    std::string joined;
    for (const auto& [name, value] : names)
        joined += (joined.empty() ? "" : std::string(between)) + std::string(name);
    return joined;
}

} // namespace tandem
