// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "machine/errors.h"
#include "machine/task_pool.h"
#include "machine/threads.h"
#include "machine/workers.h"

namespace tandem {
namespace {

void expect_every_item_once(Workers& workers, int threads) {
    EXPECT_EQ(workers.threads(), threads);
    for (const int count : {0, 1, 2, 7, 1000}) {
        std::vector<std::atomic<int>> runs(static_cast<std::size_t>(count));
        std::vector<std::atomic<int>> at_once(static_cast<std::size_t>(threads));
        workers.for_each(count, [&](int item, int thread) {
            ASSERT_GE(thread, 0);
            ASSERT_LT(thread, threads);
            EXPECT_EQ(at_once[static_cast<std::size_t>(thread)]++, 0) << "a thread's number is its own";
            ++runs[static_cast<std::size_t>(item)];
            --at_once[static_cast<std::size_t>(thread)];
        });
        for (const auto& run : runs)
            ASSERT_EQ(run.load(), 1);
    }
}

TEST(Workers, RunEveryItemOnce) {
    for (const int threads : {1, 2, 3, 8}) {
        Workers workers(threads);
        expect_every_item_once(workers, threads);
        TaskPool pool(threads);
        Workers pooled(pool, 3);
        expect_every_item_once(pooled, threads);
    }
}

TEST(Workers, UrgentTasksOfThePoolGoBetweenTheirItems) {
    TaskPool pool(1);
    Workers pooled(pool, 10);
    std::vector<int> order;
    pooled.for_each(3, [&](int item, int) {
        order.push_back(item);
        if (item == 0) pool.run(1, [&] { order.push_back(100); });
    });
    EXPECT_EQ(order, (std::vector<int>{0, 100, 1, 2}));
}

TEST(Workers, AnExceptionComesBackFromAPoolAndTheNextLoopWorks) {
    TaskPool pool(2);
    Workers pooled(pool, 0);
    EXPECT_THROW(pooled.for_each(50,
                                 [](int item, int) {
                                     if (item == 7) throw std::runtime_error("seven");
                                 }),
                 std::runtime_error);
    expect_every_item_once(pooled, 2);
}

TEST(Workers, ASingleBodyRunsOnAThreadOfThePoolAndOnTheCallersElse) {
    TaskPool pool(2);
    Workers shared(pool, 0), own(2);
    int number = -1;
    shared.run([&] { number = TaskPool::number_of_this_thread(); });
    EXPECT_GE(number, 0);
    std::thread::id thread;
    own.run([&] { thread = std::this_thread::get_id(); });
    EXPECT_EQ(thread, std::this_thread::get_id());
    for (Workers* workers : {&shared, &own})
        EXPECT_THROW(workers->run([] { throw std::runtime_error("of the body"); }), std::runtime_error);
    shared.run([&] { number = -2; });
    EXPECT_EQ(number, -2);
}

TEST(Workers, BandsAreEveryRowOnce) {
    Workers workers(3);
    for (Workers* const any : {static_cast<Workers*>(nullptr), &workers}) {
        for (const int samples : {1, 5000, 16384, 1 << 18, 1 << 20}) {
            for (const int rows : {0, 1, 15, 16, 17, 51, 52, 53, 200}) {
                std::vector<std::atomic<int>> taken(static_cast<std::size_t>(rows));
                for_bands(any, rows, samples, [&](int first, int end) {
                    for (int row = first; row < end; ++row)
                        ++taken[static_cast<std::size_t>(row)];
                });
                for (const auto& row : taken)
                    ASSERT_EQ(row.load(), 1) << rows << " rows of " << samples;
            }
        }
    }
}

// Where a process may not have so much memory its threads have no stacks. Sanitizers reserve more than that.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(WorkersDeathTest, ThreadsThatCannotBeStartedAreAnErrorAndTheOthersEnd) {
    const auto start_too_many = [] {
        const rlimit limit{std::size_t{1} << 30, std::size_t{1} << 30};
        if (::setrlimit(RLIMIT_AS, &limit) != 0) std::_Exit(3);
        try {
            Workers workers(5000);
        } catch (const RunError& error) {
            std::fputs(error.what(), stderr);
            std::_Exit(0);
        }
        std::_Exit(4);
    };
    EXPECT_EXIT(start_too_many(), testing::ExitedWithCode(0), "thread [0-9]+ of 5000 cannot be started: ");
}
#endif

TEST(Workers, OneThreadTakesItemsInOrder) {
    Workers workers(1);
    std::vector<int> order;
    workers.for_each(50, [&](int item, int) { order.push_back(item); });
    std::vector<int> rising(50);
    std::iota(rising.begin(), rising.end(), 0);
    EXPECT_EQ(order, rising);
}

TEST(Workers, WhatABodyWritesIsSeenAfterTheLoop) {
    Workers workers(4);
    std::vector<int> squares(500);
    for (int round = 0; round < 200; ++round) {
        workers.for_each(500, [&](int item, int) { squares[static_cast<std::size_t>(item)] = item * round; });
        for (int i = 0; i < 500; ++i)
            ASSERT_EQ(squares[static_cast<std::size_t>(i)], i * round);
    }
}

TEST(Workers, AnExceptionComesBackAndTheNextLoopWorks) {
    for (const int threads : {1, 4}) {
        Workers workers(threads);
        std::atomic<int> begun{0};
        EXPECT_THROW(workers.for_each(10000,
                                      [&](int item, int) {
                                          ++begun;
                                          if (item == 5) throw std::runtime_error("five");
                                          // So slow that the others cannot end before the one that fails.
                                          if (item > 5) std::this_thread::sleep_for(std::chrono::milliseconds(1));
                                      }),
                     std::runtime_error);
        EXPECT_LT(begun.load(), 10000) << "items after the failure are not begun";
        std::atomic<int> sum{0};
        workers.for_each(100, [&](int item, int) { sum += item; });
        EXPECT_EQ(sum.load(), 4950);
    }
}

TEST(Workers, TwoCallersTakeTurns) {
    Workers workers(3);
    std::atomic<int> items{0};
    std::atomic<int> first_loops_items{0}, second_loops_items{0};
    std::atomic<bool> mixed{false};
    const auto loops = [&](std::atomic<int>& mine, const std::atomic<int>& others) {
        for (int round = 0; round < 100; ++round) {
            workers.for_each(20, [&](int, int) {
                ++mine;
                ++items;
                // A loop of the other caller that has begun has also ended: its items come in twenties.
                if (others.load() % 20 != 0) mixed = true;
            });
        }
    };
    std::thread other([&] { loops(second_loops_items, first_loops_items); });
    loops(first_loops_items, second_loops_items);
    other.join();
    EXPECT_EQ(items.load(), 2 * 100 * 20);
    EXPECT_FALSE(mixed.load());
}

TEST(Workers, RefuseFewerThanOneThread) {
    EXPECT_THROW(Workers(0), std::invalid_argument);
    EXPECT_GE(available_threads(), 1);
}

} // namespace
} // namespace tandem
