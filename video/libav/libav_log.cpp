// SPDX-License-Identifier: BSD-2-Clause
// Lock order: the registry's mutex before a LibavDecoderLog's.
#include "video/libav/libav_log.h"

extern "C" {
#include <libavutil/log.h>
}

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>

#include "video/libav/libav_functions.h"

#if defined(__SANITIZE_THREAD__)
/// Debian's libav is not instrumented, so ThreadSanitizer does not see how its threads keep apart, and reports races
/// between its own calls of memset and free. What it sees of our side is not suppressed. (A hook of the sanitizer.)
extern "C" const char* __tsan_default_suppressions();
extern "C" const char* __tsan_default_suppressions() {
    return "race:libavcodec.so\nrace:libavformat.so\nrace:libavutil.so\nrace:libswscale.so\n";
}
#endif

namespace tandem {

namespace {

thread_local LibavLogScope* collecting = nullptr;

/// The LibavDecoderLogs alive; another user of libav in this process may have its own ideas of `opaque`.
struct Registry {
    std::mutex mutex;
    std::set<const void*> logs;
};

Registry& registry() {
    static Registry instance;
    return instance;
}

std::string trimmed(std::string message) {
    while (!message.empty() && (message.back() == '\n' || message.back() == '.' || message.back() == ' ')) {
        message.pop_back();
    }
    for (char& c : message) {
        if (c == '\n' || c == '\r') c = ' ';
    }
    return message;
}

bool is_demuxer(void* context) {
    return context != nullptr && *static_cast<const AVClass**>(context) == libav().avformat_get_class();
}

/// Gives the message to the decoder's log if the context is a decoder of ours.
bool give_to_decoder_log(void* context, const std::string& message) {
    if (context == nullptr || *static_cast<const AVClass**>(context) != libav().avcodec_get_class()) return false;
    void* opaque = static_cast<AVCodecContext*>(context)->opaque;
    Registry& known = registry();
    const std::lock_guard lock(known.mutex);
    if (!known.logs.contains(opaque)) return false;
    static_cast<LibavDecoderLog*>(opaque)->add(message);
    return true;
}

/// libav calls this from any of its threads; its callers are C, so that nothing may be thrown through them.
void log_callback(void* context, int level, const char* format, va_list arguments) noexcept {
    if (level > AV_LOG_ERROR) {
        if (collecting == nullptr) libav().av_log_default_callback(context, level, format, arguments);
        return;
    }
    std::array<char, 512> line{};
    va_list copy;
    va_copy(copy, arguments);
    const int length = std::vsnprintf(line.data(), line.size(), format, copy);
    va_end(copy);
    const std::string message = length > 0 ? trimmed(line.data()) : "";
    if (give_to_decoder_log(context, message)) return;
    if (collecting != nullptr) {
        collecting->add(message, is_demuxer(context));
    } else {
        libav().av_log_default_callback(context, level, format, arguments);
    }
}

void install_callback() {
    static std::once_flag once;
    std::call_once(once, [] {
        libav().av_log_set_level(AV_LOG_ERROR);
        libav().av_log_set_callback(log_callback);
    });
}

} // namespace

std::string libav_message(int error) {
    std::array<char, AV_ERROR_MAX_STRING_SIZE> text{};
    libav().av_strerror(error, text.data(), text.size());
    return text.data();
}

LibavLogScope::LibavLogScope() : outer_(collecting) {
    install_callback();
    collecting = this;
}

LibavLogScope::~LibavLogScope() { collecting = outer_; }

void LibavLogScope::add(const std::string& message, bool by_demuxer) {
    constexpr std::size_t most_kept = 20;
    if (message.empty()) return;
    const auto same = [&](const Said& said) { return said.message == message; };
    const auto known = std::find_if(said_.begin(), said_.end(), same);
    if (known != said_.end())
        ++known->times;
    else if (said_.size() < most_kept)
        said_.push_back({message, by_demuxer, 1});
}

std::string LibavLogScope::joined(bool demuxer_alone) const {
    std::string text;
    for (const Said& said : said_) {
        if (demuxer_alone && !said.by_demuxer) continue;
        text += (text.empty() ? "" : "; ") + said.message;
        if (said.times > 1) text += " (" + std::to_string(said.times) + " times)";
    }
    return text;
}

std::string LibavLogScope::explain(int error) const {
    return libav_message(error) + (said_.empty() ? "" : " (" + text() + ")");
}

LibavDecoderLog::LibavDecoderLog() {
    install_callback();
    const std::lock_guard lock(registry().mutex);
    registry().logs.insert(this);
}

LibavDecoderLog::~LibavDecoderLog() {
    const std::lock_guard lock(registry().mutex);
    registry().logs.erase(this);
}

void LibavDecoderLog::add(const std::string& message) {
    const std::lock_guard lock(mutex_);
    if (messages_++ == 0) first_ = message;
    last_ = message;
}

int LibavDecoderLog::messages() const {
    const std::lock_guard lock(mutex_);
    return messages_;
}

std::string LibavDecoderLog::first() const {
    const std::lock_guard lock(mutex_);
    return first_;
}

std::string LibavDecoderLog::last() const {
    const std::lock_guard lock(mutex_);
    return last_;
}

} // namespace tandem
