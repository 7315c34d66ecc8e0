// SPDX-License-Identifier: BSD-2-Clause
// Searches that walk from the better of zero and the predictor, block by block, with a pattern about the best vector so
// far.
#include "me/search/pattern.h"
#include "me/search/searches.h"

namespace tandem {

namespace {

/// A search that is one function of a block.
class WalkSearch final : public Search {
  public:
    using Walk = void (*)(BlockSearch& search, const SearchParams& params);
    WalkSearch(const SearchInput& input, Walk walk) : input_(input), walk_(walk) {}

    void search_rows(int first_row, int end_row, MotionField& field) const override {
        for (int row = first_row; row < end_row; ++row) {
            for (int column = 0; column < field.columns(); ++column) {
                BlockSearch search(input_, field, column, row);
                if (!search.settled()) walk_(search, *input_.params);
                search.store(field);
            }
        }
    }

  private:
    SearchInput input_;
    Walk walk_;
};

/// Half the range, rounded up, then half of that, down to 1: Koga's three steps 4, 2, 1 for a range of 7.
constexpr int half_the_range(int range) { return (range + 1) / 2; }
constexpr int halved(int step) { return step / 2; }

/// The least m for which m + (m-1) + ... + 1 reaches the whole range, as in Mazare's logarithmic search.
constexpr int least_sum_step(int range) {
    int step = 0;
    for (int reach = 0; reach < range; reach += step)
        ++step;
    return step;
}
constexpr int one_less(int step) { return step - 1; }

/// The 8 neighbours at a step about the best vector, for each step of a falling sequence; `first` gives an axis its
/// first step by its range (0 for none), unless SearchParams::first_step does. An axis whose sequence ends sooner keeps
/// step 1.
template <int (*first)(int), int (*next)(int)> void falling_steps(BlockSearch& search, const SearchParams& params) {
    const auto start = [&](int range) { return params.first_step > 0 && range > 0 ? params.first_step : first(range); };
    int step_x = start(params.range_x);
    int step_y = start(params.range_y);
    while (step_x > 0 || step_y > 0) {
        try_pattern(search, square, std::max(step_x, 1), std::max(step_y, 1));
        step_x = step_x > 0 ? next(step_x) : 0;
        step_y = step_y > 0 ? next(step_y) : 0;
    }
}

/// Jain and Jain, 1981: the step halves only where the centre of its cross is the best; then the 8 neighbours.
void two_dimensional_logarithmic(BlockSearch& search, const SearchParams& params) {
    int step = params.first_step > 0 ? params.first_step : half_the_range(std::max(params.range_x, params.range_y));
    while (step > 1) {
        if (!try_pattern(search, small_diamond, step, step)) step /= 2;
    }
    try_pattern(search, square);
}

void logarithmic(BlockSearch& search, const SearchParams& params) {
    if (params.step_sequence == StepSequence::halving)
        two_dimensional_logarithmic(search, params);
    else
        falling_steps<least_sum_step, one_less>(search, params);
}

void diamond(BlockSearch& search, const SearchParams&) {
    while (try_pattern(search, large_diamond)) {
    }
    try_pattern(search, small_diamond);
}

void hexagonal(BlockSearch& search, const SearchParams&) {
    while (try_pattern(search, hexagon)) {
    }
    try_pattern(search, small_diamond);
}

} // namespace

std::unique_ptr<Search> make_three_step_search(const SearchInput& input, int, int) {
    return std::make_unique<WalkSearch>(input, falling_steps<half_the_range, halved>);
}

std::unique_ptr<Search> make_logarithmic_search(const SearchInput& input, int, int) {
    return std::make_unique<WalkSearch>(input, logarithmic);
}

std::unique_ptr<Search> make_diamond_search(const SearchInput& input, int, int) {
    return std::make_unique<WalkSearch>(input, diamond);
}

std::unique_ptr<Search> make_hexagon_search(const SearchInput& input, int, int) {
    return std::make_unique<WalkSearch>(input, hexagonal);
}

} // namespace tandem
