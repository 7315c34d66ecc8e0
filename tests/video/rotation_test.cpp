// SPDX-License-Identifier: BSD-2-Clause
// Files that ask players to turn their pictures; made by the ffmpeg command for the test.
#include <gtest/gtest.h>

#include <utility>

#include "tests/video/libav/made_file.h"
#include "video/libav/reading/built_with_filters.h"
#include "video/source.h"

namespace tandem {
namespace {

using RotatedFile = test::MadeFile;

TEST_F(RotatedFile, TurnsPicturesAsAFileAsksPlayersTo) {
    if (!built_with_filters()) GTEST_SKIP() << "this build has no libavfilter";
    std::string bytes = test::contents(make("x.mp4", "-c:v mpeg4 -pix_fmt yuv420p -vf setsar=4/3"));
    const std::size_t header = bytes.find("tkhd");
    ASSERT_NE(header, std::string::npos);
    const auto plain = open_source(scratch_.path("x.mp4"))->read();
    const std::string one("\0\1\0\0", 4), minus("\xFF\xFF\0\0", 4), none(4, '\0');
    SourceOptions options;
    options.turned = true;
    struct Turn {
        std::string a, b, c, d; ///< ISO/IEC 14496-12 clause 8.3.2: x' = a x + c y, y' = b x + d y.
        /// Where a sample of the turned picture was.
        std::pair<int, int> (*from)(int x, int y);
    };
    const Turn turns[] = {{none, one, minus, none,
                           [](int x, int y) {
                               return std::pair{y, 47 - x};
                           }},
                          {none, minus, one, none,
                           [](int x, int y) {
                               return std::pair{63 - y, x};
                           }},
                          {none, one, one, none,
                           [](int x, int y) {
                               return std::pair{y, x};
                           }},
                          {none, minus, minus, none,
                           [](int x, int y) {
                               return std::pair{63 - y, 47 - x};
                           }},
                          {minus, none, none, minus,
                           [](int x, int y) {
                               return std::pair{63 - x, 47 - y};
                           }},
                          {minus, none, none, one,
                           [](int x, int y) {
                               return std::pair{63 - x, y};
                           }},
                          {one, none, none, minus, [](int x, int y) {
                               return std::pair{x, 47 - y};
                           }}};
    for (const Turn& turn : turns) {
        bytes.replace(header + 44, 20, turn.a + turn.b + none + turn.c + turn.d);
        const auto source = open_source(scratch_.file("y.mp4", bytes), options);
        const bool on_its_side = turn.a == none;
        EXPECT_EQ(source->format().rotation, 0);
        EXPECT_EQ(source->format().width, on_its_side ? 48 : 64);
        EXPECT_EQ(source->format().sample_aspect, on_its_side ? (Rational{3, 4}) : (Rational{4, 3}));
        EXPECT_NE(source->conversion_note().find("they are turned"), std::string::npos) << source->conversion_note();
        const auto frame = source->read();
        for (int y = 0; y < frame->height(); ++y)
            for (int x = 0; x < frame->width(); ++x) {
                const auto [from_x, from_y] = turn.from(x, y);
                ASSERT_EQ(frame->luma().view().at(x, y), plain->luma().view().at(from_x, from_y)) << x << " " << y;
            }
    }
}

} // namespace
} // namespace tandem
