// SPDX-License-Identifier: BSD-2-Clause
// Lets libavformat read what cannot be opened by a name: standard input and other pipes.
#pragma once

#include <cstdint>
#include <exception>

#include "files/byte_reader.h"
#include "video/libav/libav_handles.h"

namespace tandem {

/// An input of libavformat's from a ByteReader, from its beginning to its end without going back.
class PipeInput {
  public:
    explicit PipeInput(ByteReader reader);
    ~PipeInput();
    PipeInput(const PipeInput&) = delete;
    PipeInput& operator=(const PipeInput&) = delete;

    AVIOContext* context() { return context_; }
    std::int64_t bytes_read() const { return bytes_; } ///< So far, of what libavformat asked for.
    /// Throws what reading threw: libav is C, through which no exception can go.
    void rethrow();

  private:
    static int read_callback(void* self, std::uint8_t* to, int size) noexcept;

    ByteReader reader_;
    AVIOContext* context_ = nullptr;
    std::int64_t bytes_ = 0;
    std::exception_ptr error_;
};

} // namespace tandem
