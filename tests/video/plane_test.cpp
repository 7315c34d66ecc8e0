// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <stdexcept>

#include "machine/workers.h"
#include "tests/files/scratch.h"
#include "video/frame.h"

namespace tandem {
namespace {

TEST(Plane, IsAlignedAsPromised) {
    std::mt19937 random(1);
    for (int i = 0; i < 200; ++i) {
        const int width = 1 + static_cast<int>(random() % 1200), height = 1 + static_cast<int>(random() % 50);
        const int border = static_cast<int>(random() % 100);
        const Plane plane(width, height, border);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(plane.view().data) % 64, 0U);
        EXPECT_EQ(plane.stride() % 64, 0);
        EXPECT_NE(plane.stride() % 512, 0);
        EXPECT_GE(plane.stride(), width + 2 * border);
    }
}

TEST(Plane, RefusesSizesBelowOneAndBadBorders) {
    EXPECT_THROW(Plane(0, 5), std::invalid_argument);
    EXPECT_THROW(Plane(5, -1), std::invalid_argument);
    EXPECT_THROW(Plane(5, 5, -1), std::invalid_argument);
    EXPECT_THROW(Plane(5, 5, 4097), std::invalid_argument);
    EXPECT_NO_THROW(Plane(1, 1, 4096));
}

TEST(Plane, BorderRepeatsTheNearestSample) {
    std::mt19937 random(2);
    for (const int border : {0, 1, 7, 64, 65}) {
        for (const auto& [width, height] : {std::pair{1, 1}, {3, 2}, {17, 33}, {64, 5}}) {
            Plane plane(width, height, border);
            const MutablePlaneView view = plane.view();
            for (int y = 0; y < height; ++y) {
                for (int x = 0; x < width; ++x)
                    view.at(x, y) = static_cast<std::uint8_t>(random());
            }
            plane.extend_border();
            for (int y = -border; y < height + border; ++y) {
                for (int x = -border; x < width + border; ++x) {
                    ASSERT_EQ(view.at(x, y), view.at(std::clamp(x, 0, width - 1), std::clamp(y, 0, height - 1)))
                        << x << ',' << y << " of " << width << 'x' << height << " border " << border;
                }
            }
        }
    }
}

TEST(Plane, FillSetsTheBorderToo) {
    Plane plane(5, 3, 9);
    plane.fill(77);
    for (int y = -9; y < 3 + 9; ++y) {
        for (int x = -9; x < 5 + 9; ++x)
            ASSERT_EQ(plane.view().at(x, y), 77);
    }
}

TEST(Plane, CopyAndExtendPadsToTheRightAndBelow) {
    const auto small = test::random_frame(19, 7, 3);
    Plane large(32, 16, 2);
    large.fill(1);
    copy_and_extend(small->luma().view(), large.view());
    for (int y = 0; y < 16; ++y) {
        for (int x = 0; x < 32; ++x) {
            ASSERT_EQ(large.view().at(x, y), small->luma().view().at(std::min(x, 18), std::min(y, 6)));
        }
    }
    EXPECT_EQ(large.view().at(-1, 0), 1) << "the border is not part of the plane";
    Plane same(19, 7);
    copy_and_extend(small->luma().view(), same.view());
    for (int y = 0; y < 7; ++y) {
        EXPECT_TRUE(std::equal(same.view().row(y), same.view().row(y) + 19, small->luma().view().row(y)));
    }
}

TEST(Frame, GrowsAsACopyThatIsExtended) {
    for (const auto& [width, height] : {std::pair{1, 1}, {16, 16}, {17, 31}, {64, 40}, {353, 287}, {512, 8}}) {
        Frame frame(width, height);
        Frame copy((width + 15) / 16 * 16, (height + 15) / 16 * 16);
        for (int i = 0; i < 3; ++i) {
            const MutablePlaneView view = frame.plane(i).view();
            for (int y = 0; y < view.height; ++y)
                for (int x = 0; x < view.width; ++x)
                    view.at(x, y) = static_cast<std::uint8_t>(7 * x + 13 * y + i);
            copy_and_extend(view, copy.plane(i).view());
        }
        frame.grow(copy.width(), copy.height());
        for (int i = 0; i < 3; ++i) {
            const PlaneView grown = frame.plane(i).view(), expected = copy.plane(i).view();
            ASSERT_EQ(grown.width, expected.width);
            ASSERT_EQ(grown.height, expected.height);
            ASSERT_EQ(grown.stride, expected.stride);
            for (int y = 0; y < grown.height; ++y)
                ASSERT_TRUE(std::equal(grown.row(y), grown.row(y) + grown.width, expected.row(y))) << width << " " << y;
        }
    }
}

TEST(Frame, DoesNotGrowBeyondItsRoom) {
    EXPECT_THROW(Frame(16, 16).grow(16, 32), std::logic_error);
    EXPECT_THROW(Frame(64, 16).grow(80, 16), std::logic_error);
    EXPECT_THROW(Frame(17, 17).grow(16, 32), std::logic_error);
    EXPECT_THROW(Frame(17, 17, 8).grow(32, 32), std::logic_error);
}

TEST(Plane, CopyAndExtendIsTheSameByWorkers) {
    Workers workers(3);
    for (const int height : {63, 130, 200}) {
        const auto small = test::random_frame(19, height, 4);
        Plane alone(32, 208), shared(32, 208);
        shared.fill(165);
        copy_and_extend(small->luma().view(), alone.view());
        copy_and_extend(small->luma().view(), shared.view(), &workers);
        for (int y = 0; y < 208; ++y)
            ASSERT_TRUE(std::equal(alone.view().row(y), alone.view().row(y) + 32, shared.view().row(y))) << y;
    }
}

TEST(Frame, ChromaIsHalfRoundedUp) {
    const Frame odd(17, 33, 5);
    EXPECT_EQ(odd.plane(1).width(), 9);
    EXPECT_EQ(odd.plane(2).height(), 17);
    EXPECT_EQ(odd.plane(1).border(), 3);
    const Frame least(1, 1);
    EXPECT_EQ(least.plane(2).width(), 1);
}

TEST(Frame, SerialNumbersAreNeverUsedAgain) {
    std::set<std::uint64_t> seen;
    for (int i = 0; i < 100; ++i)
        EXPECT_TRUE(seen.insert(Frame(2, 2).serial()).second);
}

} // namespace
} // namespace tandem
