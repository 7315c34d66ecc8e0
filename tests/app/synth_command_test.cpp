// SPDX-License-Identifier: BSD-2-Clause
// `tandem synth` from the outside.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "tests/app/clips.h"
#include "tests/app/run_command.h"
#include "video/source.h"

namespace tandem::test {
namespace {

Outcome synth(const TemporaryFolder& folder, std::vector<std::string> words) {
    words.insert(words.begin(), "synth");
    return run_command(folder.path(), words);
}

TEST(SynthCommand, EverySceneIsAClipOfItsSize) {
    const TemporaryFolder folder;
    for (const char* scene :
         {"pan", "zoom", "rotation", "objects", "noise", "fade", "cut", "occlusion", "repeats", "blur"}) {
        const Outcome outcome =
            synth(folder, {"--scene", scene, "-o", "s.y4m", "--size", "51x37", "--frames", "4", "--fps", "30000/1001"});
        ASSERT_EQ(outcome.code, 0) << scene << ": " << outcome.errors;
        EXPECT_EQ(outcome.errors, "");
        const auto source = open_source(folder / "s.y4m");
        EXPECT_EQ(source->format().width, 51);
        EXPECT_EQ(source->format().height, 37);
        EXPECT_EQ(source->format().frame_rate, (Rational{30000, 1001}));
        int count = 0;
        while (source->read())
            ++count;
        EXPECT_EQ(count, 4) << scene;
    }
}

TEST(SynthCommand, OneClipForAllThreads) {
    const TemporaryFolder folder;
    const auto clip = [&](const std::vector<std::string>& more) {
        std::vector<std::string> words{"--scene", "objects", "--noise", "3",        "-o",
                                       "s.y4m",   "--size",  "64x48",   "--frames", "7"};
        words.insert(words.end(), more.begin(), more.end());
        EXPECT_EQ(synth(folder, words).code, 0);
        return read_file(folder / "s.y4m");
    };
    const std::string expected = clip({});
    EXPECT_EQ(clip({"--threads", "1"}), expected);
    EXPECT_EQ(clip({"--threads", "5"}), expected);
    EXPECT_NE(clip({"--seed", "2"}), expected);
}

TEST(SynthCommand, StandardOutputIsY4m) {
    const TemporaryFolder folder;
    ASSERT_EQ(synth(folder, {"-o", "s.y4m", "--size", "32x32", "--frames", "2"}).code, 0);
    EXPECT_EQ(synth(folder, {"-o", "-", "--size", "32x32", "--frames", "2"}).output, read_file(folder / "s.y4m"));
}

TEST(SynthCommand, TruthIsANumpyArray) {
    const TemporaryFolder folder;
    ASSERT_EQ(
        synth(folder, {"-o", "s.y4m", "--truth", "t.npy", "--size", "80x50", "--frames", "3", "--speed", "-2,0.25"})
            .code,
        0);
    const std::string bytes = read_file(folder / "t.npy");
    ASSERT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\1\0", 8));
    const std::size_t begin = 10 + static_cast<unsigned char>(bytes[8]) + 256 * static_cast<unsigned char>(bytes[9]);
    EXPECT_EQ(begin % 64, 0u);
    EXPECT_NE(bytes.find("'descr': '<f4'"), std::string::npos);
    EXPECT_NE(bytes.find("'shape': (2, 4, 5, 2)"), std::string::npos);
    ASSERT_EQ(bytes.size(), begin + 2 * 4 * 5 * 2 * 4);
    std::vector<float> values(2 * 4 * 5 * 2);
    std::memcpy(values.data(), bytes.data() + begin, values.size() * 4);
    // The texture moves left and down, so the picture before has it further right and up.
    EXPECT_EQ(values[2 * (5 + 1)], 2.0f);
    EXPECT_EQ(values[2 * (5 + 1) + 1], -0.25f);
    EXPECT_TRUE(std::isnan(values[0])) << "the top row comes from outside of the picture";
}

TEST(SynthCommand, TruthOfHiddenPelsIsThereWhenItIsAskedFor) {
    const TemporaryFolder folder;
    const auto unknown = [&](const char* hidden) {
        EXPECT_EQ(synth(folder, {"--scene", "occlusion", "-o", "s.y4m", "--truth", "t.npy", "--size", "64x48",
                                 "--frames", "2", "--block", "1", "--hidden", hidden})
                      .code,
                  0);
        const std::string bytes = read_file(folder / "t.npy");
        std::vector<float> values(2 * 64 * 48);
        std::memcpy(values.data(), bytes.data() + bytes.size() - values.size() * 4, values.size() * 4);
        return std::count_if(values.begin(), values.end(), [](float value) { return std::isnan(value); });
    };
    EXPECT_GT(unknown("unknown"), 200);
    EXPECT_EQ(unknown("counted"), 0);
    const Outcome outcome = synth(folder, {"-o", "s.y4m", "--hidden", "counted"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.errors.find("--hidden says what --truth FILE has"), std::string::npos) << outcome.errors;
}

TEST(SynthCommand, TheTruthOfAClipThatFailsDoesNotAppear) {
    const TemporaryFolder folder;
    write_file(folder / "t.npy", "before");
    write_file(folder / "t.pictures.npy", "before");
    const auto before = snapshot_of(folder.path());
    Outcome outcome;
    {
        const LimitOfFileSizes small(6000);
        outcome = synth(folder, {"--size", "64x48", "--frames", "4", "-o", "a.y4m", "--truth", "t.npy"});
    }
    EXPECT_EQ(outcome.code, 1) << outcome.errors;
    EXPECT_EQ(snapshot_of(folder.path()), before);
}

TEST(SynthCommand, TruthIsNothingButANumpyArray) {
    const TemporaryFolder folder;
    const Outcome outcome = synth(folder, {"-o", "s.y4m", "--truth", "t.flo", "--size", "32x32", "--frames", "2"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.errors.find("--truth t.flo: the true motion is a NumPy array; the extension must be .npy"),
              std::string::npos)
        << outcome.errors;
    EXPECT_TRUE(snapshot_of(folder.path()).empty());
}

} // namespace
} // namespace tandem::test
