// SPDX-License-Identifier: BSD-2-Clause
#include "app/motion/picture_pairs.h"

#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "app/interrupt.h"
#include "files/file_name.h"
#include "machine/errors.h"

namespace tandem {

PicturePairs::PicturePairs(const MotionOptions& options) : options_(options) {
    open_first(options.source);
    if (!options.second.empty()) open_second(options.source);
}

void PicturePairs::open_first(const SourceOptions& source) {
    first_.emplace(options_.input, source, options_.seek,
                   options_.second.empty() ? options_.frames : std::optional<std::int64_t>(1));
}

void PicturePairs::open_second(const SourceOptions& source) { second_.emplace(options_.second, source, 0, 1); }

/// Where one of two files has luma of 16 to 235, that of the other is made so, if it can be (a pipe has been read).
/// False when an interrupt came.
bool PicturePairs::have_one_range() {
    const bool first_is_full = first_->format().full_range;
    if (first_is_full == second_->format().full_range) return true;
    std::error_code none;
    if (!std::filesystem::is_regular_file(first_is_full ? options_.input : options_.second, none)) return true;
    SourceOptions limited = options_.source;
    limited.keep_full_range = false;
    if (first_is_full)
        open_first(limited);
    else
        open_second(limited);
    return first_->start() && second_->start();
}

bool PicturePairs::start() {
    if (!first_->start()) return false;
    if (!second_) return true;
    if (!second_->start() || !have_one_range()) return false;
    const VideoFormat &a = first_->format(), &b = second_->format();
    if (a.width == b.width && a.height == b.height) return true;
    throw InputError(fmt::format("{} has {}x{} pels, {} has {}x{}: both must have the same size",
                                 input_name(options_.input), a.width, a.height, input_name(options_.second), b.width,
                                 b.height));
}

std::optional<std::int64_t> PicturePairs::count() const {
    if (second_) return 1;
    const auto pictures = first_->frame_count();
    return pictures ? std::optional(*pictures - options_.step) : std::nullopt;
}

std::string PicturePairs::conversion_note() const {
    const auto said = [](const std::string& path, const std::string& note) {
        return note.empty() ? "" : input_name(path) + ": " + note;
    };
    std::string note = said(options_.input, first_->conversion_note());
    if (!second_) return note;
    const auto add = [&note](const std::string& more) { note += (note.empty() || more.empty() ? "" : "; ") + more; };
    add(said(options_.second, second_->conversion_note()));
    if (first_->format().full_range != second_->format().full_range)
        add("the luma of one is 0 to 255, not of the other");
    return note;
}

std::string PicturePairs::shortfall() const {
    const std::string missing = first_->shortfall();
    return missing.empty() ? "" : input_name(options_.input) + ": " + missing;
}

std::optional<PicturePair> PicturePairs::next() { return second_ ? pair_of_files() : next_of_clip(); }

std::optional<PicturePair> PicturePairs::next_of_clip() {
    for (;;) {
        FramePtr picture = first_->read();
        if (!picture) {
            if (pictures_ <= options_.step && !interrupted()) {
                throw InputError(fmt::format("{}: a pair of pictures {} apart needs {} pictures, here {} {}",
                                             input_name(options_.input), options_.step, options_.step + 1,
                                             pictures_ == 1 ? "is" : "are", pictures_));
            }
            return std::nullopt;
        }
        const std::int64_t number = options_.seek + pictures_++;
        past_.push_back(std::move(picture));
        if (pictures_ <= options_.step) continue;
        PicturePair pair{number, number - options_.step, past_.back(), past_.front()};
        past_.pop_front();
        return pair;
    }
}

std::optional<PicturePair> PicturePairs::pair_of_files() {
    if (std::exchange(done_, true)) return std::nullopt;
    FramePtr reference = first_->read(), current = second_->read();
    if (!reference || !current) return std::nullopt;
    return PicturePair{1, 0, std::move(current), std::move(reference)};
}

} // namespace tandem
