// SPDX-License-Identifier: BSD-2-Clause
// What `tandem motion` looks at: pairs of pictures from one clip or from two files.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "app/frame_reader.h"
#include "app/motion/motion_options.h"
#include "video/frame.h"

namespace tandem {

struct PicturePair {
    std::int64_t picture = 0;   ///< Number of the current picture in its clip, from 0; of two files, 1.
    std::int64_t reference = 0; ///< Of the reference; of two files, 0.
    FramePtr current, reference_picture;
};

class PicturePairs {
  public:
    explicit PicturePairs(const MotionOptions& options);

    /// Waits for the first picture (of each file). False when an interrupt came before it. Throws InputError where the
    /// files cannot be opened or have different sizes.
    bool start();
    // After start() was true:
    const VideoFormat& format() const { return first_->format(); }
    std::optional<std::int64_t> count() const; ///< What next() will give, where known.
    /// What was done to the pictures of both files; empty if nothing.
    std::string conversion_note() const;
    /// At the end: which clip promised more pictures than it has; empty: none.
    std::string shortfall() const;

    /// The next pair; nothing at the end and after an interrupt. Throws InputError where a clip is too short for one.
    std::optional<PicturePair> next();

  private:
    void open_first(const SourceOptions& source);
    void open_second(const SourceOptions& source);
    bool have_one_range();
    std::optional<PicturePair> next_of_clip();
    std::optional<PicturePair> pair_of_files();

    const MotionOptions& options_;
    std::optional<FrameReader> first_, second_; ///< There is a first one; both may be opened again.
    std::deque<FramePtr> past_;                 ///< The last `step` pictures.
    std::int64_t pictures_ = 0;                 ///< Read so far.
    bool done_ = false;                         ///< The pair of files was given.
};

} // namespace tandem
