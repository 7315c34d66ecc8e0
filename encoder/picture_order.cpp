// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/picture_order.h"

#include <utility>

namespace tandem {

std::vector<PlannedPicture> PictureOrder::push(FramePtr source) {
    const std::int64_t display = next_display_++;
    const auto position = static_cast<int>(display % keyint_);
    if (position == 0) return anchor(PictureType::intra, std::move(source), display);
    const bool ends_closed_group = closed_ && position == keyint_ - 1;
    if (position % (bframes_ + 1) == 0 || ends_closed_group) {
        return anchor(PictureType::predicted, std::move(source), display);
    }
    waiting_.push_back({std::move(source), display});
    return {};
}

std::vector<PlannedPicture> PictureOrder::finish() {
    if (waiting_.empty()) return {};
    const Waiting last = std::move(waiting_.back());
    waiting_.pop_back();
    return anchor(PictureType::predicted, last.source, last.display_index);
}

std::vector<PlannedPicture> PictureOrder::anchor(PictureType type, FramePtr source, std::int64_t display_index) {
    PlannedPicture picture;
    picture.source = source;
    picture.display_index = display_index;
    picture.type = type;
    picture.starts_reordering = !reordering_ && !waiting_.empty();
    reordering_ = reordering_ || !waiting_.empty();
    if (type == PictureType::intra) {
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
        between.source = std::move(waiting.source);
        between.display_index = waiting.display_index;
        between.type = PictureType::bidirectional;
        between.temporal_reference = reference_number(waiting.display_index);
        between.group_first_display = group_first_display_;
        between.references = {last_anchor_, {display_index, source}};
        ready.push_back(std::move(between));
    }
    waiting_.clear();
    last_anchor_ = {display_index, std::move(source)};
    return ready;
}

} // namespace tandem
