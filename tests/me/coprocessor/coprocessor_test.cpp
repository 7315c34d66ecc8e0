// SPDX-License-Identifier: BSD-2-Clause
// The asynchronous side, with estimators that delay, reorder and fail.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "machine/errors.h"
#include "me/coprocessor/coprocessor.h"
#include "tests/me/coprocessor/fake_estimator.h"
#include "tests/me/pictures.h"

namespace tandem {
namespace {

using namespace std::chrono_literals;
using namespace test;

void expect_all_answered(Coprocessor& coprocessor, int count) {
    std::vector<std::future<MotionResult>> futures;
    for (int i = 0; i < count; ++i)
        futures.push_back(coprocessor.submit(request(i), i));
    for (int i = 0; i < count; ++i)
        EXPECT_EQ(mark_of(futures[static_cast<std::size_t>(i)].get()), i);
}

TEST(Coprocessor, TheFallbackAloneIsEnough) {
    Coprocessor coprocessor({}, fake("cpu"));
    EXPECT_EQ(coprocessor.backend_names(), std::vector<std::string>{"cpu"});
    expect_all_answered(coprocessor, 100);
    EXPECT_EQ(coprocessor.submit(request(5)).get().backend, "cpu");
}

TEST(Coprocessor, GivesTheRealFieldOfTheCpuEstimator) {
    const test::PicturePair pair = test::make_pan(64, 48, 2, 1, 1);
    const MotionRequest real{pair.current, pair.reference, {}, nullptr};
    Coprocessor coprocessor({}, make_cpu_estimator(2));
    EXPECT_EQ(coprocessor.submit(real).get().field, make_cpu_estimator(1)->estimate(real));
}

TEST(Coprocessor, AnswersBelongToTheirRequestsWhateverTheOrderOfCompletion) {
    const auto odd_delay = [](int call) { std::this_thread::sleep_for(call % 3 == 0 ? 3ms : 0ms); };
    Coprocessor coprocessor(list_of(fake("a", odd_delay), fake("b",
                                                               [](int call) {
                                                                   if (call % 2 == 1) std::this_thread::sleep_for(1ms);
                                                               })),
                            fake("cpu"));
    expect_all_answered(coprocessor, 60);
}

TEST(Coprocessor, AnIdleBackendTakesWhatABusyOneCannot) {
    Gate gate;
    Coprocessor coprocessor(list_of(fake("slow", [&](int) { gate.wait(); }), fake("quick")), fake("cpu"));
    std::future<MotionResult> first = coprocessor.submit(request(1));
    gate.wait_for_visitors(1);
    const MotionResult second = coprocessor.submit(request(2)).get();
    EXPECT_EQ(second.backend, "quick");
    EXPECT_EQ(mark_of(second), 2);
    gate.open();
    EXPECT_EQ(first.get().backend, "slow");
}

TEST(Coprocessor, TheFirstIdleBackendIsPreferred) {
    Coprocessor coprocessor(list_of(fake("first"), fake("second")), fake("cpu"));
    for (int i = 0; i < 50; ++i) {
        const MotionResult result = coprocessor.submit(request(i)).get();
        EXPECT_NE(result.backend, "cpu");
    }
}

TEST(Coprocessor, BackendsAreNamedOnceEach) {
    std::string names;
    for (const char* more : {"gpu:0 H200", "", "gpu:0 H200 + gpu:1 H200", "gpu:1 H200", "cpu + gpu:0 H200", "gpu:0"})
        add_backends(names, more);
    EXPECT_EQ(names, "gpu:0 H200 + gpu:1 H200 + cpu + gpu:0");
}

TEST(Coprocessor, WhatABackendDoesNotSupportGoesToOneThatDoes) {
    Coprocessor coprocessor(list_of(fake("far", {}, 100)), fake("cpu"));
    EXPECT_EQ(coprocessor.submit(request(99)).get().backend, "cpu");
    EXPECT_EQ(coprocessor.submit(request(100)).get().backend, "far");
}

TEST(Coprocessor, ParametersThatNobodySupportsAreRefusedAtOnce) {
    Coprocessor coprocessor({}, make_cpu_estimator(1));
    MotionRequest bad = request(4);
    bad.params.block_width = 1;
    EXPECT_THROW(coprocessor.submit(bad), InputError);
}

TEST(Coprocessor, ABackendThatFailsAtTheNthRequestIsRetiredOnceAndNothingIsLost) {
    for (const int n : {0, 1, 7}) {
        Warnings warnings;
        Coprocessor coprocessor(list_of(fake("gpu:0",
                                             [n](int call) {
                                                 if (call == n) break_down(call);
                                             })),
                                fake("cpu"), {.on_warning = warnings.callback()});
        expect_all_answered(coprocessor, 30);
        EXPECT_EQ(coprocessor.backend_names(), std::vector<std::string>{"cpu"});
        ASSERT_EQ(warnings.texts().size(), 1u);
        EXPECT_NE(warnings.texts()[0].find("gpu:0"), std::string::npos);
        EXPECT_NE(warnings.texts()[0].find("fell off the bus"), std::string::npos);
        EXPECT_EQ(coprocessor.submit(request(3)).get().backend, "cpu");
    }
}

TEST(Coprocessor, AllBackendsGetReadyAndOneThatFailsAtItIsRetired) {
    Warnings warnings;
    std::atomic<int> ready{0};
    const auto backend = [&](const char* name, bool breaks) {
        auto estimator = std::make_unique<FakeEstimator>(name);
        estimator->on_prepare = [&, breaks](const SearchParams& params, int width, int height) {
            EXPECT_EQ(params.range_x, 7);
            EXPECT_EQ(width, 48);
            EXPECT_EQ(height, 32);
            ++ready;
            if (breaks) throw RunError("no memory");
        };
        return estimator;
    };
    Coprocessor coprocessor(list_of(backend("broken", true), backend("sound", false)), backend("cpu", false),
                            {.on_warning = warnings.callback()});
    coprocessor.prepare(request(7).params, 48, 32);
    EXPECT_EQ(ready.load(), 2) << "the fallback has nothing to do";
    coprocessor.prepare(request(7).params, 48, 32);
    EXPECT_EQ(ready.load(), 3) << "a retired one is not touched again";
    EXPECT_EQ(coprocessor.backend_names(), (std::vector<std::string>{"sound", "cpu"}));
    ASSERT_EQ(warnings.texts().size(), 1u);
    EXPECT_NE(warnings.texts().front().find("no memory"), std::string::npos);
    EXPECT_EQ(coprocessor.submit(request(7)).get().backend, "sound");
}

TEST(Coprocessor, AFailedRequestRunsAgainOnAnotherBackendBeforeTheFallback) {
    Warnings warnings;
    Gate gate;
    Coprocessor coprocessor(list_of(fake("broken", break_down), fake("sound")), fake("cpu"),
                            {.on_warning = warnings.callback()});
    for (int i = 0; i < 20; ++i)
        EXPECT_EQ(coprocessor.submit(request(i)).get().backend, "sound");
    EXPECT_EQ(coprocessor.backend_names(), (std::vector<std::string>{"sound", "cpu"}));
    EXPECT_EQ(warnings.texts().size(), 1u);
}

TEST(Coprocessor, WhenAllBackendsFailTheFallbackDoesTheWork) {
    Warnings warnings;
    Coprocessor coprocessor(list_of(fake("a", break_down), fake("b", [](int) { throw 42; })), fake("cpu"),
                            {.on_warning = warnings.callback()});
    expect_all_answered(coprocessor, 40);
    EXPECT_LE(warnings.texts().size(), 2u);
    EXPECT_EQ(coprocessor.submit(request(1)).get().backend == "cpu", coprocessor.backend_names().size() == 1);
}

TEST(Coprocessor, AFailureOfTheFallbackReachesTheFutureAndTheNextRequestRuns) {
    Coprocessor coprocessor({}, fake("cpu", [](int call) {
                                if (call == 0) throw RunError("out of memory");
                            }));
    std::future<MotionResult> first = coprocessor.submit(request(1));
    EXPECT_THROW(first.get(), RunError);
    EXPECT_EQ(mark_of(coprocessor.submit(request(2)).get()), 2);
}

TEST(Coprocessor, AnInputErrorReachesTheFutureAndRetiresNobody) {
    Warnings warnings;
    Coprocessor coprocessor(list_of(fake("gpu:0",
                                         [](int call) {
                                             if (call == 0) throw InputError("pictures of different sizes");
                                         })),
                            fake("cpu"), {.on_warning = warnings.callback()});
    EXPECT_THROW(coprocessor.submit(request(1)).get(), InputError);
    EXPECT_EQ(coprocessor.submit(request(2)).get().backend, "gpu:0");
    EXPECT_TRUE(warnings.texts().empty());
}

TEST(Coprocessor, SubmitWaitsWhileTheQueueIsFull) {
    Gate gate;
    Coprocessor coprocessor({}, fake("cpu", [&](int) { gate.wait(); }), {.queue_capacity = 2});
    std::vector<std::future<MotionResult>> futures;
    futures.push_back(coprocessor.submit(request(0)));
    gate.wait_for_visitors(1);
    for (int i = 1; i <= 2; ++i)
        futures.push_back(coprocessor.submit(request(i)));
    std::atomic<bool> accepted{false};
    std::thread producer([&] {
        futures.push_back(coprocessor.submit(request(3)));
        accepted = true;
    });
    std::this_thread::sleep_for(20ms);
    EXPECT_FALSE(accepted);
    gate.open();
    producer.join();
    for (int i = 0; i < 4; ++i)
        EXPECT_EQ(mark_of(futures[static_cast<std::size_t>(i)].get()), i);
}

TEST(Coprocessor, DestructionEndsTheRunningRequestAndBreaksTheWaitingOnes) {
    Gate gate;
    std::vector<std::future<MotionResult>> futures;
    std::thread opener;
    {
        Coprocessor coprocessor({}, fake("cpu", [&](int) { gate.wait(); }));
        for (int i = 0; i < 5; ++i)
            futures.push_back(coprocessor.submit(request(i)));
        gate.wait_for_visitors(1);
        opener = std::thread([&] {
            EXPECT_THROW(futures[4].get(), RunError);
            gate.open();
        });
    }
    opener.join();
    EXPECT_EQ(mark_of(futures[0].get()), 0);
    for (std::size_t i = 1; i < 4; ++i)
        EXPECT_THROW(futures[i].get(), RunError);
}

TEST(Coprocessor, ABackendThatFailsDuringDestructionBreaksItsRequest) {
    Gate gate;
    std::future<MotionResult> running, waiting;
    std::thread opener;
    {
        Coprocessor coprocessor(list_of(fake("gpu:0",
                                             [&](int call) {
                                                 gate.wait();
                                                 break_down(call);
                                             })),
                                fake("cpu"));
        running = coprocessor.submit(request(1));
        gate.wait_for_visitors(1);
        waiting = coprocessor.submit(request(2));
        opener = std::thread([&] {
            EXPECT_THROW(waiting.get(), RunError);
            gate.open();
        });
    }
    opener.join();
    EXPECT_THROW(running.get(), RunError);
}

TEST(Coprocessor, ManySubmittersAndFailuresAtOnce) {
    Warnings warnings;
    std::atomic<int> answered{0};
    {
        const auto fail_late = [](int call) {
            if (call == 20) break_down(call);
        };
        Coprocessor coprocessor(list_of(fake("a", fail_late), fake("b", fail_late)), fake("cpu"),
                                {.queue_capacity = 3, .on_warning = warnings.callback()});
        std::vector<std::thread> submitters;
        for (int t = 0; t < 4; ++t) {
            submitters.emplace_back([&, t] {
                for (int i = 0; i < 50; ++i) {
                    if (mark_of(coprocessor.submit(request(100 * t + i)).get()) == 100 * t + i) ++answered;
                }
            });
        }
        for (std::thread& submitter : submitters)
            submitter.join();
    }
    EXPECT_EQ(answered, 200);
    EXPECT_EQ(warnings.texts().size(), 2u);
}

TEST(Coprocessor, TracesEachRequestUnderItsBackendAndPicture) {
    Trace trace;
    {
        Coprocessor coprocessor({}, fake("cpu", [](int) { std::this_thread::sleep_for(1ms); }), {.trace = &trace});
        for (int i = 0; i < 3; ++i)
            EXPECT_GE(coprocessor.submit(request(i), 10 + i).get().duration, 1ms);
    }
    const std::vector<Trace::Span> spans = trace.spans();
    ASSERT_EQ(spans.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(spans[i].name, "motion");
        EXPECT_EQ(spans[i].thread, "motion cpu");
        EXPECT_EQ(spans[i].picture, 10 + static_cast<int>(i));
        EXPECT_LE(spans[i].begin_us, spans[i].end_us);
    }
}

TEST(Coprocessor, RefusesAQueueWithoutRoomAndBackendsThatAreNull) {
    EXPECT_THROW(Coprocessor({}, fake("cpu"), {.queue_capacity = 0}), std::invalid_argument);
    EXPECT_THROW(Coprocessor({}, nullptr), std::invalid_argument);
    EXPECT_THROW(Coprocessor(list_of(nullptr), fake("cpu")), std::invalid_argument);
}

} // namespace
} // namespace tandem
