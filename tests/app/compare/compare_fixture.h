// SPDX-License-Identifier: BSD-2-Clause
// tandem compare on a tiny clip.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "app/json.h"
#include "tests/app/clips.h"
#include "tests/app/run_command.h"

namespace tandem::test {

inline constexpr int width = 64, height = 48, pictures = 6;

inline std::vector<Json> rows_of(const std::string& text) {
    std::vector<Json> rows;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        rows.push_back(Json::parse(line));
    return rows;
}

/// What must be the same from run to run.
inline Json without_times(Json row) {
    for (const char* name : {"encode_s", "total_s", "motion_s", "runs", "peak_rss_bytes", "provenance"})
        row.erase(name);
    return row;
}

inline std::vector<Json> without_times(std::vector<Json> rows) {
    for (Json& row : rows)
        row = without_times(row);
    return rows;
}

class CompareCommand : public testing::Test {
  protected:
    void SetUp() override { write_file(folder_ / "clip.y4m", y4m_clip(width, height, pictures)); }

    static std::vector<std::string> words(std::vector<std::string> more = {}, const std::string& output = "out") {
        std::vector<std::string> all{"compare",  "clip.y4m", "-o",         output, "--devices", "cpu",
                                     "--qps",    "4,16",     "--searches", "log",  "--peers",   "mpeg2video",
                                     "--repeat", "1",        "--threads",  "2"};
        for (std::size_t i = 0; i < more.size(); ++i) {
            // What is given replaces what stands there.
            const auto known = std::ranges::find(all, more[i]);
            if (more[i].size() > 1 && more[i][0] == '-' && known != all.end() && i + 1 < more.size())
                *(known + 1) = more[++i];
            else
                all.push_back(more[i]);
        }
        return all;
    }
    Outcome run(const std::vector<std::string>& more = {}, const std::string& output = "out") {
        return run_command(folder_.path(), words(more, output));
    }
    std::vector<Json> results(const std::string& output = "out") const {
        return rows_of(read_file(folder_ / (output + "/results.jsonl")));
    }
    TemporaryFolder folder_;
};

} // namespace tandem::test
