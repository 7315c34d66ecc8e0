// SPDX-License-Identifier: BSD-2-Clause
#include "video/libav/reading/picture_clock.h"

#include <string_view>

namespace tandem {

namespace {

double duration_of(const AVFrame& frame, AVRational time_base) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
    const std::int64_t duration = frame.duration;
#else
    const std::int64_t duration = frame.pkt_duration;
#endif
    return duration > 0 ? static_cast<double>(duration) * av_q2d(time_base) : 0;
}

} // namespace

PictureClock::PictureClock(const AVFormatContext& file, const AVStream& stream)
    : has_times_((file.iformat->flags & AVFMT_NOTIMESTAMPS) == 0 && std::string_view(file.iformat->name) != "image2"),
      may_leap_((file.iformat->flags & AVFMT_TS_DISCONT) != 0), stream_time_base_(stream.time_base) {}

std::optional<PictureTime> PictureClock::time_of(const AVFrame& frame, AVRational time_base) {
    if (!has_times_ || frame.pts == AV_NOPTS_VALUE) return std::nullopt;
    const double time = static_cast<double>(frame.pts) * av_q2d(time_base);
    // Filters that change the time base leave the duration as it was.
    const double duration = av_cmp_q(time_base, stream_time_base_) == 0 ? duration_of(frame, time_base) : 0;
    if (!beginning_) {
        beginning_ = time;
        last_duration_ = duration;
        return PictureTime{0, duration};
    }
    constexpr double longest = 10; // Seconds that a picture of a broadcast may stay.
    double since = time - *beginning_ - leaps_;
    if (may_leap_ && (since - last_ > longest || since < last_ - longest)) {
        const double wanted = last_ + last_duration_;
        leaps_ += since - wanted;
        since = wanted;
    }
    last_ = since;
    last_duration_ = duration;
    return PictureTime{since, duration};
}

} // namespace tandem
