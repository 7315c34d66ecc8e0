// SPDX-License-Identifier: BSD-2-Clause
// Searches that walk from the better of zero and the predictor, block by block, with a pattern about the best vector so
// far.
#include "me/search/first_steps.h"
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

constexpr int halved(int step) { return step / 2; }
constexpr int one_less(int step) { return step - 1; }

/// The 8 neighbours at a step about the best vector, for each step of a falling sequence. An axis whose sequence ends
/// sooner keeps step 1.
template <int (*next)(int)> void falling_steps(BlockSearch& search, const SearchParams& params) {
    FirstSteps step = first_steps(params);
    while (step.x > 0 || step.y > 0) {
        try_pattern(search, square, std::max(step.x, 1), std::max(step.y, 1));
        step.x = step.x > 0 ? next(step.x) : 0;
        step.y = step.y > 0 ? next(step.y) : 0;
    }
}

/// Jain and Jain, 1981: the step halves only where the centre of its cross is the best; then the 8 neighbours.
void two_dimensional_logarithmic(BlockSearch& search, const SearchParams& params) {
    int step = first_steps(params).x;
    while (step > 1) {
        if (!try_pattern(search, small_diamond, step, step)) step /= 2;
    }
    try_pattern(search, square);
}

void logarithmic(BlockSearch& search, const SearchParams& params) {
    if (params.step_sequence == StepSequence::halving)
        two_dimensional_logarithmic(search, params);
    else
        falling_steps<one_less>(search, params);
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
    return std::make_unique<WalkSearch>(input, falling_steps<halved>);
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
