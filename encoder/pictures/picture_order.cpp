// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/pictures/picture_order.h"

#include <utility>

namespace tandem {

namespace {

/// Waits until it is.
ImportancePtr known(const std::shared_future<ImportancePtr>& importance) {
    return importance.valid() ? importance.get() : nullptr;
}

} // namespace

PictureType FixedPattern::next() {
    const auto position = static_cast<int>(next_display_++ % keyint_);
    if (position == 0) return PictureType::intra;
    const bool ends_closed_group = closed_ && position == keyint_ - 1;
    return position % (bframes_ + 1) == 0 || ends_closed_group ? PictureType::predicted : PictureType::bidirectional;
}

std::vector<PlannedPicture> PictureOrder::push(TypedPicture picture) {
    const std::int64_t display = next_display_++;
    if (picture.type != PictureType::bidirectional) return anchor(std::move(picture), display);
    waiting_.push_back({std::move(picture), display});
    return {};
}

std::vector<PlannedPicture> PictureOrder::finish() {
    if (waiting_.empty()) return {};
    Waiting last = std::move(waiting_.back());
    waiting_.pop_back();
    last.picture.type = PictureType::predicted;
    return anchor(std::move(last.picture), last.display_index);
}

std::vector<PlannedPicture> PictureOrder::anchor(TypedPicture typed, std::int64_t display_index) {
    const FramePtr source = typed.filtered.valid() ? typed.filtered.get() : typed.source;
    PlannedPicture picture;
    picture.source = source;
    picture.original = std::move(typed.source);
    picture.display_index = display_index;
    picture.type = typed.type;
    picture.importance = known(typed.importance);
    picture.prospect = std::move(typed.prospect);
    picture.starts_reordering = !reordering_ && !waiting_.empty();
    reordering_ = reordering_ || !waiting_.empty();
    if (picture.type == PictureType::intra) {
        group_first_display_ = display_index - static_cast<std::int64_t>(waiting_.size());
        picture.opens_group = true;
        picture.closed_group = waiting_.empty();
    } else {
        picture.references = {last_anchor_};
    }
    const auto reference_number = [&](std::int64_t display) {
        return static_cast<int>((display - group_first_display_) % 1024);
    };
    picture.temporal_reference = reference_number(display_index);
    picture.group_first_display = group_first_display_;

    std::vector<PlannedPicture> ready{picture};
    for (Waiting& waiting : waiting_) {
        PlannedPicture between;
        between.source = between.original = std::move(waiting.picture.source);
        between.importance = known(waiting.picture.importance);
        between.prospect = std::move(waiting.picture.prospect);
        between.display_index = waiting.display_index;
        between.type = PictureType::bidirectional;
        between.temporal_reference = reference_number(waiting.display_index);
        between.group_first_display = group_first_display_;
        between.references = {last_anchor_, {display_index, source}};
        ready.push_back(std::move(between));
    }
    waiting_.clear();
    last_anchor_ = {display_index, source};
    return ready;
}

} // namespace tandem
