// SPDX-License-Identifier: BSD-2-Clause
// Where pictures come from: y4m and raw files, pipes, and whatever libavformat opens.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "video/frame.h"

namespace tandem {

/// A sequence of pictures in display order. Not thread-safe.
///
///     const std::unique_ptr<FrameSource> source = open_source("clip.y4m");
///     while (const std::unique_ptr<Frame> frame = source->read())
///         use(frame->luma().view());
class FrameSource {
  public:
    virtual ~FrameSource() = default;
    virtual const VideoFormat& format() const = 0;
    /// The next picture, or null at the end. Throws InputError for a broken or cut-off stream,
    /// RunError when reading fails. The frame has the format's size and no border.
    virtual std::unique_ptr<Frame> read() = 0;
    /// Pictures in the whole source, where that is known without reading it (for progress only).
    virtual std::optional<std::int64_t> frame_count() const { return std::nullopt; }
    /// What was done to the pictures that a user should know ("converted from yuv444p10le"); empty if nothing.
    /// It may grow while reading: a decoder's complaints that are no errors are added, so ask again at the end.
    virtual std::string conversion_note() const { return {}; }
};

struct SourceOptions {
    std::optional<std::pair<int, int>> input_res; ///< Width and height of raw pictures; else read from the name.
    std::optional<Rational> frame_rate;           ///< Overrides the source's own rate.
    /// What libavformat opens and has luma of 0 to 255 (gray, JPEG, RGB) keeps that, for measuring; else it becomes 16
    /// to 235, which MPEG streams mean.
    bool keep_full_range = false;
    /// Not owned, may be null. Once true, a source that waits for a pipe ends after the last whole picture.
    const std::atomic<bool>* stop = nullptr;
};

/// Opens "-" (standard input: y4m, or raw when input_res is given), .y4m, .yuv/.raw, or anything libavformat opens.
/// Throws InputError naming the file and the reason.
std::unique_ptr<FrameSource> open_source(const std::string& path, const SourceOptions& options = {});

} // namespace tandem
