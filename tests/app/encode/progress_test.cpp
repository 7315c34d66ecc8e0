// SPDX-License-Identifier: BSD-2-Clause
// What the line that moves says, and the numbers of pictures that it is told.
#include "app/encode/records/progress.h"

#include <gtest/gtest.h>

#include "app/frame_reader.h"
#include "app/motion/picture_pairs.h"
#include "tests/app/clips.h"
#include "tests/app/run_command.h"

namespace tandem::test {
namespace {

TEST(Progress, TimesAreHoursMinutesAndSeconds) {
    EXPECT_EQ(time_text(0), "0:00:00");
    EXPECT_EQ(time_text(59.6), "0:01:00");
    EXPECT_EQ(time_text(45296), "12:34:56");
    EXPECT_EQ(time_text(-12.0), "0:00:00");
}

TEST(Progress, TheLineSaysWhatIsDoneAndWhatIsLeft) {
    // 50 pictures in 2 seconds: the other 1500 take a minute. 50,000 bytes are 8 kbit a picture.
    EXPECT_EQ(progress_text(50, 1550, 50000, {30, 1}, 2),
              "50/1550 frames, 25.0 fps, 240 kbit/s, 1.6 MB in the end, 0:01:00 left");
    EXPECT_EQ(progress_text(50, 1550, 0, {30, 1}, 2), "50/1550 frames, 25.0 fps, 0:01:00 left");
    EXPECT_EQ(progress_text(50, std::nullopt, 50000, {30, 1}, 2), "50 frames, 25.0 fps, 240 kbit/s");
    EXPECT_EQ(progress_text(50, 1550, 0, {30, 1}, 0), "50/1550 frames, 0.0 fps") << "no speed is known yet";
}

TEST(Progress, OfMorePicturesThanAContainerSaidNothingIsLeft) {
    EXPECT_EQ(progress_text(350, 50, 0, {25, 1}, 14), "350/50 frames, 25.0 fps, 0:00:00 left");
}

class PictureCount : public testing::Test {
  protected:
    void SetUp() override { write_file(path_, y4m_clip(32, 32, 7)); }
    TemporaryFolder folder_;
    std::string path_ = folder_ / "clip.y4m";
};

TEST_F(PictureCount, IsOfWhatSeekAndFramesLeave) {
    const auto count = [&](std::int64_t seek, std::optional<std::int64_t> frames) {
        FrameReader reader(path_, {}, seek, frames);
        EXPECT_TRUE(reader.start());
        return reader.frame_count();
    };
    EXPECT_EQ(count(0, std::nullopt), 7);
    EXPECT_EQ(count(2, std::nullopt), 5);
    EXPECT_EQ(count(2, 4), 4);
    EXPECT_EQ(count(4, 4), 3) << "no more than there are";
}

TEST_F(PictureCount, OfPairsIsLessByTheStep) {
    MotionOptions options;
    options.input = path_;
    options.seek = 1;
    options.step = 2;
    PicturePairs pairs(options);
    ASSERT_TRUE(pairs.start());
    EXPECT_EQ(pairs.count(), 4);
    int given = 0;
    while (pairs.next())
        ++given;
    EXPECT_EQ(given, 4);
    options.second = path_;
    PicturePairs two_files(options);
    ASSERT_TRUE(two_files.start());
    EXPECT_EQ(two_files.count(), 1);
}

} // namespace
} // namespace tandem::test
