// SPDX-License-Identifier: BSD-2-Clause
#include "video/libav_handles.h"

extern "C" {
#include <libavutil/error.h>
#include <libavutil/log.h>
}

#include <array>
#include <cstdio>
#include <mutex>

namespace tandem {

namespace {

constexpr std::size_t longest_log = 2000;

thread_local std::string* collecting = nullptr;

void append(std::string& text, std::string message) {
    while (!message.empty() && (message.back() == '\n' || message.back() == '.' || message.back() == ' ')) {
        message.pop_back();
    }
    if (message.empty() || text.size() > longest_log) return;
    text += (text.empty() ? "" : "; ") + message;
}

/// libav calls this from any of its threads; the frames above it are C, so that nothing may be thrown through them.
void log_callback(void* context, int level, const char* format, va_list arguments) noexcept {
    if (collecting == nullptr) {
        av_log_default_callback(context, level, format, arguments);
        return;
    }
    if (level > AV_LOG_ERROR) return;
    std::array<char, 512> line{};
    if (std::vsnprintf(line.data(), line.size(), format, arguments) > 0) append(*collecting, line.data());
}

} // namespace

std::string libav_message(int error) {
    std::array<char, AV_ERROR_MAX_STRING_SIZE> text{};
    av_strerror(error, text.data(), text.size());
    return text.data();
}

LibavLogScope::LibavLogScope() {
    static std::once_flag once;
    std::call_once(once, [] {
        av_log_set_level(AV_LOG_ERROR);
        av_log_set_callback(log_callback);
    });
    collecting = &text_;
}

LibavLogScope::~LibavLogScope() { collecting = nullptr; }

std::string LibavLogScope::explain(int error) const {
    return libav_message(error) + (text_.empty() ? "" : " (" + text_ + ")");
}

} // namespace tandem
