// SPDX-License-Identifier: BSD-2-Clause
#include "me/search/plain_block.h"

#include "me/null_rules.h"

namespace tandem {

bool PlainBlock::suits(const SearchInput& input) {
    const SearchParams& params = *input.params;
    const bool counts_from_zero = params.predictor == Predictor::zero || input.hint == nullptr;
    return params.candidates == 1 && params.null_gain == 0 && input.chroma == nullptr && counts_from_zero;
}

PlainBlock::PlainBlock(const SearchInput& input, const Rates& rates, const MotionField& field, int column, int row,
                       LevelScratch& scratch)
    : rect_(block_rect(field, column, row)),
      block_(input, input.current, input.reference, rect_,
             window_within(input.limits, rect_, field.picture_width(), field.picture_height(), input.params->boundary),
             {{}, 0, &rates}),
      scratch_(scratch), column_(column), row_(row) {
    if (!may_settle_for_zero(*input.params)) return;
    constexpr Offset zero{};
    block_.search_these({&zero, 1}, best_, scratch_);
    has_zero_ = true;
    settled_ = settles_for_zero(*input.params, (*best_).cost() - block_.rate(zero), rect_.samples());
}

void PlainBlock::begin(const CoarseMotion* coarse) {
    Starts starts;
    if (coarse != nullptr) starts = coarse->starts(rect_, block_.window());
    if (!has_zero_) {
        const std::size_t without_zero = starts.span().size();
        starts.add({0, 0});
        if (starts.span().size() == without_zero) count_again();
    }
    block_.search_these(starts.span(), best_, scratch_);
}

void PlainBlock::try_others(const Surroundings& others) { block_.search_about(best(), others, best_, scratch_); }

bool PlainBlock::try_pattern(std::span<const Offset> offsets, int scale_x, int scale_y) {
    const VectorKey before = *best_;
    block_.search_pattern(best(), offsets, scale_x, scale_y, best_, scratch_);
    return *best_ != before;
}

void PlainBlock::store(MotionField& field) const {
    const Offset found = best();
    const std::uint32_t cost = (*best_).cost();
    field.block(column_, row_).front() = {mv_from_pels(found.x, found.y), cost - block_.rate(found), cost};
    field.add_evaluated(row_, static_cast<std::uint64_t>(block_.evaluated() + counted_again_));
}

} // namespace tandem
