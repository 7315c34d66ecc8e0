// SPDX-License-Identifier: BSD-2-Clause
// Files that are replaced only when they are complete.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "machine/errors.h"

namespace tandem {

/// A text or binary file written whole beside its target and renamed by finish(); what both sinks stand on.
/// The target keeps its permissions if it exists; a new one gets those of the umask. A symbolic link stays one, and
/// the file it leads to is replaced. Renaming is atomic for other processes; it does not promise to survive a power cut
/// (nothing is forced to the disk). A process that is killed leaves its ".tandem-*.tmp" file behind, unless a handler
/// of the signal calls remove_temporaries().
///
///     AtomicFile file("report.csv");
///     file.write("picture,bytes\n");
///     file.finish(); // now report.csv is there; without it, what was there before is left alone
class AtomicFile {
  public:
    /// "-" is standard output, /dev/stdout, /dev/fd/N and their like (named_descriptor()) are files that are open
    /// already: they are written to where they stand, and nothing is renamed. A target that exists and is not a regular
    /// file (a FIFO, /dev/full, /dev/null) is written in place. Throws InputError where it cannot be written: a
    /// directory, no such directory, no permission, a file that no other can take the place of; RunError where the
    /// system lacks what it takes.
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
    /// Flushes and closes, all checked; then only finish() is left. RunError where the folder has vanished meanwhile.
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

/// The reader of a pipe or a socket has closed it.
struct ReaderGone : RunError {
    using RunError::RunError;
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
