// SPDX-License-Identifier: BSD-2-Clause
// Where coded pictures and frames go: files replaced only when complete, pipes, and libavformat's containers.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "video/errors.h"
#include "video/frame.h"

namespace tandem {

/// One coded picture with the headers before it, in coding order.
struct Packet {
    std::span<const std::uint8_t> bytes; ///< Not owned; valid during the call.
    std::int64_t display_index = 0;      ///< Position in display order, from 0: pts = display_index / frame rate.
    std::int64_t coding_index = 0;       ///< Position in coding order, from 0.
    bool key = false;                    ///< An I picture with its sequence and group headers.
};

enum class VideoCodec { mpeg1, mpeg2 };

/// Takes packets in coding order. Nothing is seen under the target's name before appear(): a file is written
/// beside it and renamed. A sink destroyed without that removes what it wrote. Every write is checked:
/// RunError names the file and the system's reason.
class PacketSink {
  public:
    virtual ~PacketSink() = default;
    virtual void write(const Packet& packet) = 0;
    /// `trailer`: bytes that belong after the last picture (the sequence end code). All is written then, and checked.
    virtual void end(std::span<const std::uint8_t> trailer) = 0;
    /// After end(): the file gets its name.
    virtual void appear() = 0;
    /// Both.
    void finish(std::span<const std::uint8_t> trailer) {
        end(trailer);
        appear();
    }
};

/// "-" or an elementary stream (.m1v .m2v .mpv .m2ve .bin); .mpg .mpeg .vob .ts .m2ts .mkv .mp4 .mov .avi through
/// libavformat. Coding order runs at most one picture behind display order. `kbps`: the rate that the stream is held
/// to, for program streams, whose clock only pictures that keep to it have; 0: none is known. Throws InputError for an
/// extension this build cannot write or a directory that does not exist.
std::unique_ptr<PacketSink> open_packet_sink(const std::string& path, VideoCodec codec, const VideoFormat& format,
                                             int kbps = 0);
/// Whether open_packet_sink() knows what to write by this name, and all the extensions that it knows, for messages.
bool is_packet_sink_name(const std::string& path);
std::string packet_sink_extensions();

/// Takes frames in display order, with the same promises as PacketSink.
class FrameSink {
  public:
    virtual ~FrameSink() = default;
    /// Writes the top left format.width x format.height samples of the frame (which may be larger).
    virtual void write(const Frame& frame) = 0;
    /// All is written, and checked; the file has its name after finish().
    virtual void close() = 0;
    virtual void finish() = 0;
};

/// "-" and .y4m write YUV4MPEG2; .yuv writes bare planes.
std::unique_ptr<FrameSink> open_frame_sink(const std::string& path, const VideoFormat& format);

/// A text or binary file written whole beside its target and renamed by finish(); what both sinks stand on.
/// The target keeps its permissions if it exists; a new one gets those of the umask. A symbolic link stays one, and
/// the file it leads to is replaced. Renaming is atomic for other processes; it does not promise to survive a power cut
/// (nothing is forced to the disk). A process that is killed leaves its ".tandem-*.tmp" file behind.
class AtomicFile {
  public:
    /// "-" is standard output (no renaming). A target that exists and is not a regular file (a FIFO, /dev/full,
    /// /dev/null) is written in place. Throws InputError where it cannot be written: a directory, no such directory,
    /// no permission, a file that no other can take the place of; RunError where the system lacks what it takes.
    explicit AtomicFile(std::string path);
    ~AtomicFile();
    AtomicFile(AtomicFile&&) noexcept;
    AtomicFile& operator=(AtomicFile&&) = delete;
    /// Throws RunError when the system refuses (a full disk, a closed pipe); nothing can be written after that.
    void write(std::span<const std::uint8_t> bytes);
    void write(const std::string& text);
    /// True where seek() works: a regular file.
    bool seekable() const;
    /// Sets where the next write goes, from the beginning; a position past the end is allowed.
    void seek(std::int64_t position);
    std::int64_t position() const;
    std::int64_t size() const; ///< Bytes from the beginning to the furthest one written.
    /// Flushes and closes, all checked; then only finish() is left.
    void close();
    /// The same where that is not done yet, and renames.
    void finish();
    const std::string& path() const;
    /// The name being written now (the temporary file's).
    const std::string& temporary_path() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// An output was waited for in vain when the process was told to stop; it is not complete.
struct OutputAbandoned : Interrupted {
    using Interrupted::Interrupted;
};

/// `stop` must live as long as the process. Once it is true, a pipe that nobody opens is waited for no longer, nor a
/// reader that takes nothing for five seconds (OutputAbandoned).
void stop_outputs_on(const std::atomic<bool>& stop);

/// True when both names are the same existing file (device and inode), or the same path.
bool same_file(const std::string& a, const std::string& b);

} // namespace tandem
