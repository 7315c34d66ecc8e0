// SPDX-License-Identifier: BSD-2-Clause
// Invariants: the reading thread alone touches the source; everything else of State is guarded by its one mutex.
// State is shared with the thread, because a thread that hangs in the system outlives the FrameReader.
#include "app/frame_reader.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <numeric>

#include <fmt/format.h>

#include "app/interrupt.h"
#include "files/file_name.h"
#include "machine/errors.h"
#include "machine/threads.h"

namespace tandem {
namespace {

constexpr std::size_t pictures_ahead = 16;
constexpr std::chrono::milliseconds flag_period{20};
constexpr std::chrono::seconds patience{1};

VideoFormat declared_format(VideoFormat format, const DeclaredFormat& declared) {
    if (declared.sample_aspect) format.sample_aspect = *declared.sample_aspect;
    if (declared.display_aspect) {
        const auto [wide, high] = *declared.display_aspect;
        const std::int64_t width = wide * format.height, height = high * format.width;
        const std::int64_t divisor = std::gcd(width, height);
        format.sample_aspect = {width / divisor, height / divisor};
    }
    if (declared.primaries) format.colour.primaries = *declared.primaries;
    if (declared.transfer) format.colour.transfer = *declared.transfer;
    if (declared.matrix) format.colour.matrix = *declared.matrix;
    return format;
}

} // namespace

struct FrameReader::State {
    std::string path;
    SourceOptions options;
    PartOfClip part;
    DeclaredFormat declared;
    std::int64_t skipped = 0;         ///< Of the part, in pictures; known when the source is open.
    std::optional<std::int64_t> most; ///< The same.

    std::mutex mutex;
    std::condition_variable changed;
    std::deque<std::unique_ptr<Frame>> frames;
    std::optional<VideoFormat> format;
    std::optional<std::int64_t> count;
    std::string note, shortfall;
    std::optional<double> beginning; ///< Of the source.
    std::exception_ptr failure;
    bool ended = false; ///< The thread puts nothing more in.
    bool stop = false;  ///< Nobody wants more.

    void run();
    void read_all();
    void count_pictures(double rate);
    void skip(FrameSource& source) const;
    [[noreturn]] void refuse_end(std::int64_t pictures) const;
    bool put(std::unique_ptr<Frame> frame);
};

void FrameReader::State::run() {
    std::exception_ptr error;
    try {
        read_all();
    } catch (...) {
        // After an interrupt a stream may be cut anywhere: what came whole is what there is.
        if (!interrupted()) error = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    failure = error;
    ended = true;
    changed.notify_all();
}

void FrameReader::State::read_all() {
    const auto source = open_source(path, options);
    count_pictures(source->format().frame_rate.value());
    skip(*source);
    {
        const std::lock_guard lock(mutex);
        format = declared_format(source->format(), declared);
        beginning = source->beginning();
        note = source->conversion_note();
        count = source->frame_count();
        if (count) count = std::max<std::int64_t>(0, *count - skipped);
        if (count && most) count = std::min(*count, *most);
    }
    for (std::int64_t i = 0; !most || i < *most; ++i) {
        auto frame = source->read();
        if (!frame && i == 0 && !interrupted()) refuse_end(skipped);
        if (!frame || !put(std::move(frame))) break;
    }
    const std::lock_guard lock(mutex);
    note = source->conversion_note();
    shortfall = source->shortfall();
}

/// Times become pictures.
void FrameReader::State::count_pictures(double rate) {
    skipped = part.skipped + std::llround(part.skipped_seconds * rate);
    most = part.most;
    if (!part.most_seconds) return;
    const std::int64_t pictures = std::max<std::int64_t>(1, std::llround(*part.most_seconds * rate));
    most = std::min(most.value_or(pictures), pictures);
}

void FrameReader::State::skip(FrameSource& source) const {
    for (std::int64_t i = 0; i < skipped && !interrupted(); ++i) {
        if (source.read()) continue;
        if (!interrupted()) refuse_end(i);
    }
}

/// The source ended where a picture is wanted.
void FrameReader::State::refuse_end(std::int64_t pictures) const {
    if (skipped == 0) throw InputError(fmt::format("{}: there is no picture", input_name(path)));
    throw InputError(
        fmt::format("--seek {}: {} has only {} picture{}",
                    part.skipped_seconds > 0 ? fmt::format("{} s", part.skipped_seconds) : fmt::format("{}", skipped),
                    input_name(path), pictures, pictures == 1 ? "" : "s"));
}

/// False when the reader is no longer wanted.
bool FrameReader::State::put(std::unique_ptr<Frame> frame) {
    std::unique_lock lock(mutex);
    while (frames.size() >= pictures_ahead && !stop && !interrupted())
        changed.wait_for(lock, flag_period);
    if (stop || interrupted()) return false;
    frames.push_back(std::move(frame));
    changed.notify_all();
    return true;
}

FrameReader::FrameReader(const std::string& path, const SourceOptions& options, std::int64_t skipped,
                         std::optional<std::int64_t> most)
    : FrameReader(path, options, PartOfClip{skipped, 0, most, {}}, {}) {}

FrameReader::FrameReader(const std::string& path, const SourceOptions& options, const PartOfClip& part,
                         const DeclaredFormat& declared)
    : state_(std::make_shared<State>()) {
    state_->path = path;
    state_->options = options;
    state_->options.stop = &interrupt_flag();
    state_->part = part;
    state_->declared = declared;
    thread_ = start_thread("the thread that reads", [state = state_] { state->run(); });
}

FrameReader::~FrameReader() {
    {
        std::unique_lock lock(state_->mutex);
        state_->stop = true;
        state_->changed.notify_all();
        state_->changed.wait_for(lock, patience, [this] { return state_->ended; });
        if (!state_->ended) {
            thread_.detach();
            return;
        }
    }
    thread_.join();
}

bool FrameReader::start() {
    std::unique_lock lock(state_->mutex);
    while (state_->frames.empty() && !state_->ended && !interrupted())
        state_->changed.wait_for(lock, flag_period);
    if (state_->frames.empty() && state_->failure) std::rethrow_exception(state_->failure);
    return !state_->frames.empty();
}

const VideoFormat& FrameReader::format() const { return *state_->format; }
std::optional<std::int64_t> FrameReader::frame_count() const { return state_->count; }
std::optional<double> FrameReader::beginning() const {
    const std::lock_guard lock(state_->mutex);
    if (!state_->beginning) return std::nullopt;
    return *state_->beginning + static_cast<double>(state_->skipped) / state_->format->frame_rate.value();
}
std::string FrameReader::shortfall() const {
    const std::lock_guard lock(state_->mutex);
    return state_->shortfall;
}
std::string FrameReader::conversion_note() const {
    const std::lock_guard lock(state_->mutex);
    return state_->note;
}

std::unique_ptr<Frame> FrameReader::read() {
    std::unique_lock lock(state_->mutex);
    while (state_->frames.empty() && !state_->ended && !interrupted())
        state_->changed.wait_for(lock, flag_period);
    // An interrupt is to end the stream soon: what is read already is dropped.
    if (interrupted() || state_->frames.empty()) {
        if (state_->failure && !interrupted()) std::rethrow_exception(state_->failure);
        return nullptr;
    }
    auto frame = std::move(state_->frames.front());
    state_->frames.pop_front();
    state_->changed.notify_all();
    return frame;
}

std::string late_part(const std::string& at_first, const std::string& at_the_end) {
    if (at_the_end == at_first) return {};
    if (at_first.empty() || !at_the_end.starts_with(at_first)) return at_the_end;
    return at_the_end.substr(at_the_end.find_first_not_of("; ", at_first.size()));
}

} // namespace tandem
