// SPDX-License-Identifier: BSD-2-Clause
// Searches that walk from the best of zero, the predictor and what a coarse search found, block by block, with a
// pattern about the best vector so far. What tells them apart is data: me/search/walk.h.
#include <optional>

#include "me/search/levels/coarse_motion.h"
#include "me/search/plain_block.h"
#include "me/search/searches.h"
#include "me/search/walk.h"

namespace tandem {

namespace {

bool try_pattern(PlainBlock& block, const Pattern& pattern, int scale_x = 1, int scale_y = 1) {
    return block.try_pattern(offsets_of(pattern), scale_x, scale_y);
}

/// An axis whose sequence ends sooner keeps step 1. A Block is a BlockSearch or a PlainBlock.
template <class Block> void falling_steps(Block& search, const Walk& walk) {
    const auto next = [&](int step) { return step == 0 ? 0 : walk.steps == WalkSteps::halved ? step / 2 : step - 1; };
    for (int x = walk.first_x, y = walk.first_y; x > 0 || y > 0; x = next(x), y = next(y))
        try_pattern(search, walk.pattern, std::max(x, 1), std::max(y, 1));
}

template <class Block> void patient_steps(Block& search, const Walk& walk) {
    for (int step = walk.first_x; step > 1;) {
        if (!try_pattern(search, walk.pattern, step, step)) step /= 2;
    }
}

template <class Block> void run(Block& search, const Walk& walk) {
    switch (walk.steps) {
    case WalkSteps::halved:
    case WalkSteps::one_less:
        falling_steps(search, walk);
        break;
    case WalkSteps::patient:
        patient_steps(search, walk);
        break;
    case WalkSteps::while_better:
        while (try_pattern(search, walk.pattern)) {
        }
        break;
    }
    try_pattern(search, walk.last);
}

class WalkSearch final : public Search {
  public:
    WalkSearch(const SearchInput& input, int first_row, int end_row)
        : input_(input), rates_(input.params->lambda_q8), walk_(walk_of(*input.params)) {
        if (begins_at_predictors(*input.params)) coarse_.emplace(input_, first_row, end_row);
    }

    void search_rows(int first_row, int end_row, MotionField& field) const override {
        const bool is_plain = PlainBlock::suits(input_);
        LevelScratch scratch;
        for (int row = first_row; row < end_row; ++row) {
            for (int column = 0; column < field.columns(); ++column) {
                if (is_plain)
                    search_plainly({input_, rates_, field, column, row, scratch}, field);
                else
                    search_block(column, row, field);
            }
            if (coarse_) field.add_evaluated(row, coarse_->evaluated(row));
        }
    }

  private:
    void search_plainly(PlainBlock block, MotionField& field) const {
        if (!block.settled()) {
            block.begin(coarse_ ? &*coarse_ : nullptr);
            run(block, walk_);
        }
        block.store(field);
    }

    void search_block(int column, int row, MotionField& field) const {
        BlockSearch search(input_, field, column, row);
        if (!search.settled()) {
            if (coarse_) search.propose_all(0, 0, coarse_->starts(search.block(), search.window()).span(), 1, 1);
            run(search, walk_);
        }
        search.store(field);
    }

    SearchInput input_;
    Rates rates_;
    Walk walk_;
    std::optional<CoarseMotion> coarse_; ///< Where the walk begins at predictors.
};

} // namespace

std::unique_ptr<Search> make_walk_search(const SearchInput& input, int first_row, int end_row) {
    return std::make_unique<WalkSearch>(input, first_row, end_row);
}

} // namespace tandem
