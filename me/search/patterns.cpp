// SPDX-License-Identifier: BSD-2-Clause
// Searches that walk from the best of zero, the predictor and what a coarse search found, block by block, with a
// pattern about the best vector so far.
#include <optional>

#include "me/search/coarse_motion.h"
#include "me/search/first_steps.h"
#include "me/search/pattern.h"
#include "me/search/searches.h"

namespace tandem {

namespace {

/// A search that is one function of a block.
class WalkSearch final : public Search {
  public:
    using Walk = void (*)(BlockSearch& search, const SearchParams& params);
    WalkSearch(const SearchInput& input, int first_row, int end_row, Walk walk) : input_(input), walk_(walk) {
        if (begins_at_predictors(*input.params)) coarse_.emplace(input_, first_row, end_row);
    }

    void search_rows(int first_row, int end_row, MotionField& field) const override {
        for (int row = first_row; row < end_row; ++row) {
            for (int column = 0; column < field.columns(); ++column) {
                BlockSearch search(input_, field, column, row);
                if (!search.settled()) {
                    if (coarse_)
                        search.propose_all(0, 0, coarse_->starts(search.block(), search.window()).span(), 1, 1);
                    walk_(search, *input_.params);
                }
                search.store(field);
            }
            if (coarse_) field.add_evaluated(row, coarse_->evaluated(row));
        }
    }

  private:
    SearchInput input_;
    Walk walk_;
    std::optional<CoarseMotion> coarse_; ///< Where the walk begins at predictors.
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

std::unique_ptr<Search> make_three_step_search(const SearchInput& input, int first_row, int end_row) {
    return std::make_unique<WalkSearch>(input, first_row, end_row, falling_steps<halved>);
}

std::unique_ptr<Search> make_logarithmic_search(const SearchInput& input, int first_row, int end_row) {
    return std::make_unique<WalkSearch>(input, first_row, end_row, logarithmic);
}

std::unique_ptr<Search> make_diamond_search(const SearchInput& input, int first_row, int end_row) {
    return std::make_unique<WalkSearch>(input, first_row, end_row, diamond);
}

std::unique_ptr<Search> make_hexagon_search(const SearchInput& input, int first_row, int end_row) {
    return std::make_unique<WalkSearch>(input, first_row, end_row, hexagonal);
}

} // namespace tandem
