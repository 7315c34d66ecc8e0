// SPDX-License-Identifier: BSD-2-Clause
// One lock, standard error's: spdlog's sink holds its own lock first, then this one.
#include "app/messages.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string_view>

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>

#include "files/atomic_file.h"

namespace tandem {
namespace {

std::mutex screen_mutex;
bool status_is_shown = false;

void erase_status_line() {
    if (!status_is_shown) return;
    std::fputs("\r\x1b[K", stderr);
    status_is_shown = false;
}

/// What fits a line of the terminal: one that wraps could not be taken back.
std::string_view fitting(std::string_view line) {
    winsize size{};
    if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || line.size() < size.ws_col) return line;
    std::size_t end = size.ws_col - 1u;
    const auto is_inside_letter = [&] { return (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80; }; // Of UTF-8.
    while (end > 0 && is_inside_letter())
        --end;
    return line.substr(0, end);
}

/// Where the last line's end begins: the one that is no part of the message.
std::size_t message_end(const spdlog::memory_buf_t& line) {
    return line.size() > 0 && line[line.size() - 1] == '\n' ? line.size() - 1 : line.size();
}

class StandardErrorSink final : public spdlog::sinks::base_sink<std::mutex> {
  protected:
    void sink_it_(const spdlog::details::log_msg& message) override {
        spdlog::memory_buf_t line;
        formatter_->format(message, line);
        const bool is_listing = message.level < spdlog::level::info; // Of settings, in several lines.
        // A name of a file may hold what a terminal would obey.
        std::replace_if(
            line.begin(), line.begin() + static_cast<std::ptrdiff_t>(message_end(line)),
            [is_listing](unsigned char c) { return (c < ' ' && c != '\t' && !(is_listing && c == '\n')) || c == 127; },
            '?');
        const std::lock_guard lock(screen_mutex);
        erase_status_line();
        // Nowhere is left to say that standard error cannot be written.
        std::fwrite(line.data(), 1, line.size(), stderr);
        std::fflush(stderr);
    }
    void flush_() override {}
};

} // namespace

void set_up_messages(Verbosity verbosity) {
    auto logger = std::make_shared<spdlog::logger>("tandem", std::make_shared<StandardErrorSink>());
    logger->set_pattern("%n: %v");
    logger->set_level(verbosity == Verbosity::quiet     ? spdlog::level::err
                      : verbosity == Verbosity::verbose ? spdlog::level::debug
                                                        : spdlog::level::info);
    spdlog::set_default_logger(std::move(logger));
}

bool terminal_shows_status() { return ::isatty(STDERR_FILENO) == 1; }

void show_status(const std::string& line) {
    const std::lock_guard lock(screen_mutex);
    const std::string_view shown = fitting(line);
    std::fprintf(stderr, "\r%.*s\x1b[K", static_cast<int>(shown.size()), shown.data());
    std::fflush(stderr);
    status_is_shown = true;
}

void clear_status() {
    const std::lock_guard lock(screen_mutex);
    erase_status_line();
    std::fflush(stderr);
}

void print(const std::string& text) {
    try {
        AtomicFile output("-");
        output.write(text);
        output.finish();
    } catch (const ReaderGone&) {
        throw EnoughPrinted();
    }
}

} // namespace tandem
