// SPDX-License-Identifier: BSD-2-Clause
// The file of --stats: what a pass leaves to the next.
#pragma once

#include <string>
#include <vector>

#include "encoder/pictures/picture_stats.h"
#include "encoder/rate/pass_log.h"
#include "encoder/settings.h"
#include "files/atomic_file.h"
#include "video/frame.h"

namespace tandem {

PassRecord pass_record_of(const PictureStats& stats);

/// The pictures of the pass before. Throws InputError where the file is broken or of other video.
std::vector<PassRecord> read_pass_file(const std::string& path, const Settings& settings, const VideoFormat& format);

class PassFile {
  public:
    PassFile(const std::string& path, const Settings& settings, const VideoFormat& format);
    /// In coding order.
    void write(const PictureStats& stats);
    void close();
    void finish() { file_.finish(); }

  private:
    AtomicFile file_;
    std::size_t pictures_ = 0;
};

} // namespace tandem
