// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <string>
#include <thread>

#include "machine/errors.h"
#include "machine/task_pool.h"
#include "me/search/kept_values.h"

namespace tandem {
namespace {

using Names = KeptValues<int, std::string>;

class KeptValuesTest : public testing::Test {
  protected:
    /// Counts how often it is called.
    auto make(std::string name) {
        return [this, name = std::move(name)] {
            ++made_;
            return std::make_shared<const std::string>(name);
        };
    }

    Workers alone_{1};
    Names names_{2};
    std::atomic<int> made_{0};
};

TEST_F(KeptValuesTest, TheLastOnesAreKept) {
    const auto one = names_.of(1, alone_, make("one"));
    EXPECT_EQ(names_.of(1, alone_, make("other")), one);
    names_.of(2, alone_, make("two"));
    names_.of(3, alone_, make("three"));
    EXPECT_EQ(made_, 3);
    EXPECT_EQ(*names_.of(1, alone_, make("again")), "again");
    EXPECT_EQ(*one, "one") << "whoever holds it has it still";
}

TEST_F(KeptValuesTest, WhoComesMeanwhileGetsTheSame) {
    std::promise<void> begun, finish;
    std::thread first([&] {
        names_.of(1, alone_, [&] {
            begun.set_value();
            finish.get_future().wait();
            return make("one")();
        });
    });
    begun.get_future().wait();
    auto second = std::async(std::launch::async, [&] {
        Workers alone(1);
        return names_.of(1, alone, make("other"));
    });
    EXPECT_EQ(*names_.of(2, alone_, make("two")), "two") << "others are made meanwhile";
    finish.set_value();
    first.join();
    EXPECT_EQ(*second.get(), "one");
    EXPECT_EQ(made_, 2);
}

// The pool's only thread would wait for work that nobody else does.
TEST_F(KeptValuesTest, AThreadOfThePoolDoesNotWaitForAMakerThatNeedsIt) {
    TaskPool pool(1);
    Workers pooled(pool, 0);
    std::promise<std::string> got;
    const auto made = names_.of(1, pooled, [&] {
        pool.run(-1, [&] {
            Workers alone(1);
            got.set_value(*names_.of(1, alone, make("the task's")));
        });
        pooled.for_each(2, [](int, int) {});
        return make("the pool's")();
    });
    EXPECT_EQ(*made, "the pool's");
    EXPECT_EQ(got.get_future().get(), "the task's");
    EXPECT_EQ(made_, 2);
    EXPECT_EQ(names_.of(1, alone_, make("other")), made) << "both are kept, and the older one is found";
}

TEST_F(KeptValuesTest, NothingIsKeptOfAFailure) {
    const auto fail = []() -> Names::ValuePtr { throw RunError("lost"); };
    EXPECT_THROW(names_.of(1, alone_, fail), RunError);
    EXPECT_EQ(*names_.of(1, alone_, make("one")), "one");
}

} // namespace
} // namespace tandem
