// SPDX-License-Identifier: BSD-2-Clause
// Searches that walk: a pattern of offsets is tried about the best vector so far, scaled by a falling step.
#include <array>
#include <span>
#include <utility>

#include "me/search/block_search.h"
#include "me/search/searches.h"

namespace tandem {

namespace {

struct Offset {
    int x, y;
};

constexpr std::array<Offset, 8> square{{{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}}};

/// Tries the pattern about the best vector; what is better than that is the next best.
void try_pattern(BlockSearch& search, std::span<const Offset> pattern, int step_x, int step_y) {
    const int x = search.best_x();
    const int y = search.best_y();
    for (const Offset& offset : pattern)
        search.propose(x + step_x * offset.x, y + step_y * offset.y);
}

/// Steps that follow one another on an axis; 0 where the axis has no range.
using FirstStep = int (*)(int range);
using NextStep = int (*)(int step);

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

/// The 8 neighbours at a step about the best vector, for each step of a falling sequence.
class StepSearch final : public Search {
  public:
    StepSearch(const SearchInput& input, FirstStep first, NextStep next) : input_(input), first_(first), next_(next) {}

    void search_rows(int first_row, int end_row, MotionField& field) const override {
        for (int row = first_row; row < end_row; ++row) {
            for (int column = 0; column < field.columns(); ++column) {
                BlockSearch search(input_, field, column, row);
                if (!search.settled()) search_block(search);
                search.store(field.block(column, row));
            }
        }
    }

  private:
    /// An axis with the shorter range ends sooner and then keeps step 1.
    void search_block(BlockSearch& search) const {
        int step_x = first_(input_.params->range_x);
        int step_y = first_(input_.params->range_y);
        while (step_x > 0 || step_y > 0) {
            try_pattern(search, square, std::max(step_x, 1), std::max(step_y, 1));
            step_x = step_x > 0 ? next_(step_x) : 0;
            step_y = step_y > 0 ? next_(step_y) : 0;
        }
    }

    SearchInput input_;
    FirstStep first_;
    NextStep next_;
};

} // namespace

std::unique_ptr<Search> make_three_step_search(const SearchInput& input, int, int) {
    return std::make_unique<StepSearch>(input, half_the_range, halved);
}

std::unique_ptr<Search> make_logarithmic_search(const SearchInput& input, int, int) {
    return std::make_unique<StepSearch>(input, least_sum_step, one_less);
}

} // namespace tandem
