// SPDX-License-Identifier: BSD-2-Clause
#include "app/motion/field_drawing.h"

namespace tandem {

FieldDrawing::FieldDrawing(const std::string& path, const VideoFormat& format, const FieldGeometry& geometry,
                           double longest, Workers& workers)
    : painter_(geometry, longest), workers_(workers) {
    VideoFormat drawn = format;
    drawn.width = painter_.width();
    drawn.height = painter_.height();
    sink_ = open_canvas_sink(path, drawn, workers.threads());
}

void FieldDrawing::draw(FramePtr picture, const std::string& title, std::int64_t number, const MotionField& field,
                        const MotionField* other) {
    if (!sink_->wants()) return;
    painter_.fit(field);
    waiting_.push_back({std::move(picture), title, number, field, std::nullopt});
    if (other != nullptr) waiting_.back().other = *other;
    if (std::ssize(waiting_) >= workers_.threads()) paint_those_that_wait();
}

void FieldDrawing::finish() {
    paint_those_that_wait();
    sink_->finish();
}

void FieldDrawing::paint_those_that_wait() {
    std::vector<DrawnPicture> drawn(waiting_.size());
    workers_.for_each(static_cast<int>(drawn.size()), [&](int item, int) {
        const auto at = static_cast<std::size_t>(item);
        const Waiting& one = waiting_[at];
        drawn[at] =
            sink_->made_of(painter_.painted(*one.picture, one.title, one.field, one.other ? &*one.other : nullptr));
    });
    for (std::size_t i = 0; i < drawn.size(); ++i)
        sink_->write(std::move(drawn[i]), waiting_[i].number);
    waiting_.clear();
}

} // namespace tandem
