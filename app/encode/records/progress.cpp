// SPDX-License-Identifier: BSD-2-Clause
#include "app/encode/records/progress.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "app/messages.h"

namespace tandem {

std::string time_text(double seconds) {
    const auto whole = static_cast<std::int64_t>(std::max(seconds, 0.0) + 0.5);
    return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

namespace {

std::string size_text(double bytes) {
    return bytes < 1e6 ? fmt::format("{:.0f} kB", bytes / 1e3) : fmt::format("{:.1f} MB", bytes / 1e6);
}

} // namespace

std::string progress_text(std::int64_t pictures, std::optional<std::int64_t> total, std::uint64_t bytes,
                          Rational frame_rate, double seconds) {
    const double speed = seconds > 0 ? static_cast<double>(pictures) / seconds : 0;
    const double kbps = static_cast<double>(bytes) * 8 / 1000 * frame_rate.value() / static_cast<double>(pictures);
    std::string line = total ? fmt::format("{}/{} frames", pictures, *total) : fmt::format("{} frames", pictures);
    line += fmt::format(", {:.1f} fps", speed);
    if (bytes > 0) line += fmt::format(", {:.0f} kbit/s", kbps);
    if (total && bytes > 0)
        line += fmt::format(", {} in the end", size_text(static_cast<double>(bytes) / static_cast<double>(pictures) *
                                                         static_cast<double>(*total)));
    if (total && speed > 0) line += fmt::format(", {} left", time_text(static_cast<double>(*total - pictures) / speed));
    return line;
}

Progress::Progress(bool shown, std::optional<std::int64_t> total, Rational frame_rate, std::string label)
    : shown_(shown), total_(total), frame_rate_(frame_rate), label_(std::move(label)) {}

Progress::~Progress() {
    if (shown_) clear_status();
}

void Progress::update(std::int64_t pictures, std::uint64_t bytes) {
    const Clock::time_point now = Clock::now();
    if (!shown_ || pictures == 0 || now < next_) return;
    next_ = now + std::chrono::milliseconds(200);
    const double seconds = std::chrono::duration<double>(now - start_).count();
    show_status(label_ + progress_text(pictures, total_, bytes, frame_rate_, seconds));
}

} // namespace tandem
