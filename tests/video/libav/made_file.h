// SPDX-License-Identifier: BSD-2-Clause
// Files of other formats, made by the ffmpeg command for a test.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "tests/files/scratch.h"
#include "video/libav/reading/stream_decoder.h"
#include "video/source.h"

namespace tandem::test {

/// A test that needs files which ffmpeg makes; skipped where the command or libav is missing.
class MadeFile : public testing::Test {
  protected:
    void SetUp() override {
        if (!built_with_libav()) GTEST_SKIP() << "this build has no FFmpeg";
        if (!have_program("ffmpeg")) GTEST_SKIP() << "the ffmpeg command is not installed";
    }

    /// The path of a file with 10 pictures, those of ffmpeg's moving test picture.
    std::string make(const std::string& name, const std::string& options,
                     const std::string& picture = "testsrc2=s=64x48:r=25") {
        const auto result =
            run("ffmpeg -v error -y -f lavfi -i " + picture + " -frames:v 10 " + options + " " + scratch_.path(name));
        EXPECT_EQ(result.status, 0) << result.output;
        return scratch_.path(name);
    }

    Scratch scratch_;
};

/// The pictures that are left in it.
inline std::int64_t count(FrameSource& source) {
    std::int64_t pictures = 0;
    while (source.read())
        ++pictures;
    return pictures;
}

} // namespace tandem::test
