// SPDX-License-Identifier: BSD-2-Clause
#include "files/byte_reader.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "files/file_name.h"
#include "machine/errors.h"

namespace tandem {

namespace {

constexpr std::size_t read_buffer_size = 256 * 1024;
constexpr std::size_t most_rows_at_once = 512; ///< The system allows 1024.
constexpr int pipe_size = 1 << 20;             ///< What any user may ask for; a pipe has 64 KiB else.

} // namespace

std::string system_message(int error) { return std::generic_category().message(error); }

void refuse_file(const std::string& message, int error) {
    constexpr std::array failures{EIO, ENOSPC, EDQUOT, EMFILE, ENFILE, ENOMEM};
    if (std::ranges::find(failures, error) != failures.end()) throw RunError(message + system_message(error));
    throw InputError(message + system_message(error));
}

ByteReader::ByteReader(const std::string& path, const std::atomic<bool>* stop)
    : name_(input_name(path)), stop_(stop), buffer_(read_buffer_size) {
    // A duplicate, so that every reader closes its own descriptor and standard input stays open.
    // Who may be stopped does not wait for a pipe's writer here, but where it looks at the flag.
    const int how = O_RDONLY | O_CLOEXEC | (stop != nullptr ? O_NONBLOCK : 0);
    descriptor_ = path == "-" ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : ::open(path.c_str(), how);
    if (descriptor_ < 0) refuse_file(name_ + ": cannot be opened: ", errno);
    if (path != "-" && stop != nullptr) static_cast<void>(::fcntl(descriptor_, F_SETFL, O_RDONLY));
    struct stat status {};
    const int error = ::fstat(descriptor_, &status) == 0 ? 0 : errno;
    if (error != 0 || S_ISDIR(status.st_mode)) {
        ::close(descriptor_);
        throw InputError(name_ +
                         (error != 0 ? ": cannot be examined: " + system_message(error) : ": this is a directory"));
    }
    if (S_ISREG(status.st_mode)) {
        // A redirected standard input may have been read from already.
        const off_t position = std::max<off_t>(0, ::lseek(descriptor_, 0, SEEK_CUR));
        start_ = static_cast<std::uint64_t>(position);
        size_ = static_cast<std::uint64_t>(std::max<off_t>(0, status.st_size - position));
    }
    if (S_ISFIFO(status.st_mode)) static_cast<void>(::fcntl(descriptor_, F_SETPIPE_SZ, pipe_size));
}

ByteReader::~ByteReader() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

ByteReader::ByteReader(ByteReader&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), name_(std::move(other.name_)), size_(other.size_),
      start_(other.start_), stop_(other.stop_), stopped_(other.stopped_), buffer_(std::move(other.buffer_)),
      begin_(std::exchange(other.begin_, 0)), end_(std::exchange(other.end_, 0)), copiers_(std::move(other.copiers_)) {}

/// False when `stop` was set while nothing came.
bool ByteReader::wait_for_input() {
    if (stop_ == nullptr || size_) return true;
    while (true) {
        if (stop_->load()) {
            stopped_ = true;
            return false;
        }
        pollfd waiting{descriptor_, POLLIN, 0};
        const int ready = ::poll(&waiting, 1, stop_check_ms);
        if (ready > 0 || (ready < 0 && errno != EINTR)) return true;
    }
}

std::size_t ByteReader::read_some(std::span<std::uint8_t> to) {
    const iovec one{to.data(), to.size()};
    return read_some(std::span(&one, 1));
}

/// As much as comes at once.
std::size_t ByteReader::read_some(std::span<const iovec> to) {
    while (wait_for_input()) {
        const ssize_t got = ::readv(descriptor_, to.data(), static_cast<int>(to.size()));
        if (got >= 0) return static_cast<std::size_t>(got);
        if (errno != EINTR) throw RunError(name_ + ": reading failed: " + system_message(errno));
    }
    return 0;
}

std::vector<std::uint8_t> ByteReader::ending(std::size_t count) const {
    std::vector<std::uint8_t> end(static_cast<std::size_t>(std::min<std::uint64_t>(count, size_.value_or(0))));
    const ssize_t got =
        ::pread(descriptor_, end.data(), end.size(), static_cast<off_t>(start_ + size_.value_or(0) - end.size()));
    if (got < 0) throw RunError(name_ + ": reading failed: " + system_message(errno));
    end.resize(static_cast<std::size_t>(got));
    return end;
}

std::span<const std::uint8_t> ByteReader::peek(std::size_t count) {
    count = std::min(count, peek_limit);
    if (end_ - begin_ < count && begin_ > 0) {
        std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
        end_ -= begin_;
        begin_ = 0;
    }
    while (end_ - begin_ < count) {
        // No more than that: what is large need not pass through the buffer.
        const std::size_t got = read_some(std::span(buffer_).subspan(end_, peek_limit - end_));
        if (got == 0) break;
        end_ += got;
    }
    return std::span(buffer_).subspan(begin_, std::min(count, end_ - begin_));
}

void ByteReader::refill(std::size_t most) {
    begin_ = 0;
    end_ = read_some(std::span(buffer_).first(most));
}

/// As much as is in the buffer.
std::size_t ByteReader::take_buffered(std::span<std::uint8_t> to) {
    const std::size_t part = std::min(to.size(), end_ - begin_);
    std::memcpy(to.data(), buffer_.data() + begin_, part);
    begin_ += part;
    return part;
}

std::size_t ByteReader::read(std::span<std::uint8_t> to) {
    std::size_t done = take_buffered(to);
    while (done < to.size()) {
        const std::span<std::uint8_t> rest = to.subspan(done);
        std::size_t got = 0;
        if (rest.size() < buffer_.size()) {
            refill(buffer_.size());
            got = take_buffered(rest);
        } else {
            got = read_some(rest);
        }
        if (got == 0) break;
        done += got;
    }
    return done;
}

std::size_t ByteReader::read_ready(std::span<std::uint8_t> to) {
    return begin_ < end_ ? take_buffered(to) : read_some(to);
}

/// Where bytes go, counted from the first one of the first place.
class ByteReader::Target {
  public:
    explicit Target(std::span<const Rows> places) : places_(places.begin(), places.end()) {
        for (Rows& rows : places_) {
            total_ += rows.width * rows.count;
            if (static_cast<std::ptrdiff_t>(rows.width) == rows.stride)
                rows = {rows.first, rows.width * rows.count, 0, 1};
        }
    }
    std::size_t total() const { return total_; }

    /// What is left of a row from byte `at` on.
    std::span<std::uint8_t> rest_of_row(std::size_t at) const {
        auto rows = places_.begin();
        for (; at >= rows->width * rows->count; ++rows)
            at -= rows->width * rows->count;
        const auto row = static_cast<std::ptrdiff_t>(at / rows->width);
        return std::span(rows->first + row * rows->stride, rows->width).subspan(at % rows->width);
    }
    /// As many parts of rows as it has, of bytes begin..end-1.
    std::span<const iovec> parts(std::size_t begin, std::size_t end, std::span<iovec> into) const {
        std::size_t count = 0;
        for (; begin < end && count < into.size(); ++count) {
            const std::span<std::uint8_t> rest = rest_of_row(begin);
            into[count] = {rest.data(), std::min(rest.size(), end - begin)};
            begin += into[count].iov_len;
        }
        return into.first(count);
    }

  private:
    std::vector<Rows> places_;
    std::size_t total_ = 0;
};

/// Bytes of the file from `position` on, to bytes begin..end-1 of the target; false when it has not so many.
bool ByteReader::read_at(std::uint64_t position, const Target& target, std::size_t begin, std::size_t end) const {
    std::array<iovec, most_rows_at_once> parts;
    while (begin < end) {
        const std::span<const iovec> wanted = target.parts(begin, end, parts);
        const ssize_t got =
            ::preadv(descriptor_, wanted.data(), static_cast<int>(wanted.size()), static_cast<off_t>(position));
        if (got <= 0) return false;
        begin += static_cast<std::size_t>(got);
        position += static_cast<std::uint64_t>(got);
    }
    return true;
}

void ByteReader::share_copying(int threads) {
    if (size_ && threads > 1) copiers_ = std::make_unique<Workers>(threads);
}

/// All of bytes begin..end-1, or 0 where nobody shares or one of the threads found no more bytes.
std::size_t ByteReader::read_shared(const Target& target, std::size_t begin, std::size_t end) {
    if (!copiers_) return 0;
    const std::size_t count = end - begin;
    const off_t position = ::lseek(descriptor_, 0, SEEK_CUR);
    if (position < 0 || static_cast<std::uint64_t>(position) + count > start_ + *size_) return 0;
    const auto parts = static_cast<std::size_t>(copiers_->threads());
    std::atomic<bool> is_whole{true};
    copiers_->for_each(copiers_->threads(), [&](int part, int) {
        const auto index = static_cast<std::size_t>(part);
        const std::size_t from = count * index / parts, to = count * (index + 1) / parts;
        if (!read_at(static_cast<std::uint64_t>(position) + from, target, begin + from, begin + to)) is_whole = false;
    });
    if (!is_whole || ::lseek(descriptor_, position + static_cast<off_t>(count), SEEK_SET) < 0) return 0;
    return count;
}

std::size_t ByteReader::read_rows(std::span<const Rows> places) {
    const Target target(places);
    const std::size_t total = target.total();
    std::array<iovec, most_rows_at_once> parts;
    std::size_t done = 0;
    while (done < total) {
        std::size_t got = 0;
        if (begin_ < end_) {
            got = take_buffered(target.rest_of_row(done));
        } else if (total - done < buffer_.size()) {
            refill(buffer_.size());
            if (begin_ == end_) break;
        } else {
            got = read_shared(target, done, total);
            if (got == 0) got = read_some(target.parts(done, total, parts));
            if (got == 0) break;
        }
        done += got;
    }
    return done;
}

ByteReader::Line ByteReader::read_line(std::size_t limit) {
    Line line{{}, false};
    while (line.text.size() < limit) {
        if (begin_ == end_) refill(peek_limit);
        if (begin_ == end_) break;
        const char byte = static_cast<char>(buffer_[begin_++]);
        if (byte == '\n') {
            line.ended = true;
            break;
        }
        line.text.push_back(byte);
    }
    return line;
}

} // namespace tandem
