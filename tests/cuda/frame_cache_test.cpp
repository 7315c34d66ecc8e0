// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/device/frame_cache.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace tandem::cuda {
namespace {

struct Copy {
    int number = 0;
};

class FrameCacheTest : public testing::Test {
  protected:
    int number_of(const FramePtr& frame) {
        return cache_.get(frame, [&] { return std::make_shared<Copy>(Copy{++made_}); })->number;
    }
    static FramePtr frame() { return std::make_shared<Frame>(16, 16); }

    FrameCache<Copy> cache_{3};
    int made_ = 0;
};

TEST_F(FrameCacheTest, MakesACopyOnce) {
    const FramePtr a = frame(), b = frame();
    EXPECT_EQ(number_of(a), 1);
    EXPECT_EQ(number_of(b), 2);
    EXPECT_EQ(number_of(a), 1);
    EXPECT_EQ(made_, 2);
}

TEST_F(FrameCacheTest, LetsGoOfFramesThatAreGone) {
    FramePtr a = frame();
    const FramePtr b = frame();
    number_of(a);
    number_of(b);
    a.reset();
    EXPECT_EQ(number_of(b), 2);
    EXPECT_EQ(cache_.size(), 1u);
}

TEST_F(FrameCacheTest, ANewFrameInTheMemoryOfAnOldOneIsAnotherFrame) {
    for (int i = 1; i <= 20; ++i)
        EXPECT_EQ(number_of(frame()), i);
}

TEST_F(FrameCacheTest, BeyondTheLimitTheOneUnusedLongestGoes) {
    const std::vector<FramePtr> frames{frame(), frame(), frame(), frame()};
    number_of(frames[0]);
    number_of(frames[1]);
    number_of(frames[2]);
    number_of(frames[0]);
    number_of(frames[3]);
    EXPECT_EQ(cache_.size(), 3u);
    EXPECT_EQ(number_of(frames[0]), 1);
    EXPECT_EQ(number_of(frames[1]), 5) << "made again";
}

TEST_F(FrameCacheTest, ThreadsShareOneCopy) {
    const FramePtr shared = frame();
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            for (int n = 0; n < 100; ++n)
                EXPECT_EQ(number_of(shared), 1);
        });
    }
    for (std::thread& thread : threads)
        thread.join();
}

} // namespace
} // namespace tandem::cuda
