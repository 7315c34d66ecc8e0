// SPDX-License-Identifier: BSD-2-Clause
// Backends that come while others work.
#include <gtest/gtest.h>

#include <latch>

#include "machine/errors.h"
#include "me/coprocessor/coprocessor.h"
#include "tests/me/coprocessor/fake_estimator.h"

namespace tandem {
namespace {

using namespace test;
using Names = std::vector<std::string>;

TEST(LateBackend, TakesWhatComesAfterIt) {
    Coprocessor coprocessor({}, fake("cpu"));
    EXPECT_EQ(coprocessor.submit(request(1)).get().backend, "cpu");
    coprocessor.add(fake("late"));
    EXPECT_EQ(coprocessor.backend_names(), (Names{"late", "cpu"}));
    for (int i = 0; i < 50; ++i) {
        const MotionResult result = coprocessor.submit(request(i)).get();
        EXPECT_EQ(result.backend, "late");
        EXPECT_EQ(mark_of(result), i);
    }
}

TEST(LateBackend, TakesWhatWaitsBehindABusyFallback) {
    Gate gate;
    Coprocessor coprocessor({}, fake("cpu", [&](int) { gate.wait(); }));
    std::future<MotionResult> first = coprocessor.submit(request(1));
    gate.wait_for_visitors(1);
    std::vector<std::future<MotionResult>> waiting;
    for (int i = 2; i < 20; ++i)
        waiting.push_back(coprocessor.submit(request(i)));
    coprocessor.add(fake("late"));
    for (int i = 2; i < 20; ++i) {
        const MotionResult result = waiting[static_cast<std::size_t>(i - 2)].get();
        EXPECT_EQ(result.backend, "late");
        EXPECT_EQ(mark_of(result), i);
    }
    gate.open();
    EXPECT_EQ(first.get().backend, "cpu");
}

TEST(LateBackend, LeavesWhatItDoesNotSupport) {
    Gate gate;
    Coprocessor coprocessor({}, fake("cpu", [&](int call) {
                                if (call == 0) gate.wait();
                            }));
    std::future<MotionResult> first = coprocessor.submit(request(1));
    gate.wait_for_visitors(1);
    std::future<MotionResult> near = coprocessor.submit(request(5)), far = coprocessor.submit(request(100));
    coprocessor.add(fake("late", {}, 100));
    EXPECT_EQ(far.get().backend, "late");
    gate.open();
    EXPECT_EQ(near.get().backend, "cpu");
    EXPECT_EQ(coprocessor.submit(request(99)).get().backend, "cpu");
    EXPECT_EQ(coprocessor.submit(request(101)).get().backend, "late");
}

TEST(LateBackend, IsPreparedLikeTheOthersBeforeItWorks) {
    Coprocessor coprocessor({}, fake("cpu"));
    coprocessor.prepare(request(7).params, 320, 240);
    auto late = std::make_unique<FakeEstimator>("late");
    std::string prepared;
    late->on_prepare = [&](const SearchParams& params, int width, int height) {
        prepared = std::to_string(params.range_x) + ' ' + std::to_string(width) + ' ' + std::to_string(height);
    };
    coprocessor.add(std::move(late));
    EXPECT_EQ(prepared, "7 320 240");
}

TEST(LateBackend, ThatFailsAtItsPreparationIsOneWarning) {
    Warnings warnings;
    Coprocessor coprocessor({}, fake("cpu"), {.on_warning = warnings.callback()});
    coprocessor.prepare(request(7).params, 320, 240);
    auto late = std::make_unique<FakeEstimator>("late");
    late->on_prepare = [](const SearchParams&, int, int) { throw RunError("no memory is left on it"); };
    coprocessor.add(std::move(late));
    EXPECT_EQ(warnings.texts(), Names{"late failed (no memory is left on it); motion estimation goes on without it"});
    EXPECT_EQ(coprocessor.backend_names(), Names{"cpu"});
    EXPECT_EQ(coprocessor.submit(request(3)).get().backend, "cpu");
}

TEST(LateBackend, ThatFailsAtWorkLeavesItToTheFallback) {
    Warnings warnings;
    Coprocessor coprocessor({}, fake("cpu"), {.on_warning = warnings.callback()});
    EXPECT_EQ(coprocessor.helpers(), 0);
    coprocessor.add(fake("late", break_down));
    EXPECT_EQ(coprocessor.helpers(), 1);
    for (int i = 0; i < 10; ++i)
        EXPECT_EQ(mark_of(coprocessor.submit(request(i)).get()), i);
    EXPECT_EQ(warnings.texts().size(), 1u);
    EXPECT_EQ(coprocessor.helpers(), 0);
    EXPECT_EQ(coprocessor.backend_names(), Names{"cpu"});
}

TEST(LateBackend, SeveralShareWithThoseThatAreThere) {
    std::latch meeting(3);
    const auto meet = [&](int) { meeting.arrive_and_wait(); };
    Coprocessor coprocessor(list_of(fake("first", meet)), fake("cpu"), {.split = Split::bands});
    coprocessor.add(fake("second", meet));
    coprocessor.add(fake("third", meet));
    EXPECT_EQ(coprocessor.backend_names(), (Names{"first", "second", "third", "cpu"}));
    MotionRequest tall = request(1);
    tall.current = tall.reference = std::make_shared<Frame>(16, 64);
    EXPECT_EQ(coprocessor.submit(tall).get().backend, "first + second + third");
}

TEST(LateBackend, MustBeThere) {
    Coprocessor coprocessor({}, fake("cpu"));
    EXPECT_THROW(coprocessor.add(nullptr), std::invalid_argument);
}

} // namespace
} // namespace tandem
