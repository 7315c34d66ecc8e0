// SPDX-License-Identifier: BSD-2-Clause
// How the CPU's backend shares searches among threads, which the fields do not depend on.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "machine/errors.h"
#include "machine/task_pool.h"
#include "me/estimator.h"
#include "tests/me/pictures.h"

namespace tandem {
namespace {

using namespace test;

TEST(CpuEstimator, TheFieldsAreThoseOfTheCpuEstimatorByDefault) {
    const std::unique_ptr<Estimator> cpu = make_cpu_estimator(2);
    std::vector<MotionRequest> requests;
    for (std::uint32_t seed = 0; seed < 3; ++seed) {
        const PicturePair pair = make_pan(64, 48, 2, 1, seed);
        requests.push_back({pair.current, pair.reference, {}, nullptr});
    }
    requests[1].params.range_x = 3; // They need not be alike.
    const std::vector<MotionField> fields = cpu->estimate_batch(requests);
    ASSERT_EQ(fields.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_EQ(fields[i], cpu->estimate(requests[i]));
    EXPECT_EQ(cpu->most_at_once({}, 352, 288), 1);
}

TEST(CpuEstimator, APoolSearchesEachSmallPictureOnOneThread) {
    for (const int threads : {1, 2, 5}) {
        TaskPool pool(threads);
        const std::unique_ptr<Estimator> shared = make_cpu_estimator(pool, 0), alone = make_cpu_estimator(2);
        EXPECT_GT(shared->most_at_once({}, 960, 544), 1);
        EXPECT_EQ(shared->most_at_once({}, 1920, 1080), 1);
        SearchParams params;
        params.interpolation = Interpolation::texture;
        EXPECT_EQ(shared->most_at_once(params, 96, 80), 1) << "which it does not run";
        std::vector<MotionRequest> requests;
        for (std::uint32_t seed = 0; seed < 7; ++seed) {
            const PicturePair pair = make_pan(70, 50, 2, 1, seed);
            MotionRequest& request = requests.emplace_back(MotionRequest{pair.current, pair.reference, {}, nullptr});
            request.params.algorithm = seed % 2 == 0 ? Algorithm::diamond : Algorithm::predictive;
            request.params.precision = 1 + static_cast<int>(seed % 2);
            request.params.candidates = 1 + static_cast<int>(seed % 3);
            request.params.predictor = seed % 3 == 2 ? Predictor::neighbours : Predictor::hint;
            if (seed % 3 == 1) request.hint = std::make_shared<MotionField>(alone->estimate(requests.front()));
        }
        for (std::size_t count = 1; count <= requests.size(); ++count) {
            const auto some = std::span(requests).first(count);
            const std::vector<MotionField> fields = shared->estimate_batch(some);
            ASSERT_EQ(fields.size(), count);
            for (std::size_t i = 0; i < count; ++i) {
                EXPECT_EQ(fields[i], alone->estimate(some[i])) << i;
                EXPECT_EQ(fields[i], shared->estimate(some[i])) << i;
            }
        }
        EXPECT_TRUE(shared->estimate_batch({}).empty());
        requests[3].params.interpolation = Interpolation::texture;
        EXPECT_THROW(shared->estimate_batch(requests), InputError);
    }
}

// A search that the whole pool shares makes planes that searches on single threads of the pool want, too.
TEST(CpuEstimator, SingleSearchesAndBatchesOfTheSamePicturesDoNotWaitForEachOther) {
    TaskPool pool(4);
    const std::unique_ptr<Estimator> shared = make_cpu_estimator(pool, 0), alone = make_cpu_estimator(1);
    SearchParams params;
    params.algorithm = Algorithm::predictive;
    params.precision = 2;
    for (std::uint32_t seed = 0; seed < 24; ++seed) {
        const PicturePair pair = make_pan(640, 320, 2, 1, seed);
        const std::vector<MotionRequest> requests(8, {pair.current, pair.reference, params, nullptr});
        std::vector<MotionField> fields;
        std::thread batch([&] { fields = shared->estimate_batch(requests); });
        const MotionField field = shared->estimate(requests[0]);
        batch.join();
        const MotionField expected = alone->estimate(requests[0]);
        EXPECT_EQ(field, expected);
        for (const MotionField& each : fields)
            EXPECT_EQ(each, expected);
    }
}

// As a coprocessor's threads ask, with as many searches at a time as they have: by the pool together, or by one thread.
TEST(CpuEstimator, SearchesOfAPoolAtTheSameTimeAreThoseOfOneThread) {
    const std::unique_ptr<Estimator> alone = make_cpu_estimator(1);
    SearchParams params;
    params.algorithm = Algorithm::predictive;
    params.candidates = 3;
    std::vector<MotionRequest> requests;
    std::vector<MotionField> expected;
    for (std::uint32_t seed = 0; seed < 6; ++seed) {
        const PicturePair pair = make_pan(320, 208, 5, -3, seed);
        for (const int precision : {1, 2}) {
            params.precision = precision;
            requests.push_back({pair.current, pair.reference, params, nullptr});
            expected.push_back(alone->estimate(requests.back()));
        }
    }
    for (const int threads : {1, 2, 3, 8, 40}) {
        TaskPool pool(threads);
        const std::unique_ptr<Estimator> shared = make_cpu_estimator(pool, 0);
        EXPECT_EQ(shared->concurrency(), threads);
        std::atomic<std::size_t> next{0};
        std::vector<MotionField> fields(requests.size());
        {
            std::vector<std::jthread> askers;
            for (int asker = 0; asker < shared->concurrency(); ++asker) {
                askers.emplace_back([&] {
                    for (std::size_t i = next++; i < requests.size(); i = next++)
                        fields[i] = shared->estimate(requests[i]);
                });
            }
        }
        EXPECT_TRUE(fields == expected) << threads;
    }
}

} // namespace
} // namespace tandem
