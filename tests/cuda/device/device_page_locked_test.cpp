// SPDX-License-Identifier: BSD-2-Clause
// Where there is a GPU, planes lie in page-locked memory, which it reads itself; the fields are the same.
#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "cuda/device/handles.h"
#include "cuda/device/locked_pages.h"
#include "cuda/device/page_locked_samples.h"
#include "tests/cuda/device/device_fixture.h"
#include "tests/me/pictures.h"
#include "video/sample_memory.h"

namespace tandem::test {
namespace {

/// Ends with the kind of memory that the other tests have.
class DevicePageLockedTest : public DeviceTest {
  protected:
    void SetUp() override {
        DeviceTest::SetUp();
        if (!IsSkipped()) cuda::lock_pages_of_new_planes(0);
    }
};

FramePtr copy_with_border(const Frame& frame, int border) {
    auto copy = std::make_shared<Frame>(frame.width(), frame.height(), border);
    copy->plane(0).fill(0xA5);
    copy_and_extend(frame.luma().view(), copy->plane(0).view());
    return copy;
}

TEST_F(DevicePageLockedTest, LargePlanesAreReadByDevicesAndOthersAreNot) {
    const Frame locked(640, 360), small(64, 64);
    EXPECT_TRUE(cuda::is_page_locked(locked.luma().view().data));
    EXPECT_TRUE(cuda::is_page_locked(locked.luma().view().row(359)));
    EXPECT_FALSE(cuda::is_page_locked(small.luma().view().data));
    const std::vector<std::uint8_t> own(1000);
    EXPECT_FALSE(cuda::is_page_locked(own.data()));
    use_sample_memory(nullptr);
    EXPECT_FALSE(cuda::is_page_locked(Frame(640, 360).luma().view().data));
    EXPECT_TRUE(cuda::is_page_locked(locked.luma().view().data));
}

TEST_F(DevicePageLockedTest, LockedPagesAreZerosOfAnySize) {
    for (const std::size_t bytes : {1UL, 4096UL, 5000UL, (2UL << 20) - 1, 2UL << 20, (5UL << 20) + 17}) {
        for (int again = 0; again < 3; ++again) { // What was locked before was written to.
            const cuda::LockedPages pages(bytes);
            auto* const first = static_cast<std::uint8_t*>(pages.data());
            EXPECT_EQ(pages.bytes(), bytes);
            EXPECT_TRUE(cuda::is_page_locked(first));
            EXPECT_TRUE(cuda::is_page_locked(first + bytes - 1));
            EXPECT_EQ(std::count(first, first + bytes, 0), static_cast<std::ptrdiff_t>(bytes));
            std::memset(first, 0xA5, bytes);
        }
    }
}

/// A thread that works on the second device may need a plane in the middle of it.
TEST_F(DevicePageLockedTest, APlaneLeavesTheThreadItsDevice) {
    int count = 0;
    ASSERT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
    if (count < 2) GTEST_SKIP() << "there is one device alone";
    cuda::use_device(1);
    std::vector<FramePtr> frames;
    for (int i = 0; i < 40; ++i) { // More than one slab.
        frames.push_back(std::make_shared<Frame>(1280, 720));
        int device = -1;
        ASSERT_EQ(cudaGetDevice(&device), cudaSuccess);
        EXPECT_EQ(device, 1) << "after plane " << i;
    }
    cuda::use_device(0);
}

TEST_F(DevicePageLockedTest, PlanesDoNotShareMemoryInWhateverOrderTheyGo) {
    constexpr int count = 40, width = 640, height = 360;
    std::vector<FramePtr> frames;
    const auto fill = [&](int number) {
        auto frame = std::make_shared<Frame>(width, height, 16);
        frame->plane(0).fill(static_cast<std::uint8_t>(number));
        return frame;
    };
    for (int i = 0; i < count; ++i)
        frames.push_back(fill(i));
    for (int round = 0; round < 3; ++round) {
        for (int i = round; i < count; i += 3) { // Others stay where they were.
            frames[static_cast<std::size_t>(i)].reset();
            frames[static_cast<std::size_t>(i)] = fill(i);
        }
        for (int i = 0; i < count; ++i) {
            const PlaneView luma = frames[static_cast<std::size_t>(i)]->luma().view();
            ASSERT_TRUE(cuda::is_page_locked(luma.data));
            for (int y = 0; y < height; ++y)
                ASSERT_EQ(std::count(luma.row(y), luma.row(y) + width, i), width) << "plane " << i << " row " << y;
        }
    }
}

TEST_F(DevicePageLockedTest, SmallCasesOfPicturesInEitherMemory) {
    SearchParams params;
    params.range_x = params.range_y = 5;
    params.lambda_q8 = 300;
    const std::vector<std::array<int, 3>> shapes{{353, 287, 0}, {384, 200, 0}, {300, 260, 40}, {257, 301, 7}};
    for (const auto& [width, height, border] : shapes) {
        const PicturePair pair = make_pair(Content::smooth, width, height, 3);
        for (const bool locked_current : {false, true}) {
            for (const bool locked_reference : {false, true}) {
                const auto copy = [&](const FramePtr& frame, bool locked) {
                    if (locked)
                        cuda::lock_pages_of_new_planes(0);
                    else
                        use_sample_memory(nullptr);
                    FramePtr made = copy_with_border(*frame, border);
                    EXPECT_EQ(cuda::is_page_locked(made->luma().view().data), locked);
                    return made;
                };
                const FramePtr current = copy(pair.current, locked_current);
                EXPECT_TRUE(same_field({current, copy(pair.reference, locked_reference), params, nullptr}))
                    << width << "x" << height << " border " << border << (locked_current ? " current" : "")
                    << (locked_reference ? " reference" : "") << " page-locked";
            }
        }
    }
}

TEST_F(DevicePageLockedTest, APictureMayGoAsSoonAsItsFieldIsThere) {
    SearchParams params;
    params.range_x = params.range_y = 8;
    for (std::uint32_t i = 0; i < 40; ++i) {
        PicturePair pair = make_pair(Content::noise, 416, 240, i);
        const MotionField expected = cpu().estimate({pair.current, pair.reference, params, nullptr});
        FramePtr current = copy_with_border(*pair.current, 0), reference = copy_with_border(*pair.reference, 0);
        const MotionField found = gpu().estimate({current, reference, params, nullptr});
        current.reset();
        reference.reset(); // Their memory is the next pictures'.
        EXPECT_EQ(found, expected) << "picture " << i;
    }
}

} // namespace
} // namespace tandem::test
