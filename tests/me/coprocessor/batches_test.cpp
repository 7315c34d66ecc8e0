// SPDX-License-Identifier: BSD-2-Clause
// Requests that the coprocessor gives to a backend together.
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "machine/errors.h"
#include "me/coprocessor/coprocessor.h"
#include "tests/me/coprocessor/fake_estimator.h"
#include "tests/me/pictures.h"

namespace tandem {
namespace {

using namespace std::chrono_literals;
using namespace test;

/// Answers with the lambda of each request, and remembers which came together.
class BatchEstimator final : public Estimator {
  public:
    using Batch = std::vector<int>;

    BatchEstimator(std::string name, int most, std::function<void(const Batch&)> behaviour = {}, int lanes = 1)
        : name_(std::move(name)), most_(most), lanes_(lanes), behaviour_(std::move(behaviour)) {}

    std::string name() const override { return name_; }
    bool supports(const SearchParams&) const override { return true; }
    int concurrency() const override { return lanes_; }
    int most_at_once(const SearchParams&, int, int) const override { return most_; }
    MotionField estimate(const MotionRequest& request) override {
        note({mark(request)});
        return field_of(request);
    }
    std::vector<MotionField> estimate_batch(std::span<const MotionRequest> requests) override {
        Batch batch;
        std::vector<MotionField> fields;
        for (const MotionRequest& request : requests) {
            EXPECT_TRUE(alike(request, requests.front()));
            batch.push_back(mark(request));
            fields.push_back(field_of(request));
        }
        note(batch);
        return fields;
    }

    std::vector<Batch> batches() const {
        const std::lock_guard lock(mutex_);
        return batches_;
    }

  private:
    static int mark(const MotionRequest& request) { return request.hint->best(0, 0).mv.x; }
    static MotionField field_of(const MotionRequest& request) { return *request.hint; }
    void note(const Batch& batch) {
        {
            const std::lock_guard lock(mutex_);
            batches_.push_back(batch);
        }
        if (behaviour_) behaviour_(batch);
    }

    std::string name_;
    int most_, lanes_;
    std::function<void(const Batch&)> behaviour_;
    mutable std::mutex mutex_;
    std::vector<Batch> batches_;
};

/// All alike but for their hints, which say who they are.
MotionRequest marked(int mark, int range = 16) {
    static const FramePtr frame = std::make_shared<Frame>(16, 16);
    auto hint = std::make_shared<MotionField>(16, 16, 16, 16, 1);
    hint->block(0, 0)[0] = {{static_cast<std::int16_t>(mark), 0}, 0, 0};
    MotionRequest request{frame, frame, {}, hint};
    request.params.range_x = range;
    return request;
}

class BatchesTest : public testing::Test {
  protected:
    using Batch = BatchEstimator::Batch;

    std::unique_ptr<Estimator> device(int most, std::function<void(const Batch&)> behaviour = {}, int lanes = 1) {
        auto made = std::make_unique<BatchEstimator>("device", most, std::move(behaviour), lanes);
        device_ = made.get();
        return made;
    }
    /// Queues request 0, waits until it is being run, then queues the others.
    void submit(Coprocessor& motion, const std::vector<MotionRequest>& requests) {
        for (std::size_t i = 0; i < requests.size(); ++i) {
            futures_.push_back(motion.submit(requests[i], static_cast<std::int64_t>(i)));
            if (i == 0) gate_.wait_for_visitors(1);
        }
    }
    static std::vector<MotionRequest> marked_to(int count) {
        std::vector<MotionRequest> requests;
        for (int i = 0; i < count; ++i)
            requests.push_back(marked(i));
        return requests;
    }
    void expect_all_answered(const std::string& backend) {
        for (std::size_t i = 0; i < futures_.size(); ++i) {
            const MotionResult result = futures_[i].get();
            EXPECT_EQ(mark_of(result), static_cast<int>(i));
            EXPECT_EQ(result.backend, backend);
        }
    }
    /// Holds the first batch until the gate opens.
    std::function<void(const Batch&)> held() {
        return [this](const Batch& batch) {
            if (batch.front() == 0) gate_.wait();
        };
    }

    Gate gate_;
    BatchEstimator* device_ = nullptr;
    std::vector<std::future<MotionResult>> futures_;
};

TEST_F(BatchesTest, WhatWaitsGoesTogetherUpToTheLimitInOrder) {
    Coprocessor motion(list_of(device(4, held())), fake("cpu"));
    submit(motion, marked_to(8));
    gate_.open();
    expect_all_answered("device");
    EXPECT_EQ(device_->batches(), (std::vector<Batch>{{0}, {1, 2, 3, 4}, {5, 6, 7}}));
}

TEST_F(BatchesTest, OthersAreLeftInTheirPlaces) {
    Coprocessor motion(list_of(device(8, held())), fake("cpu"));
    submit(motion, {marked(0), marked(1), marked(2, 9), marked(3), marked(4, 9), marked(5, 7)});
    gate_.open();
    expect_all_answered("device");
    EXPECT_EQ(device_->batches(), (std::vector<Batch>{{0}, {1, 3}, {2, 4}, {5}}));
}

TEST_F(BatchesTest, BandsOfDifferentRowsAreNotAlike) {
    const MotionRequest whole = marked(1);
    MotionRequest band = whole;
    band.end_row = 1;
    EXPECT_FALSE(alike(whole, band));
    MotionRequest other = whole;
    other.reference = std::make_shared<Frame>(32, 16);
    EXPECT_FALSE(alike(whole, other));
    other.reference = nullptr;
    EXPECT_FALSE(alike(other, other)) << "of no size";
    EXPECT_TRUE(alike(whole, marked(2)));
}

TEST_F(BatchesTest, IdleWorkersGetTheirPart) {
    // Nothing but the order of workers that come for work decides, so the parts are told from their sizes.
    for (const int lanes : {2, 4}) {
        Gate gate;
        std::atomic<int> inside{0};
        const auto behaviour = [&](const Batch&) {
            ++inside;
            gate.wait();
        };
        BatchEstimator* made = nullptr;
        {
            auto estimator = std::make_unique<BatchEstimator>("device", 100, behaviour, lanes);
            made = estimator.get();
            Coprocessor motion(list_of(std::move(estimator)), fake("cpu"), {.split = Split::pictures});
            std::vector<std::future<MotionResult>> futures;
            for (const MotionRequest& request : marked_to(lanes))
                futures.push_back(motion.submit(request));
            gate.wait_for_visitors(lanes);
            EXPECT_EQ(inside, lanes) << "one each: none took what another could";
            EXPECT_EQ(made->batches().size(), static_cast<std::size_t>(lanes));
            gate.open();
            for (auto& future : futures)
                future.get();
        }
    }
}

TEST_F(BatchesTest, EachBackendTakesRunsOfRequestsThatFollowOneAnother) {
    Gate stuck; // The second backend gets request 1 and keeps it, so that the first takes all others.
    auto second = std::make_unique<BatchEstimator>("second", 1, [&](const Batch&) { stuck.wait(); });
    Coprocessor motion(list_of(device(1, held()), std::move(second)), fake("cpu"), {.split = Split::pictures});
    submit(motion, {marked(0)});
    futures_.push_back(motion.submit(marked(1)));
    stuck.wait_for_visitors(1);
    for (int i = 2; i < 32; ++i)
        futures_.push_back(motion.submit(marked(i)));
    gate_.open();
    for (std::size_t i = 2; i < futures_.size(); ++i)
        futures_[i].wait();
    std::vector<Batch> order{{0}};
    for (const auto& [begin, end] : {std::pair(2, 8), {16, 24}, {8, 16}, {24, 32}}) {
        for (int i = begin; i < end; ++i)
            order.push_back({i});
    }
    EXPECT_EQ(device_->batches(), order) << "its own eights, then what the other had left";
    stuck.open();
}

TEST_F(BatchesTest, ABackendThatFailsGivesThemAllBack) {
    Warnings warnings;
    const auto fail = [this](const Batch& batch) {
        if (batch.front() == 0) gate_.wait();
        if (batch.size() > 1) break_down(0);
    };
    auto second = std::make_unique<BatchEstimator>("second", 1);
    BatchEstimator* const other = second.get();
    Coprocessor motion(list_of(device(8, fail)), std::move(second), {.on_warning = warnings.callback()});
    submit(motion, marked_to(6));
    gate_.open();
    for (int i = 0; i < 6; ++i) {
        const MotionResult result = futures_[static_cast<std::size_t>(i)].get();
        EXPECT_EQ(mark_of(result), i);
        EXPECT_EQ(result.backend, i == 0 ? "device" : "second");
    }
    EXPECT_EQ(other->batches(), (std::vector<Batch>{{1}, {2}, {3}, {4}, {5}})) << "in their order";
    EXPECT_EQ(warnings.texts().size(), 1u);
}

TEST_F(BatchesTest, OneThatBreaksTheRulesIsTheOnlyOneToFail) {
    const auto refuse = [this](const Batch& batch) {
        if (batch.front() == 0) gate_.wait();
        if (std::ranges::find(batch, 3) != batch.end()) throw InputError("three is no number");
    };
    Warnings warnings;
    Coprocessor motion(list_of(device(8, refuse)), fake("cpu"), {.on_warning = warnings.callback()});
    submit(motion, marked_to(6));
    gate_.open();
    for (int i = 0; i < 6; ++i) {
        if (i == 3)
            EXPECT_THROW(futures_[3].get(), InputError);
        else
            EXPECT_EQ(mark_of(futures_[static_cast<std::size_t>(i)].get()), i);
    }
    EXPECT_TRUE(warnings.texts().empty());
    EXPECT_EQ(motion.backend_names().size(), 2u);
    EXPECT_EQ(device_->batches(), (std::vector<Batch>{{0}, {1, 2, 3, 4, 5}, {1}, {2}, {3}, {4}, {5}}));
}

/// Answers one request of a batch.
class ForgetfulEstimator final : public Estimator {
  public:
    std::string name() const override { return "forgetful"; }
    bool supports(const SearchParams&) const override { return true; }
    int most_at_once(const SearchParams&, int, int) const override { return 3; }
    MotionField estimate(const MotionRequest& request) override {
        gate.wait();
        return *request.hint;
    }
    std::vector<MotionField> estimate_batch(std::span<const MotionRequest> requests) override {
        return {*requests.front().hint};
    }
    Gate gate;
};

TEST_F(BatchesTest, ABackendThatLeavesSomeUnansweredIsRetired) {
    Warnings warnings;
    auto forgetful = std::make_unique<ForgetfulEstimator>();
    Gate& gate = forgetful->gate;
    Coprocessor motion(list_of(std::move(forgetful)), std::make_unique<BatchEstimator>("cpu", 1),
                       {.on_warning = warnings.callback()});
    futures_.push_back(motion.submit(marked(0)));
    gate.wait_for_visitors(1);
    for (int i = 1; i < 4; ++i)
        futures_.push_back(motion.submit(marked(i)));
    gate.open();
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_EQ(mark_of(futures_[i].get()), static_cast<int>(i));
    ASSERT_EQ(warnings.texts().size(), 1u);
    EXPECT_NE(warnings.texts().front().find("unanswered"), std::string::npos);
}

TEST_F(BatchesTest, ABatchIsOneSpanOfEachOfItsPicturesAndSharesItsTime) {
    Trace trace;
    const auto slow = [this](const Batch& batch) {
        if (batch.front() == 0) gate_.wait();
        if (batch.size() == 4) std::this_thread::sleep_for(4ms);
    };
    {
        Coprocessor motion(list_of(device(4, slow)), fake("cpu"), {.trace = &trace});
        submit(motion, marked_to(5));
        gate_.open();
        for (std::size_t i = 1; i < 5; ++i)
            EXPECT_GE(futures_[i].get().duration, 1ms);
    }
    const std::vector<Trace::Span> spans = trace.spans();
    ASSERT_EQ(spans.size(), 5u);
    for (std::size_t i = 1; i < 5; ++i) {
        EXPECT_EQ(spans[i].picture, static_cast<int>(i));
        EXPECT_EQ(spans[i].begin_us, spans[1].begin_us);
        EXPECT_EQ(spans[i].end_us, spans[1].end_us);
    }
}

TEST_F(BatchesTest, AFallbackThatSharesTakesOneJobOfOthersAtATime) {
    auto own = std::make_unique<BatchEstimator>("cpu", 4);
    const BatchEstimator* const fallback = own.get();
    const auto is_slow = [](const Batch&) { std::this_thread::sleep_for(2ms); };
    Coprocessor motion(list_of(device(1, is_slow)), std::move(own), {.fallback_shares = true});
    futures_ = motion.submit_batch(marked_to(24));
    for (std::size_t i = 0; i < futures_.size(); ++i)
        EXPECT_EQ(mark_of(futures_[i].get()), static_cast<int>(i));
    ASSERT_FALSE(fallback->batches().empty());
    for (const Batch& batch : fallback->batches())
        EXPECT_EQ(batch.size(), 1U);
}

} // namespace
} // namespace tandem
