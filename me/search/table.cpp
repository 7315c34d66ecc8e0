// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <array>

#include "me/search/searches.h"

namespace tandem {

namespace {

constexpr std::array table{
    SearchRow{.algorithm = Algorithm::full,
              .name = "full",
              .description = "every vector of the range",
              .make = make_full_search},
    SearchRow{.algorithm = Algorithm::three_step,
              .name = "tss",
              .description = "8 neighbours about the best, the step halving from half the range",
              .make = make_three_step_search,
              .walks = true},
    SearchRow{.algorithm = Algorithm::logarithmic,
              .name = "log",
              .description = "8 neighbours about the best, the step m, m-1, ... 1",
              .make = make_logarithmic_search,
              .walks = true},
    SearchRow{.algorithm = Algorithm::diamond,
              .name = "diamond",
              .description = "a large diamond until its centre wins, then a small one",
              .make = make_diamond_search,
              .walks = true},
    SearchRow{.algorithm = Algorithm::hexagon,
              .name = "hexagon",
              .description = "a hexagon until its centre wins, then a small diamond",
              .make = make_hexagon_search,
              .walks = true},
    SearchRow{.algorithm = Algorithm::smpuhex,
              .name = "smpuhex",
              .description = "crosses and growing hexagons where the neighbours' vector is not good enough",
              .make = make_smpuhex_search,
              .rows_above = rows_above_smpuhex,
              .walks = true},
    SearchRow{.algorithm = Algorithm::hierarchical,
              .name = "hier",
              .description = "the best few vectors of each level of a pyramid, refined on the next",
              .make = make_hierarchical_search},
    SearchRow{.algorithm = Algorithm::predictive,
              .name = "predictive",
              .description = "a window about the best of what a coarse search of the whole picture found",
              .make = make_predictive_search,
              .begins_at_predictors = true,
              .usual_range = 8,
              .is_half_as_high = true},
    SearchRow{.algorithm = Algorithm::phase,
              .name = "poc",
              .description = "the highest peaks of the phase-only correlation of windows about the block",
              .make = make_phase_search},
    SearchRow{.algorithm = Algorithm::given,
              .name = "given",
              .description = "the vectors of a hint as they are, measured",
              .make = make_given_vectors,
              .from_hint = true},
};

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
