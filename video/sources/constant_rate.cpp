// SPDX-License-Identifier: BSD-2-Clause
// Pictures that come at another rate, or at uneven times, made to come at a constant one, as FFmpeg's "-vsync cfr"
// does: a picture is repeated until the next one's time, and left out where its place is taken.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include "video/sources/source_kinds.h"

namespace tandem {

namespace {

std::unique_ptr<Frame> copy_of(const Frame& frame) {
    auto copy = std::make_unique<Frame>(frame.width(), frame.height());
    for (int i = 0; i < 3; ++i) {
        const PlaneView from = frame.plane(i).view();
        const MutablePlaneView to = copy->plane(i).view();
        for (int y = 0; y < from.height; ++y)
            std::memcpy(to.row(y), from.row(y), static_cast<std::size_t>(from.width));
    }
    return copy;
}

std::string counted(std::int64_t count, const char* what) {
    return std::to_string(count) + (count == 1 ? " is " : " are ") + what;
}

class ConstantRateSource final : public FrameSource {
  public:
    ConstantRateSource(std::unique_ptr<FrameSource> source, Rational rate)
        : source_(std::move(source)), format_(source_->format()), own_rate_(format_.frame_rate),
          tolerance_(rate.value() == own_rate_.value() ? 0.75 : 0.499999) {
        format_.frame_rate = rate;
    }

    const VideoFormat& format() const override { return format_; }

    std::unique_ptr<Frame> read() override {
        if (times_ == 0 && !take_next()) return nullptr;
        if (--times_ > 0) return copy_of(*picture_);
        return std::move(picture_);
    }

    std::optional<double> beginning() const override { return source_->beginning(); }
    std::string shortfall() const override { return source_->shortfall(); }

    std::optional<std::int64_t> frame_count() const override {
        const auto count = source_->frame_count();
        if (!count) return std::nullopt;
        return std::llround(static_cast<double>(*count) * format_.frame_rate.value() / own_rate_.value());
    }

    std::string conversion_note() const override {
        std::string note = source_->conversion_note();
        if (repeated_ == 0 && left_out_ == 0) return note;
        if (!note.empty()) note += "; ";
        const Rational rate = format_.frame_rate;
        return note + "of its " + std::to_string(read_) + " pictures " + counted(repeated_, "repeated and ") +
               std::to_string(left_out_) + " left out, to come at " + std::to_string(rate.numerator) +
               (rate.denominator == 1 ? "" : "/" + std::to_string(rate.denominator)) + " a second evenly";
    }

  private:
    /// Puts the picture that is to be shown next into picture_, with how often. False at the end.
    bool take_next() {
        if (!next_ && !fetch()) return false;
        picture_ = std::move(next_);
        const PictureTime shown = next_time_;
        std::int64_t end = place_ + 1; // The place of the picture after it.
        while (fetch()) {
            const double wanted = next_time_.begin * format_.frame_rate.value();
            if (wanted < static_cast<double>(end) - tolerance_) {
                ++left_out_;
                next_.reset();
                continue;
            }
            if (wanted > static_cast<double>(end) + tolerance_) end = std::llround(wanted);
            break;
        }
        if (!next_ && shown.duration > 0) {
            const double ending = (shown.begin + shown.duration) * format_.frame_rate.value();
            if (ending > static_cast<double>(end) + tolerance_) end = std::llround(ending);
        }
        times_ = end - place_;
        repeated_ += times_ - 1;
        place_ = end;
        return true;
    }

    /// The source's next picture and its time.
    bool fetch() {
        if (ended_) return false;
        next_ = source_->read();
        ended_ = !next_;
        if (ended_) return false;
        const double period = 1 / own_rate_.value();
        next_time_ = source_->last_time().value_or(PictureTime{static_cast<double>(read_) * period, period});
        ++read_;
        return true;
    }

    std::unique_ptr<FrameSource> source_;
    VideoFormat format_;
    Rational own_rate_;
    /// Places by which a picture may be away from its time before others are repeated or left out: where the rate
    /// stays, more than half a place, so that rounded time stamps change nothing.
    double tolerance_;
    std::unique_ptr<Frame> picture_, next_; ///< The one being given, and the one read ahead of it.
    PictureTime next_time_;
    std::int64_t times_ = 0; ///< How often picture_ is still to be given.
    std::int64_t place_ = 0; ///< Of the picture that is read after picture_, from 0.
    std::int64_t read_ = 0, repeated_ = 0, left_out_ = 0;
    bool ended_ = false;
};

} // namespace

std::unique_ptr<FrameSource> at_constant_rate(std::unique_ptr<FrameSource> source, Rational rate) {
    return std::make_unique<ConstantRateSource>(std::move(source), rate);
}

} // namespace tandem
