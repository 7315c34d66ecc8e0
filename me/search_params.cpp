// SPDX-License-Identifier: BSD-2-Clause
#include "me/search_params.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "me/candidate_list.h"
#include "me/enumerators.h"
#include "me/search.h"
#include "me/search/phase/fourier.h"
#include "me/search_names.h"

namespace tandem {

namespace {

class Problems {
  public:
    void range(const char* what, std::int64_t value, std::int64_t least, std::int64_t most) {
        if (value >= least && value <= most) return;
        list_.push_back(std::string(what) + " is " + std::to_string(value) + "; it must be " + std::to_string(least) +
                        " to " + std::to_string(most));
    }
    void one_of_eighths(const char* what, int value) {
        if (value >= 1 && value <= 8 && std::has_single_bit(static_cast<unsigned>(value))) return;
        list_.push_back(std::string(what) + " is " + std::to_string(value) + "; it must be 1, 2, 4 or 8");
    }
    template <class Enum> void enumerator(const char* what, Enum value, std::ptrdiff_t count) {
        check_enumerator(list_, what, value, count);
    }
    void power_of_two(const char* what, int value, int least, int most) {
        if (value >= least && value <= most && std::has_single_bit(static_cast<unsigned>(value))) return;
        add(std::string(what) + " is " + std::to_string(value) + "; it must be a power of two, " +
            std::to_string(least) + " to " + std::to_string(most));
    }
    void add(std::string problem) { list_.push_back(std::move(problem)); }
    std::vector<std::string> take() { return std::move(list_); }

  private:
    std::vector<std::string> list_;
};

/// A table's row may be missing: the enumerator is a problem of its own.
std::string other_search(Algorithm algorithm) {
    const auto index = static_cast<std::size_t>(algorithm);
    if (index >= search_table().size()) return {};
    return ", '" + std::string(search_table()[index].name) + "' goes by whole pels and refines what it found";
}

bool walks(Algorithm algorithm) {
    const auto index = static_cast<std::size_t>(algorithm);
    return index < search_table().size() && search_table()[index].walks;
}

std::string no_walk(Algorithm algorithm) {
    const auto index = static_cast<std::size_t>(algorithm);
    if (index >= search_table().size()) return {};
    return "; the search '" + std::string(search_table()[index].name) + "' is none";
}

} // namespace

bool begins_at_predictors(const SearchParams& params) {
    return params.start == Start::predictors || search_row(params.algorithm).begins_at_predictors;
}

VectorLimits vector_limits(const SearchParams& params, int width, int height) {
    if (!begins_at_predictors(params)) return {params.range_x, params.range_y};
    constexpr int least = 63;
    const bool small = width <= 352 && height <= 288;
    const int x = small ? least : std::max(width / 4, least), y = small ? least : std::max(height / 4, least);
    return {std::min(x, params.farthest_x), std::min(y, params.farthest_y)};
}

std::vector<std::string> SearchParams::validate() const {
    Problems problems;
    problems.enumerator("the search algorithm", algorithm, std::ssize(search_table()));
    problems.range("the block width", block_width, least_block_side, largest_block_side);
    problems.range("the block height", block_height, least_block_side, largest_block_side);
    problems.range("the horizontal search range", range_x, 0, largest_range);
    problems.range("the vertical search range", range_y, 0, largest_range);
    problems.one_of_eighths("the precision (positions per pel)", precision);
    problems.one_of_eighths("the grid (positions per pel)", grid);
    if (algorithm == Algorithm::full && grid > std::max(precision, 1)) {
        problems.add("the grid (positions per pel) is " + std::to_string(grid) +
                     "; it must be at most the precision, " + std::to_string(precision));
    } else if (algorithm != Algorithm::full && grid > 1) {
        problems.add("the grid (positions per pel) is " + std::to_string(grid) +
                     "; only the search 'full' has a grid finer than 1" + other_search(algorithm));
    }
    problems.enumerator("the interpolation", interpolation, std::ssize(interpolation_names));
    if (interpolation == Interpolation::six_tap)
        problems.range("the precision of six-tap interpolation", precision, 1, 4);
    problems.enumerator("the metric", metric, std::ssize(metric_names));
    problems.enumerator("the choice of planes", planes, std::ssize(planes_names));
    problems.enumerator("the boundary", boundary, std::ssize(boundary_names));
    problems.enumerator("the predictor", predictor, std::ssize(predictor_names));
    problems.range("lambda_q8", lambda_q8, 0, 1 << 24);
    problems.one_of_eighths("the rate unit (eighth-pels)", rate_unit);
    problems.range("the null threshold", null_threshold, 0, UINT32_MAX - 1);
    problems.range("the null level", null_level, 0, 65535);
    problems.range("the null gain", null_gain, 0, 65536);
    problems.range("the number of candidates", candidates, 1, most_candidates);
    problems.range("the farthest horizontal vector (pels)", farthest_x, 0, largest_range);
    problems.range("the farthest vertical vector (pels)", farthest_y, 0, largest_range);
    problems.enumerator("the start of a walk", start, std::ssize(start_names));
    if (start == Start::predictors && !walks(algorithm))
        problems.add("only walks can be told to begin at predictors" + no_walk(algorithm));
    problems.range("the first step (pels)", first_step, 0, largest_range);
    problems.enumerator("the step sequence", step_sequence, std::ssize(step_sequence_names));
    problems.range("the number of passes", passes, 1, 4);
    problems.enumerator("the block order", block_order, std::ssize(block_order_names));
    problems.range("the number of pyramid levels", levels, 1, most_levels);
    problems.range("the number of candidates per pyramid level", level_candidates, 1, most_level_candidates);
    problems.power_of_two("the window of phase correlation (pels)", phase_window, 16, 256);
    problems.range("the number of layers of phase correlation", phase_layers, 1, 4);
    problems.range("the number of peaks of phase correlation", phase_peaks, 1, 16);
    if (algorithm == Algorithm::phase && !has_fourier_transform())
        problems.add("phase correlation (poc) needs KissFFT, which this build lacks");
    return problems.take();
}

} // namespace tandem
