// SPDX-License-Identifier: BSD-2-Clause
// Sound, subtitles and data of a file, copied into a container as its pictures are coded.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "video/copied_rest.h"
#include "video/libav/libav_functions.h"
#include "video/libav/libav_handles.h"
#include "video/libav/reading/libav_input.h"

namespace tandem {

/// Reads the file a second time, beside the source, and keeps no more of it than the packet that comes next.
/// Not thread-safe.
class CopiedStreams {
  public:
    /// Adds streams, metadata and chapters to `muxer`, whose header is not written yet and whose first stream is the
    /// video. Both outlive the copying. Throws what LibavInput does.
    CopiedStreams(const CopiedRest& rest, AVFormatContext& muxer);

    /// Seconds after which the first picture is shown.
    double delay() const { return static_cast<double>(delay_us_) / AV_TIME_BASE; }
    /// What this container cannot hold; empty: nothing.
    const std::string& note() const { return note_; }
    bool has_streams() const { return !copies_.empty(); }
    /// From now on nothing is copied that begins after the pictures' end.
    void end_with_pictures() { to_end_ = false; }

    /// Writes what comes before `seconds` of the container's time. The error of libavformat's muxer, or 0.
    int write_until(double seconds);
    /// Writes the rest; `end`: of the pictures, in seconds of the container's time.
    int finish(double end);

  private:
    struct Copy {
        int from = 0;                       ///< Number of the stream in the file.
        AVStream* to = nullptr;             ///< Owned by the muxer.
        std::int64_t last = AV_NOPTS_VALUE; ///< Decoding time of the last packet, in the muxer's time base.
    };
    void choose_streams(const CopiedRest& rest);
    void choose_origin(const CopiedRest& rest);
    bool copies_cover(AVStream& stream);
    bool adds_timecode(const AVStream& stream) const;
    AVStream& add_copy(AVStream& stream);
    int write_covers();
    void copy_metadata(const CopiedRest& rest);
    void copy_chapters();
    Copy* copy_of(int stream);
    bool fetch();
    double time_of_packet() const;
    bool is_wanted(double end) const;
    int write_packet();

    LibavInput input_;
    AVFormatContext& muxer_;
    std::vector<Copy> copies_;
    std::vector<Copy> covers_; ///< Still pictures, which are written before all else.
    Libav<AVPacket> packet_ = own(libav().av_packet_alloc());
    bool pending_ = false, ended_ = false;
    std::int64_t origin_us_ = 0; ///< The file's time that is 0 in the container, microseconds.
    std::int64_t delay_us_ = 0;
    bool from_beginning_, to_end_;
    std::string note_;
};

} // namespace tandem
