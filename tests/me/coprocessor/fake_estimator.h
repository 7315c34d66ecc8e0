// SPDX-License-Identifier: BSD-2-Clause
// Estimators that delay and fail as a test wants, and what tests of the coprocessor need around them.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "me/coprocessor/coprocessor.h"

namespace tandem::test {

/// Runs `behaviour(number of the call, from 0)` and then answers with a field of one block that holds `answer`.
class FakeEstimator final : public Estimator {
  public:
    FakeEstimator(std::string name, std::function<void(int)> behaviour = {}, int least_range = 0, int lanes = 1)
        : name_(std::move(name)), behaviour_(std::move(behaviour)), least_range_(least_range), lanes_(lanes) {}
    std::string name() const override { return name_; }
    bool supports(const SearchParams& params) const override { return params.range_x >= least_range_; }
    int concurrency() const override { return lanes_; }
    void prepare(const SearchParams& params, int width, int height) override {
        if (on_prepare) on_prepare(params, width, height);
    }
    MotionField estimate(const MotionRequest& request) override {
        EXPECT_LT(inside_.fetch_add(1), lanes_) << "too many threads in one estimator";
        struct Leave {
            std::atomic<int>& inside;
            ~Leave() { inside.fetch_sub(1); }
        } leave{inside_};
        const int call = calls_++;
        if (behaviour_) behaviour_(call);
        MotionField field(request.current->width(), request.current->height(), 16, 16, 1);
        field.block(0, 0)[0] = {{static_cast<std::int16_t>(request.params.range_x), 0}, 0, 0};
        return field;
    }

    std::function<void(const SearchParams&, int width, int height)> on_prepare;

  private:
    std::string name_;
    std::function<void(int)> behaviour_;
    int least_range_, lanes_;
    std::atomic<int> calls_{0};
    std::atomic<int> inside_{0};
};

inline std::unique_ptr<Estimator> fake(std::string name, std::function<void(int)> behaviour = {}, int least_range = 0,
                                       int lanes = 1) {
    return std::make_unique<FakeEstimator>(std::move(name), std::move(behaviour), least_range, lanes);
}

inline std::vector<std::unique_ptr<Estimator>> list_of(std::unique_ptr<Estimator> a,
                                                       std::unique_ptr<Estimator> b = nullptr) {
    std::vector<std::unique_ptr<Estimator>> list;
    list.push_back(std::move(a));
    if (b) list.push_back(std::move(b));
    return list;
}

inline MotionRequest request(int mark) {
    static const FramePtr frame = std::make_shared<Frame>(16, 16);
    MotionRequest request{frame, frame, {}, nullptr};
    request.params.range_x = mark;
    return request;
}

inline int mark_of(const MotionResult& result) { return result.field.best(0, 0).mv.x; }

/// A door that calls wait at until it is opened.
class Gate {
  public:
    void open() {
        const std::lock_guard lock(mutex_);
        open_ = true;
        changed_.notify_all();
    }
    void wait() {
        std::unique_lock lock(mutex_);
        ++waiting_;
        changed_.notify_all();
        changed_.wait(lock, [&] { return open_; });
    }
    void wait_for_visitors(int count) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return waiting_ >= count; });
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool open_ = false;
    int waiting_ = 0;
};

/// What on_warning was told, from any thread.
class Warnings {
  public:
    std::function<void(const std::string&)> callback() {
        return [this](const std::string& text) {
            const std::lock_guard lock(mutex_);
            texts_.push_back(text);
        };
    }
    std::vector<std::string> texts() const {
        const std::lock_guard lock(mutex_);
        return texts_;
    }

  private:
    mutable std::mutex mutex_;
    std::vector<std::string> texts_;
};

[[noreturn]] inline void break_down(int) { throw std::runtime_error("the device fell off the bus"); }

} // namespace tandem::test
