// SPDX-License-Identifier: BSD-2-Clause
#include "machine/task_pool.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <barrier>
#include <future>
#include <iterator>
#include <latch>
#include <memory>
#include <random>
#include <stdexcept>

namespace tandem {
namespace {

TEST(TaskPool, RunsEachTaskOnce) {
    std::vector<std::atomic<int>> times(1000);
    std::promise<void> all;
    std::atomic<int> left{1000};
    TaskPool pool(4);
    for (std::size_t i = 0; i < times.size(); ++i) {
        pool.run(static_cast<std::int64_t>(i % 7), [&, i] {
            ++times[i];
            if (--left == 0) all.set_value();
        });
    }
    all.get_future().wait();
    for (const auto& count : times)
        EXPECT_EQ(count, 1);
}

TEST(TaskPool, RunsLowerRanksFirstAndEqualsInTheirOrder) {
    std::vector<int> order;
    std::promise<void> begin, end;
    TaskPool pool(1);
    pool.run(0, [held = begin.get_future().share()] { held.wait(); });
    for (const auto& [rank, number] : {std::pair{3, 5}, {1, 1}, {2, 3}, {1, 2}, {2, 4}})
        pool.run(rank, [&order, number = number] { order.push_back(number); });
    pool.run(9, [&end] { end.set_value(); });
    begin.set_value();
    end.get_future().wait();
    EXPECT_EQ(order, (std::vector<int>{1, 2, 3, 4, 5}));
}

TEST(TaskPool, TasksMayQueueTasks) {
    std::promise<int> done;
    TaskPool pool(2);
    std::function<void(int)> count = [&](int n) {
        if (n == 100) return done.set_value(n);
        pool.run(0, [&, n] { count(n + 1); });
    };
    count(0);
    EXPECT_EQ(done.get_future().get(), 100);
}

// Each of them needs a thread of its own, so a thread that is not woken for one of them is missed by all.
TEST(TaskPool, TasksThatMeetAreAllBegun) {
    constexpr int threads = 5;
    TaskPool pool(threads);
    std::array<std::unique_ptr<std::barrier<>>, 400> meetings;
    std::latch all_ended(threads * std::ssize(meetings));
    for (std::size_t i = 0; i < meetings.size(); ++i) {
        meetings[i] = std::make_unique<std::barrier<>>(threads + 1);
        const auto meet = [&, i] {
            meetings[i]->arrive_and_wait();
            all_ended.count_down();
        };
        if (i % 2 == 0) {
            for (int task = 0; task < threads; ++task)
                pool.run(0, meet);
        } else {
            pool.run(0, [&pool, meet] { // From a task, which is one of them.
                for (int task = 1; task < threads; ++task)
                    pool.run(0, meet);
                meet();
            });
        }
        meetings[i]->arrive_and_wait();
    }
    all_ended.wait();
}

TEST(TaskPool, DropsWhatHasNotBegun) {
    std::atomic<int> ran{0};
    std::promise<void> running, go_on;
    auto held = go_on.get_future();
    auto pool = std::make_unique<TaskPool>(1);
    pool->run(0, [&] {
        running.set_value();
        held.wait();
        ++ran;
    });
    for (int i = 0; i < 5; ++i)
        pool->run(1, [] { std::this_thread::yield(); });
    running.get_future().wait();
    std::thread end([&] { pool.reset(); });
    go_on.set_value();
    end.join();
    EXPECT_EQ(ran, 1);
}

TEST(TaskPool, NeedsAThread) { EXPECT_THROW(TaskPool(0), std::invalid_argument); }

TEST(RowProgress, CallsWhenAllRowsFromTheTopAreFinished) {
    RowProgress rows(4);
    std::vector<int> called;
    rows.when_finished(-1, [&] { called.push_back(-1); });
    EXPECT_EQ(called, (std::vector<int>{-1}));
    rows.when_finished(2, [&] { called.push_back(2); });
    rows.when_finished(0, [&] { called.push_back(0); });
    rows.when_finished(9, [&] { called.push_back(9); });
    rows.finish(2);
    rows.finish(1);
    EXPECT_EQ(called, (std::vector<int>{-1}));
    rows.finish(0);
    EXPECT_EQ(called, (std::vector<int>{-1, 2, 0}));
    rows.when_finished(1, [&] { called.push_back(1); });
    EXPECT_EQ(called.back(), 1);
    rows.finish(3);
    EXPECT_EQ(called.back(), 9);
}

TEST(RowProgress, LosesNobodyBetweenThreads) {
    constexpr int rows = 64;
    for (int round = 0; round < 50; ++round) {
        RowProgress progress(rows);
        std::atomic<int> called{0};
        std::thread waits([&] {
            std::mt19937 random(static_cast<unsigned>(round));
            for (int i = 0; i < 200; ++i)
                progress.when_finished(static_cast<int>(random() % rows), [&] { ++called; });
        });
        std::thread finishes([&] {
            for (int row = rows - 1; row >= 0; --row)
                progress.finish(row);
        });
        waits.join();
        finishes.join();
        EXPECT_EQ(called, 200);
    }
}

} // namespace
} // namespace tandem
