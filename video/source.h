// SPDX-License-Identifier: BSD-2-Clause
// Where pictures come from: y4m and raw files, pipes, and whatever libavformat opens.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "video/frame.h"

namespace tandem {

/// When a picture is shown: seconds since the first one.
struct PictureTime {
    double begin = 0;
    double duration = 0; ///< 0: unknown.
};

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
    /// When the picture that read() gave last is shown; nothing where pictures come at the format's rate.
    virtual std::optional<PictureTime> last_time() const { return std::nullopt; }
    /// The first picture's time as the file counts its streams' times, in seconds; nothing where it has none.
    virtual std::optional<double> beginning() const { return std::nullopt; }
    /// At the end: what the source promised and did not have, although no damage is seen; empty: nothing.
    virtual std::string shortfall() const { return {}; }
};

/// What becomes of pictures of two fields.
enum class Interlaced {
    deinterlaced, ///< By a filter of libavfilter where this build has it.
    kept          ///< Lines stay as they are; the picture is taken as progressive.
};

struct SourceOptions {
    std::optional<std::pair<int, int>> input_res; ///< Width and height of raw pictures; else read from the name.
    std::optional<Rational> frame_rate;           ///< Overrides the source's own rate, and its pictures' own times.
    /// Pictures are repeated and left out so that there are so many a second.
    std::optional<Rational> resampled_rate;
    /// Where a source's own rate may not be coded: the rate that it is resampled to, or the rate itself. Null: all may.
    /// The second argument says whether the file shows its pictures at times of their own, as containers do.
    std::function<Rational(Rational, bool)> codable_rate;
    /// Pictures that a source shows at uneven times are repeated and left out so that they come at the format's rate;
    /// else each comes once.
    bool even = false;
    std::string filters; ///< FFmpeg's notation of a chain ("scale=640:-2,crop=..."); empty: none.
    Interlaced interlaced = Interlaced::kept;
    bool turned = false; ///< Pictures that a file asks players to turn are turned (by libavfilter, where it is there).
    bool rest_is_copied = false; ///< Somebody copies sound and rotation, so that no note says that they are left out.
    /// What libavformat opens and has luma of 0 to 255 (gray, JPEG, RGB) keeps that, for measuring; else it becomes 16
    /// to 235, which MPEG streams mean.
    bool keep_full_range = false;
    /// Said by the user, whatever the input says: luma is 0 to 255 (true) or 16 to 235, and stays so. RGB becomes that.
    std::optional<bool> full_range;
    /// Not owned, may be null. Once true, a source that waits for a pipe ends after the last whole picture.
    const std::atomic<bool>* stop = nullptr;
};

/// Opens "-" (standard input: y4m, or raw when input_res is given), .y4m, .yuv/.raw/.i420/.nv12, anything libavformat
/// opens, or where there is no such file a numbered sequence of pictures ("%04d.png").
/// Throws InputError naming the file and the reason.
std::unique_ptr<FrameSource> open_source(const std::string& path, const SourceOptions& options = {});

} // namespace tandem
