// SPDX-License-Identifier: BSD-2-Clause
// Planes' memory goes round, and comes from where it was asked for.
#include "video/sample_memory.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <set>
#include <thread>
#include <vector>

#include "video/frame.h"

namespace tandem {
namespace {

/// Gives out pieces of its own until it is told to have none left, and counts.
class CountingSource : public SampleMemorySource {
  public:
    void* allocate(std::size_t bytes) noexcept override {
        if (has_none) return nullptr;
        ++given;
        void* memory = ::operator new (bytes, std::align_val_t{64}, std::nothrow);
        out.insert(memory);
        return memory;
    }
    void release(void* memory) noexcept override {
        EXPECT_EQ(out.erase(memory), 1U) << "released what was not given";
        ::operator delete (memory, std::align_val_t{64});
    }

    bool has_none = false;
    int given = 0;
    std::set<void*> out;
};

/// Ends with the heap as the source, whatever happens in between.
class SampleMemoryTest : public testing::Test {
  protected:
    SampleMemoryTest() { use_sample_memory(source); }
    ~SampleMemoryTest() override { use_sample_memory(nullptr); }

    std::shared_ptr<CountingSource> source = std::make_shared<CountingSource>();
};

constexpr std::size_t large = std::size_t{1} << 20;

TEST_F(SampleMemoryTest, LargePiecesComeFromTheSourceAndSmallOnesFromTheHeap) {
    const SampleMemory piece(large), small(1000);
    EXPECT_EQ(source->given, 1);
    EXPECT_TRUE(source->out.contains(piece.data()));
    EXPECT_FALSE(source->out.contains(small.data()));
    std::memset(piece.data(), 1, large);
    std::memset(small.data(), 1, 1000);
    EXPECT_EQ(SampleMemory().data(), nullptr);
}

TEST_F(SampleMemoryTest, WhatIsLetGoIsUsedAgainForTheSameSize) {
#if defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "under the address sanitizer every piece is fresh";
#endif
    void* first = nullptr;
    {
        const SampleMemory piece(large);
        first = piece.data();
    }
    EXPECT_EQ(source->out.size(), 1U) << "it is kept";
    const SampleMemory larger(large + 64), again(large), another(large);
    EXPECT_EQ(again.data(), first);
    EXPECT_NE(another.data(), first);
    EXPECT_EQ(source->given, 3);
}

TEST_F(SampleMemoryTest, KeepsAtMost512MiBAndTheNewest) {
#if defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "under the address sanitizer every piece is fresh";
#endif
    constexpr int count = 600;
    void* last = nullptr;
    {
        std::vector<SampleMemory> pieces;
        for (int i = 0; i < count; ++i)
            pieces.emplace_back(large);
        while (!pieces.empty()) {
            last = pieces.back().data();
            pieces.pop_back();
        }
    }
    EXPECT_EQ(source->out.size(), 512U);
    EXPECT_EQ(SampleMemory(large).data(), last);
    { const SampleMemory huge((std::size_t{512} << 20) + 1); }
    EXPECT_EQ(source->out.size(), 512U) << "more than all that is kept goes at once";
}

TEST_F(SampleMemoryTest, TheHeapStandsInForASourceThatHasNoneLeft) {
    source->has_none = true;
    const SampleMemory piece(large);
    ASSERT_NE(piece.data(), nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(piece.data()) % 64, 0U);
    std::memset(piece.data(), 1, large);
    EXPECT_EQ(source->given, 0);
}

TEST_F(SampleMemoryTest, ASourceLivesUntilItsLastPieceIsReleased) {
    std::weak_ptr<CountingSource> watched = source;
    auto piece = std::make_unique<SampleMemory>(large);
    { const SampleMemory spare(large); }
    use_sample_memory(nullptr);
    EXPECT_EQ(source->out.size(), 1U) << "spare pieces of another source go at once";
    source.reset();
    EXPECT_FALSE(watched.expired());
    std::memset(piece->data(), 1, large);
    piece.reset();
    EXPECT_TRUE(watched.expired()) << "and are not kept";
}

TEST_F(SampleMemoryTest, AForkedProcessTakesNothingOfItsParents) {
#if defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "under the address sanitizer every piece is fresh";
#endif
    { const SampleMemory spare(large); }
    ASSERT_EQ(source->out.size(), 1U);
    const pid_t process = fork();
    ASSERT_NE(process, -1);
    if (process == 0) {
        const SampleMemory piece(large);
        std::memset(piece.data(), 1, large);
        _exit(source->out.empty() && source->given == 1 ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(process, &status, 0), process);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(source->out.size(), 1U) << "the parent keeps what it had";
    const SampleMemory again(large);
    EXPECT_EQ(source->given, 1);
}

TEST_F(SampleMemoryTest, ThreadsShareIt) {
    use_sample_memory(nullptr);
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 4; ++thread) {
        threads.emplace_back([thread] {
            for (int i = 0; i < 300; ++i) {
                Frame frame(400 + 64 * (i % 3), 300);
                frame.plane(0).fill(static_cast<std::uint8_t>(thread));
                const PlaneView luma = std::as_const(frame).luma().view();
                for (int y = 0; y < 300; y += 50)
                    ASSERT_EQ(luma.at(17, y), thread);
            }
        });
    }
    for (std::thread& thread : threads)
        thread.join();
}

} // namespace
} // namespace tandem
