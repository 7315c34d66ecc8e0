// SPDX-License-Identifier: BSD-2-Clause
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "files/atomic_file.h"
#include "files/byte_reader.h"
#include "files/file_name.h"
#include "files/temporary_file.h"
#include "machine/errors.h"

namespace tandem {

namespace {

constexpr std::size_t write_buffer_size = 256 * 1024;

/// How long a pipe's reader may take nothing once the process is told to stop.
constexpr int patience_ms = 5000;

std::atomic<const std::atomic<bool>*> stop_flag{nullptr};

bool told_to_stop() {
    const std::atomic<bool>* const flag = stop_flag.load();
    return flag != nullptr && flag->load();
}

/// Where a symbolic link leads, so that renaming does not replace the link itself; also when nothing is there yet.
std::string resolved(const std::string& path) {
    std::error_code error;
    return std::filesystem::is_symlink(path, error) ? real_path(path) : path;
}

std::string directory_of(const std::string& path) {
    const std::string directory = std::filesystem::path(path).parent_path().string();
    return directory.empty() ? "." : directory;
}

} // namespace

struct AtomicFile::State {
    std::string path;      ///< As the user gave it.
    std::string target;    ///< What is renamed over: `path` with symbolic links followed.
    std::string temporary; ///< Empty when written in place.
    int descriptor = -1;
    bool seekable = false;
    bool blocks = false; ///< A pipe, a socket or a terminal in whose write() the process could wait for ever.
    bool failed = false;
    bool given_up = false;            ///< Its reader was waited for in vain.
    bool closed = false;              ///< Complete, and not renamed yet.
    std::vector<std::uint8_t> buffer; ///< Bytes that belong at file_position and after.
    std::int64_t file_position = 0;   ///< Where the descriptor stands.
    std::int64_t furthest = 0;

    ~State() { abandon(); }

    std::string shown() const { return path == "-" ? "standard output" : path; }

    [[noreturn]] void refuse(const std::string& reason) const {
        throw InputError(shown() + ": cannot be written: " + reason);
    }

    [[noreturn]] void refuse(int error, const std::string& where = "") const {
        refuse_file(shown() + ": cannot be written: " + where, error);
    }

    [[noreturn]] void fail(const std::string& what, int error) {
        failed = true;
        const std::string message = shown() + ": " + what + ": " + system_message(error);
        if (error == EPIPE) throw ReaderGone(message);
        throw RunError(message);
    }

    void open() {
        if (path.empty()) throw InputError("the name of the output file is empty");
        if (path == "-") return open_descriptor(STDOUT_FILENO);
        if (const auto number = named_descriptor(path)) return open_descriptor(*number);
        struct stat status {};
        const bool exists = ::stat(path.c_str(), &status) == 0;
        if (!exists && errno != ENOENT) refuse(errno);
        if (exists && S_ISDIR(status.st_mode)) refuse("it is a directory");
        if (exists && !S_ISREG(status.st_mode)) {
            open_in_place(S_ISFIFO(status.st_mode));
            return;
        }
        // Renaming needs no permission on the file itself, but a read-only file means to stay.
        if (exists && ::access(path.c_str(), W_OK) != 0) refuse(errno);
        open_temporary(exists, status.st_mode);
    }

    /// The shell's own file, where it stands; it is never replaced.
    void open_descriptor(int number) {
        // Of a pipe a description of our own, which may be made not to block; the shell's is shared with others.
        struct stat status {};
        const std::string name = "/proc/self/fd/" + std::to_string(number);
        if (::fstat(number, &status) == 0 && S_ISFIFO(status.st_mode))
            descriptor = ::open(name.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
        if (descriptor < 0) descriptor = ::fcntl(number, F_DUPFD_CLOEXEC, 0);
        if (descriptor < 0) refuse(errno);
        note_kind();
    }

    /// A pipe waits for its reader until the process is told to stop; where nobody would tell, any signal ends the
    /// wait.
    void open_in_place(bool is_pipe) {
        const bool polls = is_pipe && stop_flag.load() != nullptr;
        const int how = O_WRONLY | O_CLOEXEC | (polls ? O_NONBLOCK : 0);
        while ((descriptor = ::open(path.c_str(), how)) < 0) {
            if (!polls || errno != ENXIO) refuse(errno);
            if (told_to_stop()) throw OutputAbandoned(shown() + ": nobody reads it");
            ::poll(nullptr, 0, stop_check_ms);
        }
        note_kind();
    }

    void note_kind() {
        struct stat status {};
        const bool known = ::fstat(descriptor, &status) == 0;
        const bool has_reader =
            known && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode) || ::isatty(descriptor) == 1);
        blocks = has_reader && (::fcntl(descriptor, F_GETFL) & O_NONBLOCK) == 0;
    }

    void open_temporary(bool exists, mode_t mode) {
        target = resolved(path);
        const std::string directory = directory_of(target);
        struct stat status {};
        if (::stat(directory.c_str(), &status) != 0) {
            refuse(errno, "the directory " + directory + ": ");
        }
        if (path.back() == '/') refuse("it names a directory");
        if (exists) refuse_lasting_target(status);
        descriptor = create_temporary(directory, temporary);
        if (descriptor < 0) {
            const int error = errno;
            temporary.clear();
            refuse(error, "the directory " + directory + ": ");
        }
        seekable = true;
        constexpr mode_t permissions = 07777;
        if (exists && ::fchmod(descriptor, mode & permissions) != 0) refuse(errno);
    }

    void wait_for_reader() {
        for (int waited = 0; waited < patience_ms; waited = told_to_stop() ? waited + stop_check_ms : 0) {
            pollfd waiting{descriptor, POLLOUT, 0};
            const int ready = ::poll(&waiting, 1, stop_check_ms);
            if (ready > 0 || (ready < 0 && errno != EINTR)) return;
        }
        given_up = true;
        refuse_further();
    }

    void refuse_further() const {
        if (given_up) throw OutputAbandoned(shown() + ": its reader takes nothing");
        if (failed) throw RunError(shown() + ": an earlier write failed");
    }

    /// What no other file can take the place of would be found out only when all is written.
    void refuse_lasting_target(const struct stat& directory) const {
        struct statx file {};
        if (::statx(AT_FDCWD, target.c_str(), 0, STATX_UID, &file) != 0) return;
        if ((file.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0) refuse("it is a mount point, which cannot be replaced");
        const uid_t user = ::geteuid();
        if ((directory.st_mode & S_ISVTX) != 0 && user != 0 && user != file.stx_uid && user != directory.st_uid)
            refuse("in this directory only the file's owner may replace it");
    }

    void write_out(std::span<const std::uint8_t> bytes) {
        while (!bytes.empty()) {
            if (blocks) wait_for_reader();
            // So much a pipe takes without another wait.
            const std::size_t count = blocks ? std::min<std::size_t>(bytes.size(), PIPE_BUF) : bytes.size();
            const ssize_t written = ::write(descriptor, bytes.data(), count);
            if (written < 0) {
                if (errno == EINTR) continue;
                if (errno == EAGAIN) {
                    wait_for_reader();
                    continue;
                }
                fail("writing failed", errno);
            }
            bytes = bytes.subspan(static_cast<std::size_t>(written));
            file_position += written;
        }
    }

    void flush() {
        refuse_further();
        write_out(buffer);
        buffer.clear();
    }

    void write(std::span<const std::uint8_t> bytes) {
        refuse_further();
        if (descriptor < 0) throw RunError(shown() + ": written to after it was finished");
        if (buffer.size() + bytes.size() > write_buffer_size) flush();
        if (bytes.size() >= write_buffer_size) {
            write_out(bytes);
        } else {
            buffer.insert(buffer.end(), bytes.begin(), bytes.end());
        }
        furthest = std::max(furthest, position());
    }

    std::int64_t position() const { return file_position + static_cast<std::int64_t>(buffer.size()); }

    void seek(std::int64_t to) {
        if (to == position()) return;
        flush();
        if (::lseek(descriptor, to, SEEK_SET) != to) fail("seeking failed", errno);
        file_position = to;
    }

    void close() {
        if (descriptor < 0) throw RunError(shown() + ": finished twice");
        flush();
        // Some file systems report a full disk only here.
        if (::close(std::exchange(descriptor, -1)) != 0 && errno != EINTR) fail("closing failed", errno);
        closed = true;
        check_place();
    }

    /// A folder that has vanished meanwhile is known here, before another output of the command gets its name.
    void check_place() {
        struct stat status {};
        if (!temporary.empty() && ::stat(temporary.c_str(), &status) != 0) fail("the unfinished file is gone", errno);
    }

    void finish() {
        if (!closed) close();
        closed = false;
        if (temporary.empty()) return;
        if (::rename(temporary.c_str(), target.c_str()) != 0) fail("renaming failed", errno);
        forget_temporary(std::exchange(temporary, ""));
    }

    /// Closes and removes what is unfinished. Nothing is reported: the reason is on its way as an exception already.
    void abandon() {
        if (descriptor >= 0) ::close(descriptor);
        descriptor = -1;
        if (temporary.empty()) return;
        ::unlink(temporary.c_str());
        forget_temporary(std::exchange(temporary, ""));
    }
};

void stop_outputs_on(const std::atomic<bool>& stop) { stop_flag = &stop; }

AtomicFile::AtomicFile(std::string path) : state_(std::make_unique<State>()) {
    state_->path = std::move(path);
    state_->open();
    state_->buffer.reserve(write_buffer_size);
}

AtomicFile::~AtomicFile() = default;
AtomicFile::AtomicFile(AtomicFile&&) noexcept = default;

void AtomicFile::write(std::span<const std::uint8_t> bytes) { state_->write(bytes); }

void AtomicFile::write(const std::string& text) {
    state_->write({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

bool AtomicFile::seekable() const { return state_->seekable; }
void AtomicFile::seek(std::int64_t position) { state_->seek(position); }
std::int64_t AtomicFile::position() const { return state_->position(); }
std::int64_t AtomicFile::size() const { return state_->furthest; }
void AtomicFile::close() { state_->close(); }
void AtomicFile::finish() { state_->finish(); }
const std::string& AtomicFile::path() const { return state_->path; }
const std::string& AtomicFile::temporary_path() const {
    return state_->temporary.empty() ? state_->path : state_->temporary;
}

bool same_file(const std::string& a, const std::string& b) {
    if (a == "-" || b == "-") return false;
    struct stat first {
    }, second{};
    const bool first_exists = ::stat(a.c_str(), &first) == 0;
    const bool second_exists = ::stat(b.c_str(), &second) == 0;
    if (first_exists && second_exists) return first.st_dev == second.st_dev && first.st_ino == second.st_ino;
    if (first_exists != second_exists) return false;
    return real_path(a) == real_path(b);
}

} // namespace tandem
