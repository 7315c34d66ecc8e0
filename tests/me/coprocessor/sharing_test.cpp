// SPDX-License-Identifier: BSD-2-Clause
// How the coprocessor shares work: several workers of a backend, requests cut into bands, the CPU beside others.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include "machine/errors.h"
#include "me/coprocessor/motion_answer.h"
#include "me/search.h"
#include "tests/me/coprocessor/fake_estimator.h"
#include "tests/me/pictures.h"

namespace tandem {
namespace {

using namespace std::chrono_literals;
using namespace test;

/// The CPU under another name: remembers which rows it was asked for, and fails when told to.
class BandEstimator final : public Estimator {
  public:
    struct Log {
        std::mutex mutex;
        std::multiset<std::pair<int, int>> bands;
    };
    BandEstimator(std::string name, Log& log, int fails_at = -1) : name_(std::move(name)), log_(log), left_(fails_at) {}
    std::string name() const override { return name_; }
    bool supports(const SearchParams& params) const override { return cpu_->supports(params); }
    MotionField estimate(const MotionRequest& request) override {
        if (left_-- == 0) break_down(0);
        {
            const std::lock_guard lock(log_.mutex);
            log_.bands.emplace(request.first_row, request.end_row);
        }
        return cpu_->estimate(request);
    }

  private:
    std::string name_;
    Log& log_;
    int left_;
    std::unique_ptr<Estimator> cpu_ = make_cpu_estimator(1);
};

MotionRequest real_request(Algorithm algorithm = Algorithm::full) {
    static const PicturePair pair = make_pan(80, 100, 3, -2, 7);
    MotionRequest request{pair.current, pair.reference, {}, nullptr};
    request.params.algorithm = algorithm;
    request.params.range_x = request.params.range_y = 6;
    request.params.candidates = 3;
    request.params.precision = 2;
    return request;
}

TEST(CutRows, PartsAreEvenAndFollowOneAnother) {
    for (const BlockRows rows : {BlockRows{0, 17}, BlockRows{3, 4}, BlockRows{5, 105}, BlockRows{2, 2}}) {
        for (const int bands : {1, 2, 3, 4, 7, 200}) {
            const std::vector<BlockRows> cut = cut_rows(rows, bands);
            const int count = rows.end - rows.first;
            ASSERT_EQ(static_cast<int>(cut.size()), std::max(1, std::min(bands, count)));
            int next = rows.first;
            for (const BlockRows& part : cut) {
                EXPECT_EQ(part.first, next);
                EXPECT_GE(part.end - part.first, count / static_cast<int>(cut.size()));
                EXPECT_LE(part.end - part.first, count / static_cast<int>(cut.size()) + 1);
                next = part.end;
            }
            EXPECT_EQ(next, rows.end);
        }
    }
}

TEST(Lanes, ABackendRunsAsManyRequestsAtOnceAsItSays) {
    Gate gate;
    Coprocessor coprocessor(list_of(fake(
                                "gpu:0", [&](int) { gate.wait(); }, 0, 3)),
                            fake("cpu"));
    std::vector<std::future<MotionResult>> futures;
    for (int i = 0; i < 5; ++i)
        futures.push_back(coprocessor.submit(request(i)));
    gate.wait_for_visitors(3);
    gate.open();
    for (int i = 0; i < 5; ++i) {
        const MotionResult result = futures[static_cast<std::size_t>(i)].get();
        EXPECT_EQ(mark_of(result), i);
        EXPECT_EQ(result.backend, "gpu:0");
    }
}

TEST(Lanes, TheBackendThatHasLessToDoTakesTheNext) {
    Gate gate;
    const auto hold = [&](int) { gate.wait(); };
    Coprocessor coprocessor(list_of(fake("a", hold, 0, 2), fake("b", hold, 0, 2)), fake("cpu"));
    std::vector<std::future<MotionResult>> futures;
    for (int i = 0; i < 4; ++i) {
        futures.push_back(coprocessor.submit(request(i)));
        gate.wait_for_visitors(i + 1);
    }
    gate.open();
    std::string order;
    for (std::future<MotionResult>& future : futures)
        order += future.get().backend;
    EXPECT_EQ(order, "abab");
}

TEST(Lanes, LanesThatFailTogetherAreOneWarningAndLoseNothing) {
    Warnings warnings;
    Gate gate;
    {
        Coprocessor coprocessor(list_of(fake(
                                    "gpu:0",
                                    [&](int call) {
                                        gate.wait();
                                        break_down(call);
                                    },
                                    0, 4)),
                                fake("cpu"), {.on_warning = warnings.callback()});
        std::vector<std::future<MotionResult>> futures;
        for (int i = 0; i < 9; ++i)
            futures.push_back(coprocessor.submit(request(i)));
        gate.wait_for_visitors(4);
        gate.open();
        for (int i = 0; i < 9; ++i)
            EXPECT_EQ(mark_of(futures[static_cast<std::size_t>(i)].get()), i);
        EXPECT_EQ(coprocessor.backend_names(), std::vector<std::string>{"cpu"});
    }
    EXPECT_EQ(warnings.texts().size(), 1u);
}

TEST(Lanes, HaveRowsOfTheirOwnInTheTrace) {
    Trace trace;
    Gate gate;
    {
        Coprocessor coprocessor(list_of(fake(
                                    "gpu:0", [&](int) { gate.wait(); }, 0, 2)),
                                fake("cpu"), {.trace = &trace});
        const auto first = coprocessor.submit(request(1)), second = coprocessor.submit(request(2));
        gate.wait_for_visitors(2);
        gate.open();
    }
    std::set<std::string> rows;
    for (const Trace::Span& span : trace.spans())
        rows.insert(span.thread);
    EXPECT_EQ(rows, (std::set<std::string>{"motion gpu:0", "motion gpu:0 worker 2"}));
}

TEST(Bands, TheFieldIsTheSameHoweverItIsCut) {
    for (const SearchRow& row : search_table()) {
        if (!is_built(row)) continue;
        SCOPED_TRACE(std::string(row.name));
        MotionRequest whole = real_request(row.algorithm);
        if (row.from_hint) {
            whole.hint = std::make_shared<MotionField>(make_cpu_estimator(1)->estimate(real_request()));
        }
        const MotionField expected = make_cpu_estimator(1)->estimate(whole);
        for (const int devices : {1, 2, 3}) {
            BandEstimator::Log log;
            std::vector<std::unique_ptr<Estimator>> backends;
            for (int i = 0; i < devices; ++i)
                backends.push_back(std::make_unique<BandEstimator>("gpu:" + std::to_string(i), log));
            {
                Coprocessor coprocessor(std::move(backends), make_cpu_estimator(1), {.split = Split::bands});
                const MotionResult result = coprocessor.submit(whole).get();
                EXPECT_TRUE(result.field == expected);
                EXPECT_EQ(result.backend.substr(0, 4), "gpu:");
            }
            EXPECT_EQ(static_cast<int>(log.bands.size()), devices);
        }
    }
}

TEST(Bands, APartOfAFieldIsCutToo) {
    MotionRequest part = real_request();
    part.first_row = 1;
    part.end_row = 6;
    BandEstimator::Log log;
    {
        Coprocessor coprocessor(
            list_of(std::make_unique<BandEstimator>("a", log), std::make_unique<BandEstimator>("b", log)),
            make_cpu_estimator(1), {.split = Split::bands});
        EXPECT_TRUE(coprocessor.submit(part).get().field == make_cpu_estimator(1)->estimate(part));
    }
    EXPECT_EQ(log.bands, (std::multiset<std::pair<int, int>>{{1, 3}, {3, 6}}));
}

TEST(Bands, AreMadeOnTheirOwnOnlyWhileBackendsWouldBeIdle) {
    Gate gate;
    std::atomic<int> searches{0};
    const auto hold = [&](int) {
        ++searches;
        gate.wait();
    };
    MotionRequest tall = request(5);
    tall.current = tall.reference = std::make_shared<Frame>(16, 64);
    Coprocessor coprocessor(list_of(fake("a", hold), fake("b", hold)), fake("cpu"));
    auto first = coprocessor.submit(tall);
    gate.wait_for_visitors(2);
    auto second = coprocessor.submit(tall), third = coprocessor.submit(tall);
    gate.open();
    EXPECT_EQ(first.get().backend, "a + b");
    EXPECT_EQ(mark_of(second.get()), 5);
    EXPECT_EQ(mark_of(third.get()), 5);
    EXPECT_EQ(searches, 4) << "two bands of the first, then whole pictures";
}

TEST(Bands, ABackendThatFailsInABandDoesNotShow) {
    const MotionRequest whole = real_request();
    const MotionField expected = make_cpu_estimator(1)->estimate(whole);
    for (const int fails_at : {0, 1, 2}) {
        Warnings warnings;
        BandEstimator::Log log;
        Coprocessor coprocessor(
            list_of(std::make_unique<BandEstimator>("a", log, fails_at), std::make_unique<BandEstimator>("b", log)),
            make_cpu_estimator(1), {.split = Split::bands, .on_warning = warnings.callback()});
        // The other may take both bands of a round, but not for ever.
        while (warnings.texts().empty())
            ASSERT_TRUE(coprocessor.submit(whole).get().field == expected);
        EXPECT_TRUE(coprocessor.submit(whole).get().field == expected);
        EXPECT_EQ(warnings.texts().size(), 1u);
    }
}

TEST(Bands, AnErrorInOneIsTheAnswer) {
    MotionRequest bad = real_request();
    BandEstimator::Log log;
    Coprocessor coprocessor(
        list_of(std::make_unique<BandEstimator>("a", log), std::make_unique<BandEstimator>("b", log)),
        make_cpu_estimator(1), {.split = Split::bands});
    for (const int end : {99, -2}) {
        bad.end_row = end;
        EXPECT_THROW(coprocessor.submit(bad).get(), InputError);
    }
    EXPECT_EQ(coprocessor.backend_names().size(), 3u);
}

/// Of rows whose measured positions nobody counts the whole field knows no number either.
TEST(Bands, RowsThatWereNotCountedStaySo) {
    MotionRequest tall = request(1);
    tall.current = tall.reference = std::make_shared<Frame>(16, 64);
    Coprocessor coprocessor(list_of(fake("a"), fake("b")), make_cpu_estimator(1), {.split = Split::bands});
    const MotionField field = coprocessor.submit(tall).get().field;
    for (int row = 0; row < 4; ++row)
        EXPECT_FALSE(field.is_counted(row)) << row;
}

/// How many of the requests the fallback answered.
int share_of_fallback(std::chrono::milliseconds backend, std::chrono::milliseconds fallback, int requests,
                      int at_once) {
    Coprocessor coprocessor(list_of(fake("gpu:0", [=](int) { std::this_thread::sleep_for(backend); })),
                            fake("cpu", [=](int) { std::this_thread::sleep_for(fallback); }),
                            {.fallback_shares = true});
    int share = 0;
    for (int done = 0; done < requests; done += at_once) {
        std::vector<std::future<MotionResult>> futures;
        for (int i = 0; i < at_once; ++i)
            futures.push_back(coprocessor.submit(request(i)));
        for (std::future<MotionResult>& future : futures)
            share += future.get().backend == "cpu" ? 1 : 0;
    }
    return share;
}

// How fast they are is measured, so they differ by more than what a busy machine adds.
TEST(SharingFallback, TakesWhatItFinishesSooner) {
    EXPECT_GE(share_of_fallback(50ms, 0ms, 30, 30), 5) << "a second and a half to do";
}

TEST(SharingFallback, LeavesWhatTheOthersFinishSooner) {
    // Four wait at most: the backend is through with them long before the fallback with one.
    EXPECT_LE(share_of_fallback(0ms, 500ms, 40, 4), 1) << "but for the one by which it is measured";
}

TEST(SharingFallback, DoesNothingUnlessAsked) {
    Coprocessor coprocessor(list_of(fake("gpu:0", [](int) { std::this_thread::sleep_for(200us); })), fake("cpu"));
    std::vector<std::future<MotionResult>> futures;
    for (int i = 0; i < 30; ++i)
        futures.push_back(coprocessor.submit(request(i)));
    for (std::future<MotionResult>& future : futures)
        EXPECT_EQ(future.get().backend, "gpu:0");
}

TEST(Audit, SeesEachFieldOfABackendAndItsErrorIsTheAnswer) {
    Warnings warnings;
    CoprocessorOptions options;
    options.on_warning = warnings.callback();
    options.audit = [](const MotionRequest& seen, std::int64_t picture, const MotionField& field,
                       const std::string& backend) {
        EXPECT_EQ(field.best(0, 0).mv.x, seen.params.range_x);
        EXPECT_EQ(backend, "gpu:0");
        if (picture == 7) throw RunError("picture 7 is wrong");
    };
    Coprocessor coprocessor(list_of(fake("gpu:0", {}, 5)), fake("cpu"), options);
    for (int i = 0; i < 10; ++i) {
        auto future = coprocessor.submit(request(i), i);
        if (i == 7)
            EXPECT_THROW(future.get(), RunError);
        else
            EXPECT_EQ(future.get().backend, i < 5 ? "cpu" : "gpu:0");
    }
    EXPECT_TRUE(warnings.texts().empty()) << "what an audit finds is no failure of the backend";
}

} // namespace
} // namespace tandem
