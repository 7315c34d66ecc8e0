// SPDX-License-Identifier: BSD-2-Clause
// results.jsonl: a line of JSON for each measured point, complete or absent.
#pragma once

#include <string>
#include <vector>

#include "app/json.h"

namespace tandem {

inline constexpr int results_schema = 1;

/// One process at a time writes to it. What a killed run left of a last line is dropped with a warning.
class ResultsFile {
  public:
    /// Opens or creates `path` and reads what is there; `fresh` begins anew. Throws InputError for a file that cannot
    /// be opened or is none of ours, RunError where another process writes to it.
    ResultsFile(std::string path, bool fresh);
    ~ResultsFile();
    ResultsFile(const ResultsFile&) = delete;
    ResultsFile& operator=(const ResultsFile&) = delete;

    /// In the order of the file; of several with one key, the last.
    const std::vector<Json>& rows() const { return rows_; }
    bool has(const std::string& key) const;
    /// Throws RunError when the line cannot be written whole; then none of it is left.
    void append(const Json& row);

  private:
    [[noreturn]] void fail(const char* what, int error) const;
    void read_all();
    std::string path_;
    int descriptor_ = -1;
    bool regular_ = false; ///< Not a device, a pipe: those cannot be read again.
    std::vector<Json> rows_;
};

/// One row as a line with its end; bytes of names that are not UTF-8 are replaced.
std::string line_of(const Json& row);

/// The rows of a file that nobody writes to. InputError when there is no such file.
std::vector<Json> read_results(const std::string& path);

} // namespace tandem
