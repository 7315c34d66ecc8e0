// SPDX-License-Identifier: BSD-2-Clause
// Which files `tandem motion` refuses to write, and what it says of those that it cannot read or write.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/app/clips.h"
#include "tests/app/run_command.h"
#include "video/stream_decoder.h"

namespace tandem::test {
namespace {

class MotionFiles : public testing::Test {
  protected:
    void SetUp() override { write_file(folder_ / "clip.y4m", y4m_clip(64, 48, 4)); }
    Outcome motion(std::vector<std::string> words, const Streams& streams = {}) const {
        words.insert(words.begin(), "motion");
        words.insert(words.end(), {"--range", "1"});
        return run_command(folder_.path(), words, streams);
    }
    /// It is refused with these words and nothing has changed.
    void expect_refused(const std::vector<std::string>& words, const std::vector<std::string>& said,
                        const Streams& streams = {}) const {
        const auto before = snapshot_of(folder_.path());
        const Outcome outcome = motion(words, streams);
        EXPECT_EQ(outcome.code, 2) << said.front() << "\n" << outcome.errors;
        for (const std::string& part : said)
            EXPECT_NE(outcome.errors.find(part), std::string::npos) << part << "\n" << outcome.errors;
        EXPECT_EQ(snapshot_of(folder_.path()), before) << said.front();
    }
    TemporaryFolder folder_;
};

TEST_F(MotionFiles, NumberedInputsStayWhicheverPatternNamesThem) {
    ASSERT_EQ(motion({"clip.y4m", "-o", "f%d.flo"}).code, 0);
    for (const char* role : {"--truth", "--compare", "--hint"}) {
        expect_refused({"clip.y4m", role, "f%01d.flo", "-o", "f%d.flo"},
                       {std::string(role) + " f%01d.flo", "--output f%d.flo", "are the same file"});
    }
    // These make other names: f01.flo, f02.flo, f03.flo.
    const auto before = snapshot_of(folder_.path());
    EXPECT_EQ(motion({"clip.y4m", "--truth", "f%d.flo", "-o", "f%02d.flo"}).code, 0);
    const auto after = snapshot_of(folder_.path());
    EXPECT_EQ(after.size(), before.size() + 3);
    for (const auto& [name, contents] : before)
        EXPECT_EQ(after.at(name), contents) << name;
    // The next run may replace what this one made.
    EXPECT_EQ(motion({"clip.y4m", "--truth", "f%d.flo", "-o", "f%02d.flo"}).code, 0);
}

TEST_F(MotionFiles, LinksAmongTheFilesOfAnOutputAreSeen) {
    std::filesystem::create_directory(folder_ / "d");
    std::filesystem::create_symlink("../clip.y4m", folder_ / "d/000001.png");
    std::filesystem::create_symlink("clip.y4m", folder_ / "g1.flo");
    std::filesystem::create_symlink("clip.y4m", folder_ / "n.cost.npy");
    std::filesystem::create_symlink(folder_ / "clip.y4m", folder_ / "d/m.candidates.npy");
    expect_refused({"clip.y4m", "--draw", "d/"}, {"d/000001.png (--draw d/)", "clip.y4m (INPUT)"});
    expect_refused({"clip.y4m", "--draw", "d"}, {"d/000001.png (--draw d)", "clip.y4m (INPUT)"});
    expect_refused({"clip.y4m", "-o", "g%d.flo"}, {"g1.flo (--output g%d.flo)", "clip.y4m (INPUT)"});
    expect_refused({"clip.y4m", "-o", "n.npy"}, {"n.cost.npy (--output n.npy)", "clip.y4m (INPUT)"});
    expect_refused({"clip.y4m", "-o", "./d/m.npy"}, {"d/m.candidates.npy (--output ./d/m.npy)", "clip.y4m (INPUT)"});
    expect_refused({"-", "-o", "g%d.flo"}, {"g1.flo (--output g%d.flo)", "are the same file"},
                   {folder_ / "clip.y4m", "", ""});
}

TEST_F(MotionFiles, AFolderThatCannotBeWrittenIsKnownBeforeTheSearch) {
    if (!built_with_libav()) GTEST_SKIP() << "this build has no FFmpeg to write PNG with";
    // Not even root makes files there.
    for (const char* folder : {"/proc/new/", "/proc/"}) {
        const Outcome outcome = motion({"clip.y4m", "--draw", folder, "-v"});
        EXPECT_EQ(outcome.code, 2) << folder << "\n" << outcome.errors;
        EXPECT_NE(outcome.errors.find(folder), std::string::npos) << outcome.errors;
        EXPECT_EQ(outcome.errors.find("searched"), std::string::npos) << outcome.errors;
    }
    // A folder that was made and not needed is no trace of a run that was refused.
    expect_refused({"clip.y4m", "--draw", "new/", "--report", "nowhere/r.json"}, {"nowhere"});
}

TEST_F(MotionFiles, SaysWhatADrawingCanBe) {
    for (const char* name : {"x.jpg", "x"})
        expect_refused({"clip.y4m", "--draw", name}, {std::string("--draw ") + name, " .png", "folder", ".mp4"});
    write_file(folder_ / "seven.y4m", y4m_clip(64, 48, 2, "F7:1"));
    expect_refused({"seven.y4m", "--draw", "x.mp4"}, {"--draw x.mp4: frame rate 7/1"});
}

TEST_F(MotionFiles, NamesTheInputThatIsTooShortOrOfAnotherSize) {
    expect_refused({"clip.y4m", "--seek", "4"}, {"--seek 4: clip.y4m has only 4 pictures"});
    expect_refused({"clip.y4m", "--seek", "5"}, {"--seek 5: clip.y4m has only 4 pictures"});
    write_file(folder_ / "other.y4m", y4m_clip(32, 48, 1));
    const Streams clip{folder_ / "clip.y4m", "", ""};
    expect_refused({"-", "other.y4m"}, {"standard input has 64x48 pels, other.y4m has 32x48"}, clip);
    expect_refused({"-", "--step", "4"}, {"standard input: a pair of pictures 4 apart"}, clip);
}

} // namespace
} // namespace tandem::test
