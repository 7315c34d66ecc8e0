// SPDX-License-Identifier: BSD-2-Clause
// Buffered reading of a file or a pipe, from begin to end, so that standard input works like a file. What is large goes
// from the system straight to its place.
#pragma once

#include <sys/uio.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "machine/workers.h"

namespace tandem {

/// A wait for a pipe looks so often whether it is told to end.
inline constexpr int stop_check_ms = 100;

/// Owns the file descriptor. Reads block until enough bytes or the end have come.
///
///     ByteReader file("clip.y4m");
///     const ByteReader::Line header = file.read_line(256);
///     std::vector<std::uint8_t> samples(352 * 288);
///     const bool whole = file.read(samples) == samples.size();
class ByteReader {
  public:
    /// "-" is standard input. Throws InputError where there is nothing to read: no such file, a directory, no
    /// permission; RunError where the system lacks what it takes. `stop` (may be null, not owned): once it is true a
    /// wait for a slow pipe ends as if the input ended there.
    explicit ByteReader(const std::string& path, const std::atomic<bool>* stop = nullptr);
    ~ByteReader();
    ByteReader(ByteReader&& other) noexcept;
    ByteReader& operator=(ByteReader&&) = delete;

    /// For messages: the path, or "standard input".
    const std::string& name() const { return name_; }
    /// Bytes in the whole file from where reading began; nothing for a pipe or a device.
    std::optional<std::uint64_t> size() const { return size_; }
    /// Whether this is a file, and reading began where it begins.
    bool is_at_beginning_of_file() const { return size_ && start_ == 0; }
    /// The last `count` bytes of a file that has a size, without taking any; fewer where there are no more. Throws
    /// RunError when reading fails.
    std::vector<std::uint8_t> ending(std::size_t count) const;
    /// True when the input ended because of `stop`.
    bool stopped() const { return stopped_; }

    /// The next bytes without taking them: `count` (at most peek_limit), fewer only at the end. Valid until the next
    /// call.
    std::span<const std::uint8_t> peek(std::size_t count);
    /// Fills `to`; returns how many bytes came, fewer than asked only at the end. Throws RunError when reading fails.
    std::size_t read(std::span<std::uint8_t> to);
    /// Only what is there, after waiting for the first byte; 0 at the end.
    std::size_t read_ready(std::span<std::uint8_t> to);

    /// Rows of `width` bytes that begin `stride` bytes apart.
    struct Rows {
        std::uint8_t* first;
        std::size_t width;
        std::ptrdiff_t stride;
        std::size_t count;
    };
    /// From now on so many threads, this one among them, share the copying of what read_rows() takes from a file.
    void share_copying(int threads);
    /// The same as read(), to rows of one place after the other: a picture's planes at once.
    std::size_t read_rows(std::span<const Rows> places);

    struct Line {
        std::string text; ///< Without the newline.
        bool ended;       ///< A newline was found; otherwise the input ended or the limit was reached.
    };
    /// Takes bytes up to and with a newline, at most `limit` of them.
    Line read_line(std::size_t limit);

    static constexpr std::size_t peek_limit = 4096;

  private:
    class Target;
    std::size_t read_some(std::span<std::uint8_t> to);
    std::size_t read_some(std::span<const iovec> to);
    std::size_t read_shared(const Target& target, std::size_t begin, std::size_t end);
    bool read_at(std::uint64_t position, const Target& target, std::size_t begin, std::size_t end) const;
    std::size_t take_buffered(std::span<std::uint8_t> to);
    bool wait_for_input();
    void refill(std::size_t most);

    int descriptor_ = -1;
    std::string name_;
    std::optional<std::uint64_t> size_;
    std::uint64_t start_ = 0; ///< Where reading began, of a file with a size.
    const std::atomic<bool>* stop_;
    bool stopped_ = false;
    std::vector<std::uint8_t> buffer_;
    std::size_t begin_ = 0, end_ = 0;  ///< What is in the buffer and not yet taken.
    std::unique_ptr<Workers> copiers_; ///< Null: nobody shares.
};

/// The system's words for an errno value, in the "C" locale's manner.
std::string system_message(int error);

/// Throws `message` and the system's own about a file that cannot be opened or made: RunError where the device fails or
/// the system lacks room, memory or descriptors, else InputError.
[[noreturn]] void refuse_file(const std::string& message, int error);

} // namespace tandem
