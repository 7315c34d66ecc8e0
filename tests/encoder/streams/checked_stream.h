// SPDX-License-Identifier: BSD-2-Clause
// One encode, taken apart: what decoders do not complain about, and what they would rebuild.
#pragma once

#include "tests/bitstream/stream_parser.h"
#include "tests/encoder/encoded_clip.h"

namespace tandem::test {

/// One encode and its parse, and everything that is checked of them.
class CheckedStream {
  public:
    CheckedStream(const Settings& settings, const VideoFormat& format, const Clip& clip);
    CheckedStream(const Settings& settings, const Clip& clip) : CheckedStream(settings, format_of(clip), clip) {}

    /// Fails the test at hand where the stream is not as it must be.
    void check() const;

    const ParsedStream& parsed() const { return parsed_; }
    const EncodedClip& encoded() const { return encoded_; }
    const std::vector<ParsedPicture>& pictures() const { return parsed_.pictures; }

  private:
    bool mpeg1() const { return settings_.codec == Codec::mpeg1; }
    int frames() const { return static_cast<int>(encoded_.pictures.size()); }
    void check_sequences() const;
    void check_stuffing() const;
    void check_packets() const;
    void check_groups() const;
    void check_time_code(const MpegGroup& group, int display) const;
    void check_header(std::size_t i) const;
    void check_f_codes(const MpegPicture& code) const;
    void check_slices(const ParsedPicture& picture) const;
    void check_quantisers(const ParsedPicture& picture, const SliceExtent& slice, int before) const;
    void check_reconstruction() const;

    Settings settings_;
    VideoFormat format_;
    EncodedClip encoded_;
    ParsedStream parsed_;
};

} // namespace tandem::test
