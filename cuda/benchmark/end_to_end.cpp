// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/benchmark/end_to_end.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <thread>

namespace tandem::cuda {

namespace {

/// Runs the searches first .. end - 1; gives the seconds that took.
class Run {
  public:
    Run(const std::vector<std::unique_ptr<Estimator>>& estimators, const SearchParams& params,
        const std::vector<FramePtr>& pictures, std::size_t at_once)
        : estimators_(estimators), params_(params), pictures_(pictures), at_once_(at_once) {}

    double seconds(std::size_t first, std::size_t end, int threads) {
        next_ = first;
        const auto begin = std::chrono::steady_clock::now();
        std::vector<std::thread> workers;
        for (int i = 0; i < threads; ++i)
            workers.emplace_back([this, i, end] { work(static_cast<std::size_t>(i), end); });
        for (std::thread& worker : workers)
            worker.join();
        if (error_) std::rethrow_exception(error_);
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }

  private:
    void work(std::size_t thread, std::size_t end) {
        try {
            Estimator& estimator = *estimators_[thread % estimators_.size()];
            for (std::size_t i = next_.fetch_add(at_once_); i < end; i = next_.fetch_add(at_once_))
                search(estimator, i, std::min(i + at_once_, end));
        } catch (...) {
            const std::lock_guard lock(mutex_);
            error_ = std::current_exception();
        }
    }

    void search(Estimator& estimator, std::size_t first, std::size_t end) {
        std::vector<MotionRequest> requests;
        for (std::size_t i = first; i < end; ++i)
            requests.push_back({pictures_[i], pictures_[i - 1], params_, nullptr, 0, -1});
        estimator.estimate_batch(requests);
    }

    const std::vector<std::unique_ptr<Estimator>>& estimators_;
    const SearchParams& params_;
    const std::vector<FramePtr>& pictures_;
    const std::size_t at_once_;
    std::atomic<std::size_t> next_{0};
    std::mutex mutex_;
    std::exception_ptr error_;
};

} // namespace

double fields_per_second(const std::vector<std::unique_ptr<Estimator>>& estimators, const SearchParams& params,
                         const std::vector<FramePtr>& pictures, int threads, std::size_t at_once) {
    const std::size_t warm_up = pictures.size() / 4;
    Run run(estimators, params, pictures, at_once);
    run.seconds(1, warm_up, threads);
    const double seconds = run.seconds(warm_up, pictures.size(), threads);
    return static_cast<double>(pictures.size() - warm_up) / seconds;
}

} // namespace tandem::cuda
