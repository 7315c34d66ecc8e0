// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <array>

#include "me/search/searches.h"

namespace tandem {

namespace {

constexpr std::array table{
    SearchRow{Algorithm::full, "full", "every vector of the range", make_full_search},
    SearchRow{Algorithm::three_step, "tss", "8 neighbours about the best, the step halving from half the range",
              make_three_step_search},
    SearchRow{Algorithm::logarithmic, "log", "8 neighbours about the best, the step m, m-1, ... 1",
              make_logarithmic_search},
    SearchRow{Algorithm::diamond, "diamond", "a large diamond until its centre wins, then a small one",
              make_diamond_search},
    SearchRow{Algorithm::hexagon, "hexagon", "a hexagon until its centre wins, then a small diamond",
              make_hexagon_search},
    SearchRow{Algorithm::smpuhex, "smpuhex",
              "crosses and growing hexagons where the neighbours' vector is not good enough", make_smpuhex_search,
              false, rows_above_smpuhex},
    SearchRow{Algorithm::hierarchical, "hier", "the best few vectors of each level of a pyramid, refined on the next",
              make_hierarchical_search},
    SearchRow{Algorithm::phase, "poc", "the highest peaks of the phase-only correlation of windows about the block",
              make_phase_search},
    SearchRow{Algorithm::given, "given", "the vectors of a hint as they are, measured", make_given_vectors, true},
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
