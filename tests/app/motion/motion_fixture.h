// SPDX-License-Identifier: BSD-2-Clause
// tandem motion on a small clip whose motion is known.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/app/run_command.h"

namespace tandem::test {

using Json = nlohmann::json;

inline constexpr int width = 96, height = 80, frames = 5;

class MotionCommand : public testing::Test {
  protected:
    /// A clip with a pan and, beside it, its true motion.
    void SetUp() override {
        const Outcome outcome = run({"synth", "--size", "96x80", "--frames", std::to_string(frames), "--speed", "3,-2",
                                     "-o", "clip.y4m", "--truth", "truth.npy"});
        ASSERT_EQ(outcome.code, 0) << outcome.errors;
    }
    Outcome run(const std::vector<std::string>& words) const { return run_command(folder_.path(), words); }
    Outcome motion(std::vector<std::string> words) const {
        words.insert(words.begin(), {"motion", "clip.y4m"});
        Outcome outcome = run(words);
        EXPECT_EQ(outcome.code, 0) << outcome.errors;
        return outcome;
    }
    Json json(const std::string& name) const { return Json::parse(read_file(folder_ / name)); }
    TemporaryFolder folder_;
};

} // namespace tandem::test
