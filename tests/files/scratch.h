// SPDX-License-Identifier: BSD-2-Clause
// What the tests of this room share: a folder of their own, files in it, random pictures, other programs.
#pragma once

#include <sys/resource.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tests/temporary_folder.h"
#include "video/frame.h"

namespace tandem::test {

/// A temporary folder and files in it.
class Scratch {
  public:
    std::string path(const std::string& name) const { return folder_ / name; }
    /// Writes a file into the folder and returns its path.
    std::string file(const std::string& name, const std::string& bytes) const;
    /// Names in the folder, sorted.
    std::vector<std::string> names() const;

  private:
    TemporaryFolder folder_;
};

/// While it lives a file of this process may not grow beyond `bytes`: writing fails as on a full disk, with another
/// reason.
class FileSizeLimit {
  public:
    explicit FileSizeLimit(rlim_t bytes);
    ~FileSizeLimit();
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

  private:
    rlimit saved_{};
    void (*handler_)(int);
};

std::string contents(const std::string& path);

/// Samples of a seeded generator; equal seeds give equal pictures.
std::unique_ptr<Frame> random_frame(int width, int height, std::uint32_t seed, int border = 0);

/// True when size and all samples (without borders) are the same.
bool equal(const Frame& a, const Frame& b);

/// The planes of a frame one after another, as in a raw file.
std::string planes_of(const Frame& frame);

/// True when the shell finds the program.
bool have_program(const std::string& name);

/// Runs a shell command; `output` is what it printed on both its outputs.
struct CommandResult {
    int status;
    std::string output;
};
CommandResult run(const std::string& command);

} // namespace tandem::test
