// SPDX-License-Identifier: BSD-2-Clause
// What a search can be asked for: SearchParams::validate(). It knows the table of searches, which knows the parameters.
#include "me/search_params.h"

#include <algorithm>
#include <iterator>

#include "me/rows/enumerators.h"
#include "me/rows/search_names.h"
#include "me/rows/search_rows.h"
#include "me/search.h"
#include "me/search/phase/fourier.h"

namespace tandem {

namespace {

using Problems = std::vector<std::string>;

void add_range_problem(Problems& problems, const char* name, double value, double least, double most) {
    if (auto problem = range_problem(name, value, least, most)) problems.push_back(std::move(*problem));
}

/// A table's row may be missing: the enumerator is a problem of its own.
std::string other_search(Algorithm algorithm) {
    const auto index = static_cast<std::size_t>(algorithm);
    if (index >= search_table().size()) return {};
    return ", '" + std::string(search_table()[index].name) + "' goes by whole pels and refines what it found";
}

void check_grid(Problems& problems, const SearchParams& params) {
    const std::string what = "grid (positions per pel) is " + std::to_string(params.grid) + "; ";
    if (params.algorithm == Algorithm::full && params.grid > std::max(params.precision, 1))
        problems.push_back(what + "it must be at most the precision, " + std::to_string(params.precision));
    else if (params.algorithm != Algorithm::full && params.grid > 1)
        problems.push_back(what + "only the search 'full' has a grid finer than 1" + other_search(params.algorithm));
}

void check_start(Problems& problems, const SearchParams& params) {
    const auto index = static_cast<std::size_t>(params.algorithm);
    if (params.start == Start::zero || index >= search_table().size() || search_table()[index].walks) return;
    problems.push_back("only walks can be told to begin at predictors; the search '" +
                       std::string(search_table()[index].name) + "' is none");
}

} // namespace

std::vector<std::string> SearchParams::validate() const {
    Problems problems;
    check_settings(problems, plain_search_rows(), *this);
    check_settings(problems, shared_search_rows(), *this);
    add_range_problem(problems, "block width", block_width, least_block_side, largest_block_side);
    add_range_problem(problems, "block height", block_height, least_block_side, largest_block_side);
    add_range_problem(problems, "horizontal range", range_x, 0, largest_range);
    add_range_problem(problems, "vertical range", range_y, 0, largest_range);
    add_range_problem(problems, "farthest horizontal vector", farthest_x, 0, largest_range);
    add_range_problem(problems, "farthest vertical vector", farthest_y, 0, largest_range);
    check_start(problems, *this);
    check_grid(problems, *this);
    if (interpolation == Interpolation::six_tap)
        add_range_problem(problems, "precision of six-tap interpolation", precision, 1, 4);
    check_enumerator(problems, "predictor", predictor, std::ssize(predictor_names));
    if (algorithm == Algorithm::phase && !has_fourier_transform())
        problems.emplace_back("phase correlation (poc) needs KissFFT, which this build lacks");
    return problems;
}

} // namespace tandem
