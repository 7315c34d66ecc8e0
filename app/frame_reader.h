// SPDX-License-Identifier: BSD-2-Clause
// Reads a source on a thread of its own, some pictures ahead.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "video/source.h"

namespace tandem {

/// Opening and reading may block for ever (a pipe that nobody writes to), so they happen on a thread, and the caller's
/// waits end at an interrupt too. One caller.
class FrameReader {
  public:
    /// Leaves out the first `skipped` pictures; reads at most `most` after them.
    FrameReader(const std::string& path, const SourceOptions& options, std::int64_t skipped,
                std::optional<std::int64_t> most);
    /// Joins the thread, unless it hangs in the system.
    ~FrameReader();
    FrameReader(const FrameReader&) = delete;
    FrameReader& operator=(const FrameReader&) = delete;

    /// Waits for the first picture. False when an interrupt or the end came before it. Throws what the source throws,
    /// and InputError when the source has no pictures or fewer than are left out.
    bool start();
    // After start() was true:
    const VideoFormat& format() const;
    std::optional<std::int64_t> frame_count() const; ///< What read() will give, where known.
    /// Of what is read so far: it may have grown when read() says that the end is reached.
    std::string conversion_note() const;

    /// The next picture; null at the end and after an interrupt.
    std::unique_ptr<Frame> read();

  private:
    struct State;
    std::shared_ptr<State> state_;
    std::thread thread_;
};

/// What a conversion note says at the end that it did not say at the beginning.
std::string late_part(const std::string& at_first, const std::string& at_the_end);

} // namespace tandem
