// SPDX-License-Identifier: BSD-2-Clause
// Memory that is missing at each place in turn: whichever thread meets it, the caller gets to know.
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <vector>

#include "machine/errors.h"
#include "machine/workers.h"
#include "tests/me/coprocessor/fake_estimator.h"
#include "tests/me/coprocessor/missing_memory.h"

namespace tandem {
namespace {

using namespace test;

TEST(MissingMemory, OfThreadsThatShareALoop) {
    const auto run = [] {
        Workers workers(4);
        std::atomic<int> sum{0};
        workers.for_each(10, [&](int item, int) { sum += item; });
        EXPECT_EQ(sum, 45);
    };
    EXPECT_GT(failures_of(run), 0);
}

TEST(MissingMemory, OfTheCoprocessor) {
    const auto run = [] {
        Coprocessor coprocessor({}, fake("cpu", {}, 0, 2));
        auto first = coprocessor.submit(request(1));
        auto second = coprocessor.submit_batch({request(2), request(3)});
        EXPECT_EQ(mark_of(first.get()), 1);
        EXPECT_EQ(mark_of(second.front().get()), 2);
        EXPECT_EQ(mark_of(second.back().get()), 3);
    };
    EXPECT_GT(failures_of(run), 0);
}

TEST(MissingMemory, WhereABackendIsRetired) {
    Warnings warnings;
    const auto run = [&] {
        Coprocessor coprocessor(list_of(fake("gpu", break_down)), fake("cpu"), {.on_warning = warnings.callback()});
        EXPECT_EQ(mark_of(coprocessor.submit(request(1)).get()), 1);
    };
    EXPECT_GT(failures_of(run), 0);
}

TEST(MissingMemory, AtTheEnd) {
    const auto run = [] {
        std::vector<std::future<MotionResult>> left(5);
        {
            Coprocessor coprocessor({}, fake("cpu"));
            for (std::future<MotionResult>& future : left)
                future = coprocessor.submit(request(1));
        }
        for (std::future<MotionResult>& future : left) {
            try {
                EXPECT_EQ(mark_of(future.get()), 1);
            } catch (const RunError&) { // It was too late for that one.
            }
        }
    };
    EXPECT_GT(failures_of(run), 0);
}

} // namespace
} // namespace tandem
