// SPDX-License-Identifier: BSD-2-Clause
// Which files `tandem motion` refuses to write, and what it says of those that it cannot read or write.
#include <gtest/gtest.h>

#include <filesystem>
#include <initializer_list>

#include "me/fields/field_file.h"
#include "tests/app/clips.h"
#include "tests/app/run_command.h"
#include "video/libav/reading/stream_decoder.h"

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

TEST_F(MotionFiles, AClosedStandardStreamEndsInNoFile) {
    ASSERT_EQ(motion({"clip.y4m", "-o", "a.tmf", "--compensate", "a.y4m"}).code, 0);
    const std::vector<std::string> words{"clip.y4m", "-o", "b.tmf", "--compensate", "b.y4m"};
    std::vector<std::string> quiet = words;
    quiet.push_back("-q");
    const auto expect_equal_files = [&](const std::string& what) {
        EXPECT_EQ(read_file(folder_ / "a.tmf"), read_file(folder_ / "b.tmf")) << what;
        EXPECT_EQ(read_file(folder_ / "a.y4m"), read_file(folder_ / "b.y4m")) << what;
    };
    EXPECT_EQ(motion(words, {"", "", closed_stream}).code, 0);
    expect_equal_files("no standard error");
    EXPECT_EQ(motion(quiet, {closed_stream, closed_stream, closed_stream}).code, 0);
    expect_equal_files("no stream at all");
    std::filesystem::remove(folder_ / "b.tmf");
    std::filesystem::remove(folder_ / "b.y4m");
    const auto before = snapshot_of(folder_.path());
    const Outcome outcome = motion(words, {"", closed_stream, ""});
    EXPECT_EQ(outcome.code, 1) << "the table is lost";
    EXPECT_NE(outcome.errors.find("standard output"), std::string::npos) << outcome.errors;
    EXPECT_EQ(snapshot_of(folder_.path()), before);
}

TEST_F(MotionFiles, ALimitOfFileSizesIsAFailedWrite) {
    const auto before = snapshot_of(folder_.path());
    Outcome outcome;
    {
        const LimitOfFileSizes small(4000);
        outcome = motion({"clip.y4m", "--compensate", "a.y4m"});
    }
    EXPECT_EQ(outcome.code, 1) << outcome.errors;
    EXPECT_NE(outcome.errors.find("a.y4m"), std::string::npos) << outcome.errors;
    EXPECT_EQ(snapshot_of(folder_.path()), before);
}

TEST_F(MotionFiles, OfFilesOneOfWhichFailsNoneAppears) {
    for (const char* name : {"s.csv", "r.json", "t.json"})
        write_file(folder_ / name, "before");
    const auto before = snapshot_of(folder_.path());
    Outcome outcome;
    {
        const LimitOfFileSizes small(6000);
        outcome = motion(
            {"clip.y4m", "--stats", "s.csv", "--report", "r.json", "--trace", "t.json", "--compensate", "a.y4m"});
    }
    EXPECT_EQ(outcome.code, 1) << outcome.errors;
    EXPECT_NE(outcome.errors.find("a.y4m"), std::string::npos) << outcome.errors;
    EXPECT_EQ(snapshot_of(folder_.path()), before);
}

TEST_F(MotionFiles, TheTableIsAnOutputToo) {
    write_file(folder_ / "s.csv", ""); // As a shell leaves it.
    expect_refused({"clip.y4m", "--stats", "s.csv"}, {"--stats (s.csv) and the table (standard output)"},
                   {"", folder_ / "s.csv", ""});
    EXPECT_EQ(motion({"clip.y4m", "--stats", "s.csv"}, {"", folder_ / "table.txt", ""}).code, 0);
}

TEST_F(MotionFiles, FieldsOfAPictureAreTakenByTheirReference) {
    const auto write = [&](const std::string& name, std::initializer_list<std::pair<int, int>> records) {
        const auto writer = create_field_file(folder_ / name);
        for (const auto& [picture, offset] : records) {
            FieldRecord record{MotionField(64, 48, 16, 16, 1), picture, offset};
            for (Candidate& candidate : record.field.all())
                candidate = {{0, 0}, 0, 0};
            writer->write(record);
        }
        writer->finish();
    };
    write("both.tmf", {{1, 1}, {1, -1}, {2, -1}, {2, 1}, {3, -1}});
    EXPECT_EQ(motion({"clip.y4m", "--search", "given", "--hint", "both.tmf"}).code, 0);
    write("after.tmf", {{1, 1}, {2, 1}});
    expect_refused({"clip.y4m", "--search", "given", "--hint", "after.tmf"},
                   {"--hint after.tmf: picture 1 is predicted from picture 2 there, not from 0"});
    write("falling.tmf", {{1, -1}, {3, -1}, {2, -1}});
    expect_refused({"clip.y4m", "--search", "given", "--hint", "falling.tmf"},
                   {"--hint falling.tmf: there is no field for picture 2 before that of picture 3"});
    const std::string whole = read_file(folder_ / "both.tmf");
    write_file(folder_ / "cut.tmf", whole.substr(0, whole.size() - 16));
    expect_refused({"clip.y4m", "--search", "given", "--hint", "cut.tmf"}, {"cut.tmf: the file was cut"});
}

TEST_F(MotionFiles, NamesAreRefusedAsTheyWereGiven) {
    expect_refused({"clip.y4m", ""}, {"SECOND: the file name is empty"});
    std::filesystem::create_directory(folder_ / "d");
    for (const std::string name : {"x%d%d.flo", "d/x%s.flo"})
        expect_refused({"clip.y4m", "-o", name}, {"tandem: " + name + ": a picture's number"});
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
    expect_refused({"seven.y4m", "--draw", "x.mpg"}, {"--draw x.mpg: frame rate 7/1"});
    const std::string sequence_extension("\0\0\1\xB5", 4);
    for (const auto& [name, is_mpeg2] : {std::pair{"x.m1v", false}, {"x.m2v", true}}) {
        EXPECT_EQ(motion({"clip.y4m", "--draw", name}).code, 0);
        EXPECT_EQ(read_file(folder_ / name).find(sequence_extension) != std::string::npos, is_mpeg2) << name;
    }
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
