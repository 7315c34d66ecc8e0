// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <array>

#include "me/search/searches.h"
#include "me/search/walk.h"

namespace tandem {

namespace {

/// Each row with its place.
template <std::size_t count> constexpr std::array<SearchRow, count> numbered(std::array<SearchRow, count> rows) {
    for (std::size_t i = 0; i < count; ++i)
        rows[i].algorithm = static_cast<Algorithm>(i);
    return rows;
}

/// The row of a search that is a walk and nothing else.
constexpr SearchRow walking(SearchRow row) {
    row.make = make_walk_search;
    row.walks = true;
    return row;
}

constexpr auto table = numbered(std::array{
    SearchRow{.name = "full", .description = "every vector of the range", .make = make_full_search},
    walking({.name = "tss",
             .description = "8 neighbours about the best, the step halving from half the range",
             .walk = &walks::three_step}),
    walking({.name = "log",
             .description = "8 neighbours about the best, the step m, m-1, ... 1",
             .walk = &walks::logarithmic,
             .halving_walk = &walks::patient_logarithmic}),
    walking({.name = "diamond",
             .description = "a large diamond until its centre wins, then a small one",
             .walk = &walks::diamond}),
    walking({.name = "hexagon",
             .description = "a hexagon until its centre wins, then a small diamond",
             .walk = &walks::hexagon}),
    SearchRow{.name = "smpuhex",
              .description = "crosses and growing hexagons where the neighbours' vector is not good enough",
              .make = make_smpuhex_search,
              .rows_above = rows_above_smpuhex,
              .walks = true},
    SearchRow{.name = "hier",
              .description = "the best few vectors of each level of a pyramid, refined on the next",
              .make = make_hierarchical_search},
    SearchRow{.name = "predictive",
              .description = "a window about the best of what a coarse search of the whole picture found",
              .make = make_predictive_search,
              .begins_at_predictors = true,
              .usual_range = 12,
              .is_half_as_high = true},
    SearchRow{.name = "poc",
              .description = "the highest peaks of the phase-only correlation of windows about the block",
              .make = make_phase_search},
    SearchRow{.name = "given",
              .description = "the vectors of a hint as they are, measured",
              .make = make_given_vectors,
              .from_hint = true},
});

} // namespace

std::span<const SearchRow> search_table() { return table; }

const SearchRow& search_row(Algorithm algorithm) { return table.at(static_cast<std::size_t>(algorithm)); }

int rows_searched_above(const SearchParams& params, int first_row) {
    const auto rows_above = search_row(params.algorithm).rows_above;
    return rows_above == nullptr ? 0 : rows_above(params, first_row);
}

bool is_built(const SearchRow& row) {
    SearchParams params;
    params.algorithm = row.algorithm;
    return params.validate().empty();
}

std::optional<Algorithm> algorithm_by_name(std::string_view name) {
    const auto found =
        std::find_if(table.begin(), table.end(), [name](const SearchRow& row) { return row.name == name; });
    if (found == table.end()) return std::nullopt;
    return found->algorithm;
}

std::string search_names(std::string_view between, bool with_hints) {
    std::string names;
    for (const SearchRow& row : table)
        if (with_hints || !row.from_hint) names += (names.empty() ? "" : std::string(between)) + std::string(row.name);
    return names;
}

} // namespace tandem
