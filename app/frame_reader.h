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

/// Which pictures of a clip are taken. Seconds are counted from its first picture, at the format's rate.
struct PartOfClip {
    std::int64_t skipped = 0; ///< Pictures before the first one.
    double skipped_seconds = 0;
    std::optional<std::int64_t> most; ///< Pictures; nothing: all.
    std::optional<double> most_seconds;
    bool is_whole() const { return skipped == 0 && skipped_seconds == 0 && !most && !most_seconds; }
};

/// What the user says of a clip, whatever it says itself.
struct DeclaredFormat {
    std::optional<Rational> sample_aspect, display_aspect;
    std::optional<int> primaries, transfer, matrix; ///< As ColourDescription has them.
};

/// Opening and reading may block for ever (a pipe that nobody writes to), so they happen on a thread, and the caller's
/// waits end at an interrupt too. One caller.
class FrameReader {
  public:
    /// Leaves out the first `skipped` pictures; reads at most `most` after them.
    FrameReader(const std::string& path, const SourceOptions& options, std::int64_t skipped,
                std::optional<std::int64_t> most);
    FrameReader(const std::string& path, const SourceOptions& options, const PartOfClip& part,
                const DeclaredFormat& declared);
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
    /// Time of the first picture that read() gives, in seconds as the file counts them, where it does.
    std::optional<double> beginning() const;
    /// At the end: what the source promised and did not have; empty: nothing.
    std::string shortfall() const;
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
