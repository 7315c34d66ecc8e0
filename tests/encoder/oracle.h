// SPDX-License-Identifier: BSD-2-Clause
// Two decoders that are not ours, asked whether they take our streams and rebuild our pictures.
//
// FFmpeg, by its strict check (-xerror -err_detect explode), must not say a word. Its `-idct faani` is nearly the
// real-valued inverse DCT, so its pictures are compared with our reconstruction at 60 dB.
//
// mpeg2dec (libmpeg2 0.5.1) always exits 0, so its frames are counted; it says its version and the number of frames on
// standard error, and must say nothing else. It writes pictures at coded size. Its inverse DCT is a coarser one in
// integers, so that its pictures drift from ours until the next I picture. What it is not asked:
// - The pictures of MPEG-1 streams taller than 2800 lines. It reads MPEG-2's slice_vertical_position_extension there,
//   which 11172-2 does not have, and loses every slice (of FFmpeg's MPEG-1 encoder just as well). FFmpeg reads them
//   right.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tests/encoder/encoded_clip.h"
#include "tests/temporary_folder.h"

namespace tandem::test {

/// Empty where both decoders can be run; else why not.
std::string why_no_oracles();

/// Encodes streams, and has both decoders take them, many per run of a program.
class Oracle {
  public:
    /// Encodes; checks what waits when that is enough for one run. Failures name the stream by `name`.
    void add(const std::string& name, const Settings& settings, const Clip& clip);
    /// Checks what waits.
    void finish();

    const TemporaryFolder& folder() const { return folder_; } ///< For files of the test's own, until the end.
    int streams() const { return streams_; }                  ///< Checked so far.

  private:
    struct Entry {
        std::string name;
        EncodedClip encoded;
        bool mpeg1;
        std::filesystem::path stream;
    };
    std::filesystem::path path_of(const Entry& entry, const char* extension) const;
    std::string run(const std::string& command, const std::filesystem::path& said) const;
    std::string ffmpeg(const std::vector<const Entry*>& entries) const;
    void ask_ffmpeg() const;
    void ask_mpeg2dec() const;

    TemporaryFolder folder_;
    std::vector<Entry> waiting_;
    std::size_t waiting_bytes_ = 0; ///< Of decoded pictures.
    int streams_ = 0;
};

} // namespace tandem::test
