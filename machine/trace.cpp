// SPDX-License-Identifier: BSD-2-Clause
// The trace event format: docs.google.com "Trace Event Format", sections "Complete Events" and "Metadata Events".
#include "machine/trace.h"

#include <algorithm>
#include <new>
#include <utility>

namespace tandem {

namespace {

/// A JSON string (RFC 8259 clause 7). Bytes beyond ASCII pass as they are where they are UTF-8; our names are ASCII.
std::string quoted(const std::string& text) {
    constexpr char digits[] = "0123456789abcdef";
    std::string out = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += {'\\', c};
        } else if (byte < 0x20 || byte == 0x7F) {
            out += {'\\', 'u', '0', '0', digits[byte >> 4], digits[byte & 15]};
        } else {
            out += c;
        }
    }
    return out + "\"";
}

} // namespace

void Trace::add(std::string_view name, std::string_view thread, std::int64_t picture, Clock::time_point begin,
                Clock::time_point end) noexcept try {
    const auto microseconds = [this](Clock::time_point time) {
        return static_cast<std::int64_t>(std::chrono::duration_cast<std::chrono::microseconds>(time - start_).count());
    };
    Span span{std::string(name), std::string(thread), picture, microseconds(begin), microseconds(end)};
    const std::lock_guard lock(mutex_);
    spans_.push_back(std::move(span));
} catch (const std::bad_alloc&) {
}

std::vector<Trace::Span> Trace::spans() const {
    const std::lock_guard lock(mutex_);
    return spans_;
}

std::string Trace::take() {
    std::vector<Span> recorded;
    {
        const std::lock_guard lock(mutex_);
        recorded.swap(spans_);
    }
    std::string part = began_ ? "" : R"({"displayTimeUnit":"ms","traceEvents":[)";
    began_ = true;
    const auto begin_event = [&] { part += std::exchange(has_events_, true) ? ",\n" : "\n"; };
    const auto number_of = [&](const std::string& thread) {
        const auto found = std::find(threads_.begin(), threads_.end(), thread);
        const auto number = static_cast<std::size_t>(found - threads_.begin());
        if (found == threads_.end()) {
            threads_.push_back(thread);
            begin_event();
            part += R"({"ph":"M","name":"thread_name","pid":1,"tid":)" + std::to_string(number) +
                    R"(,"args":{"name":)" + quoted(thread) + "}}";
        }
        return std::to_string(number);
    };
    for (const Span& span : recorded) {
        const std::string tid = number_of(span.thread);
        begin_event();
        part += R"({"ph":"X","name":)" + quoted(span.name) + R"(,"cat":"tandem","pid":1,"tid":)" + tid + R"(,"ts":)" +
                std::to_string(span.begin_us) + R"(,"dur":)" + std::to_string(span.end_us - span.begin_us) +
                R"(,"args":{"picture":)" + std::to_string(span.picture) + "}}";
    }
    return part;
}

std::string Trace::end() { return take() + "\n]}\n"; }

} // namespace tandem
