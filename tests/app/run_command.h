// SPDX-License-Identifier: BSD-2-Clause
// Runs the built command as a user's shell would.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

#include "tests/temporary_folder.h"

namespace tandem::test {

/// The name of a stream that the child finds closed.
inline const std::string closed_stream = "(closed)";

/// Where a child's standard streams lead; empty names: nothing for input, captured for output and errors.
struct Streams {
    std::string input{}, output{}, errors{};
};

struct Outcome {
    int code = -1; ///< Exit code; -N when signal N ended the process.
    std::string output, errors;
};

/// A running command. Its folder is the working directory of the child.
class Command {
  public:
    Command(const std::string& folder, const std::vector<std::string>& arguments, const Streams& streams = {});
    ~Command();
    Command(const Command&) = delete;
    Command& operator=(const Command&) = delete;
    void signal(int number) const;
    /// Waits until it has said this on standard error, or a minute has passed: false.
    bool says(const std::string& words) const;
    Outcome wait();

  private:
    pid_t process_ = -1;
    std::string output_name_, errors_name_;
    bool output_captured_ = true, errors_captured_ = true;
};

/// Of all files of the commands that start meanwhile.
class LimitOfFileSizes {
  public:
    explicit LimitOfFileSizes(rlim_t bytes);
    ~LimitOfFileSizes();
    LimitOfFileSizes(const LimitOfFileSizes&) = delete;
    LimitOfFileSizes& operator=(const LimitOfFileSizes&) = delete;

  private:
    rlimit before_{};
};

Outcome run_command(const std::string& folder, const std::vector<std::string>& arguments, const Streams& streams = {});

void write_file(const std::string& path, const std::string& contents);
std::string read_file(const std::string& path);
/// Names of all files in a folder with their sizes and a hash of what they hold, or what a link points to.
std::map<std::string, std::string> snapshot_of(const std::string& folder);

} // namespace tandem::test
