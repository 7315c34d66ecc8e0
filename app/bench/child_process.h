// SPDX-License-Identifier: BSD-2-Clause
// Work in a process of its own, and other programs.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/json.h"

namespace tandem {

/// Runs `work` in a child process, so that its memory is counted apart, nothing of it is left behind, and its crash is
/// not ours. Call it while this process has one thread. The child does not outlive this process.
/// What work() returns, or nothing when an interrupt came: then the child is ended. An InputError or RunError of the
/// work is thrown here; any other end of the child is a RunError that says how it ended.
std::optional<Json> run_in_child(const std::function<Json()>& work);

struct ProgramRun {
    double seconds = 0; ///< Wall clock, from start to end.
    std::uint64_t peak_rss_bytes = 0;
};

/// Runs a program (found along PATH) to its end with nothing as its input and its output dropped; what it says on
/// standard error is part of the RunError when it fails. Throws Interrupted.
ProgramRun run_program(const std::vector<std::string>& words);

/// The first line that a program prints, empty when it cannot be run. Throws Interrupted.
std::string first_line_of(const std::vector<std::string>& words);

/// All that a program prints, empty when it cannot be run or fails. Throws Interrupted.
std::string output_of(const std::vector<std::string>& words);

/// A program (found along PATH) that reads what it is given while it runs. Its output and what it says on standard
/// error go into files.
///
///     FedProgram program({"wc", "-c"}, "count.txt", "errors.txt");
///     program.write(bytes);
///     program.finish();
class FedProgram {
  public:
    /// Throws RunError when the files cannot be made.
    FedProgram(const std::vector<std::string>& words, const std::string& output, const std::string& errors);
    /// Ends a program that is still running.
    ~FedProgram();
    FedProgram(const FedProgram&) = delete;
    FedProgram& operator=(const FedProgram&) = delete;
    /// Nothing once the program has closed its input: finish() then says why.
    void write(std::span<const std::uint8_t> bytes);
    /// Closes the input and waits for the end. Throws RunError where that is a failure.
    void finish();

  private:
    std::string name_, errors_;
    int input_ = -1;
    int process_ = -1;
};

/// Whether PATH has such a program.
bool program_exists(const std::string& name);

} // namespace tandem
