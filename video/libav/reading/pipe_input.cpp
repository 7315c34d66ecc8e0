// SPDX-License-Identifier: BSD-2-Clause
#include "video/libav/reading/pipe_input.h"

#include <algorithm>
#include <new>
#include <utility>

#include "video/libav/libav_functions.h"

namespace tandem {

PipeInput::PipeInput(ByteReader reader) : reader_(std::move(reader)) {
    constexpr int buffer_size = 64 * 1024;
    auto* buffer = static_cast<unsigned char*>(libav().av_malloc(buffer_size));
    if (buffer == nullptr) throw std::bad_alloc();
    context_ = libav().avio_alloc_context(buffer, buffer_size, 0, this, &PipeInput::read_callback, nullptr, nullptr);
    if (context_ != nullptr) return;
    libav().av_free(buffer);
    throw std::bad_alloc();
}

PipeInput::~PipeInput() {
    libav().av_freep(&context_->buffer);
    libav().avio_context_free(&context_);
}

void PipeInput::rethrow() {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

int PipeInput::read_callback(void* self, std::uint8_t* to, int size) noexcept {
    auto& pipe = *static_cast<PipeInput*>(self);
    try {
        const std::size_t count = pipe.reader_.read_ready({to, static_cast<std::size_t>(size)});
        pipe.bytes_ += static_cast<std::int64_t>(count);
        return count == 0 ? AVERROR_EOF : static_cast<int>(count);
    } catch (...) {
        pipe.error_ = std::current_exception();
        return AVERROR(EIO);
    }
}

} // namespace tandem
