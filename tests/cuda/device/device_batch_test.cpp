// SPDX-License-Identifier: BSD-2-Clause
// Several pictures in one launch: each field equals the CPU's of its request alone.
#include <algorithm>

#include "cuda/device/check.h"
#include "cuda/requests/search_task.h"
#include "machine/errors.h"
#include "me/coprocessor/coprocessor.h"
#include "tests/cuda/device/device_fixture.h"
#include "tests/cuda/random_request.h"
#include "tests/me/pictures.h"

namespace tandem::test {
namespace {

class DeviceBatchTest : public DeviceTest {
  protected:
    static bool same_fields(std::span<const MotionRequest> requests) {
        const std::vector<MotionField> fields = gpu().estimate_batch(requests);
        EXPECT_EQ(fields.size(), requests.size());
        bool same = fields.size() == requests.size();
        for (std::size_t i = 0; same && i < requests.size(); ++i) {
            same = fields[i] == cpu().estimate(requests[i]);
            EXPECT_TRUE(same) << "picture " << i << " of " << requests.size() << ": " << describe(requests[i]);
        }
        return same;
    }

    /// Requests that one launch can have.
    static void draw_params(RandomRequest& random, SearchParams& params) {
        params.block_width = random.one_of({4, 5, 8, 11, 16, 16, 16});
        params.block_height = random.chance(50) ? std::min(params.block_width, 16) : random.one_of({4, 7, 8, 13, 16});
        params.range_x = random.one_of({0, 1, 3, 8, 16, 17, 24});
        params.range_y = random.chance(60) ? params.range_x : random.one_of({0, 2, 7, 31});
        params.boundary = random.chance(50) ? Boundary::inside : Boundary::padded;
        params.lambda_q8 = static_cast<std::uint32_t>(random.one_of({0, 17, 900, 20000, 1 << 24}));
        params.rate_unit = random.one_of({1, 2, 4, 8});
        params.predictor = random.chance(50) ? Predictor::hint : Predictor::zero;
        params.precision = random.one_of({1, 1, 2, 4, 8});
    }

    /// The same of searches that a warp makes for each block.
    static void draw_walk(RandomRequest& random, SearchParams& params) {
        draw_params(random, params);
        constexpr Algorithm searches[]{Algorithm::diamond, Algorithm::hexagon, Algorithm::three_step,
                                       Algorithm::logarithmic};
        params.algorithm = searches[random.from(0, 3)];
        params.start = random.chance(70) ? Start::predictors : Start::zero;
        params.candidates = random.one_of({1, 1, 2, 4, 9});
        const int samples = params.block_width * params.block_height;
        if (random.chance(20)) params.null_threshold = static_cast<std::uint32_t>(random.from(0, samples * 100));
        if (random.chance(20)) params.null_gain = static_cast<std::uint32_t>(random.one_of({1, 4, 60}));
    }

    /// The same of small blocks, which a thread has for itself where no picture's edge cuts one.
    static void draw_small_walk(RandomRequest& random, SearchParams& params) {
        draw_walk(random, params);
        params.block_width = params.block_height = 8;
        params.candidates = 1;
    }

    using Draw = void (*)(RandomRequest& random, SearchParams& params);

    static std::vector<MotionRequest> draw(RandomRequest& random, int width, int height, int count,
                                           Draw draw = draw_params) {
        SearchParams params;
        draw(random, params);
        const int rows = (height + params.block_height - 1) / params.block_height;
        const bool band = random.chance(25);
        const int first = band ? random.from(0, rows) : 0, end = band ? random.from(first, rows) : -1;
        std::vector<MotionRequest> requests(static_cast<std::size_t>(count));
        for (std::size_t i = 0; i < requests.size(); ++i) {
            MotionRequest& request = requests[i];
            request.params = params;
            random.draw_pictures(width, height, request);
            if (i > 0 && random.chance(50)) request.reference = requests[i - 1].current;
            if (random.chance(70)) request.hint = random.hint(request);
            request.first_row = first;
            request.end_row = end;
        }
        return requests;
    }

    /// Of most pictures the sides are multiples of `side`.
    static void compare(std::uint32_t seed, int rounds, std::initializer_list<int> counts, Draw draw = draw_params,
                        int side = 1) {
        RandomRequest random(seed);
        for (int round = 0, failures = 0; round < rounds && failures < 4; ++round) {
            const int count = counts.begin()[round % static_cast<int>(counts.size())];
            int width = random.one_of({1, 7, 16, 33, 64, 90, 131}), height = random.one_of({1, 5, 16, 34, 72});
            if (side > 1 && random.chance(80)) {
                width = blocks_along(width, side) * side;
                height = blocks_along(height, side) * side;
            }
            failures += same_fields(DeviceBatchTest::draw(random, width, height, count, draw)) ? 0 : 1;
        }
    }
};

TEST_F(DeviceBatchTest, EachFieldIsThatOfItsRequestAlone) { compare(31, 90, {2, 3, 5, 9, 17}); }

TEST_F(DeviceBatchTest, AsManyAsALaunchHasAndMore) {
    compare(32, 8, {cuda::most_pictures, cuda::most_pictures + 1, 2 * cuda::most_pictures + 3});
}

TEST_F(DeviceBatchTest, Walks) { compare(38, 120, {2, 3, 5, 8, 9, 17}, draw_walk); }

TEST_F(DeviceBatchTest, WalksOfSmallBlocks) { compare(39, 160, {2, 3, 5, 8, 9, 17}, draw_small_walk, 8); }

/// Each picture from those before it and after it, as the encoder's lookahead asks.
TEST_F(DeviceBatchTest, NeighboursOfPicturesOfHalfSize) {
    std::vector<FramePtr> pictures;
    for (int i = 0; i < 5; ++i)
        pictures.push_back(make_pan(480, 272, 3 * i, -i, 63).current);
    std::vector<MotionRequest> requests;
    for (const FramePtr& current : pictures) {
        for (const FramePtr& reference : pictures) {
            if (current == reference) continue;
            MotionRequest& request = requests.emplace_back();
            request.current = current;
            request.reference = reference;
            request.params.algorithm = Algorithm::diamond;
            request.params.start = Start::predictors;
            request.params.block_width = request.params.block_height = 8;
            request.params.range_x = request.params.range_y = 16;
            request.params.precision = 2;
            request.params.lambda_q8 = 256;
        }
    }
    EXPECT_EQ(gpu().most_at_once(requests[0].params, 480, 272), 8);
    EXPECT_EQ(gpu().most_at_once(requests[0].params, 1920, 1080), 2) << "results stay small";
    EXPECT_TRUE(same_fields(requests));
}

TEST_F(DeviceBatchTest, SmallCases) { compare(33, 12, {2, 3}); }

TEST_F(DeviceBatchTest, CifAsAnEncoderAsks) {
    std::vector<MotionRequest> requests(12);
    FramePtr before = make_pan(352, 288, 0, 0, 60).current;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const PicturePair pair = make_pan(352, 288, static_cast<int>(i) - 5, 3, 61);
        requests[i].current = pair.current;
        requests[i].reference = before;
        before = pair.current;
        requests[i].params.precision = 2;
        requests[i].params.lambda_q8 = 700;
    }
    EXPECT_GT(gpu().most_at_once(requests[0].params, 352, 288), 12);
    EXPECT_TRUE(same_fields(requests));
}

/// The fractions of a grid, or a longer reach, that one of the references was asked for before.
TEST_F(DeviceBatchTest, ReferencesWhosePlanesDiffer) {
    RandomRequest random(34);
    for (const int grid : {1, 4}) {
        std::vector<MotionRequest> requests(4);
        for (MotionRequest& request : requests)
            random.draw_pictures(90, 64, request);
        MotionRequest other = requests[2];
        other.params.grid = other.params.precision = grid;
        other.params.boundary = Boundary::padded;
        other.params.range_x = grid > 1 ? 4 : 100;
        EXPECT_TRUE(same_field(other));
        EXPECT_TRUE(same_fields(requests));
        EXPECT_TRUE(same_fields(requests)) << "again";
    }
}

TEST_F(DeviceBatchTest, WhatCannotGoTogetherIsSearchedOneByOne) {
    RandomRequest random(35);
    std::vector<MotionRequest> requests(5);
    for (MotionRequest& request : requests) {
        random.draw_pictures(random.one_of({48, 64}), 48, request);
        request.params.candidates = random.from(1, 3);
        request.params.predictor = Predictor::neighbours;
        request.params.algorithm = random.chance(50) ? Algorithm::full : Algorithm::hexagon;
    }
    EXPECT_TRUE(same_fields(requests));
    EXPECT_TRUE(gpu().estimate_batch({}).empty());
    requests[3].hint = std::make_shared<MotionField>(32, 32, 8, 8, 1);
    EXPECT_THROW(gpu().estimate_batch(requests), InputError);
    requests[3].reference = nullptr;
    EXPECT_THROW(gpu().estimate_batch(requests), InputError);
}

TEST_F(DeviceBatchTest, AFailureIsOneOfAllAndPassesAway) {
    RandomRequest random(36);
    std::vector<MotionRequest> requests = draw(random, 64, 48, 4);
    for (MotionRequest& request : requests) {
        request.first_row = 0;
        request.end_row = -1;
    }
    for (const cuda::Fault fault : {cuda::Fault::allocation, cuda::Fault::launch, cuda::Fault::wait}) {
        const auto estimators = make_gpu_estimators(nullptr);
        cuda::inject_fault(fault);
        EXPECT_THROW(estimators.front()->estimate_batch(requests), RunError);
        cuda::inject_fault(cuda::Fault::none);
        EXPECT_TRUE(same_fields(requests));
        EXPECT_EQ(estimators.front()->estimate_batch(requests), gpu().estimate_batch(requests));
    }
}

TEST_F(DeviceBatchTest, ThroughTheCoprocessor) {
    RandomRequest random(37);
    std::vector<MotionRequest> requests(200);
    FramePtr before = make_pan(176, 144, 0, 0, 62).current;
    Coprocessor motion(make_gpu_estimators(nullptr), make_cpu_estimator(1), {.queue_capacity = 64});
    std::vector<std::future<MotionResult>> results;
    for (MotionRequest& request : requests) {
        random.draw_pictures(176, 144, request);
        request.reference = before;
        before = request.current;
        request.params.range_x = random.one_of({8, 8, 9});
        request.params.lambda_q8 = 300;
        results.push_back(motion.submit(request));
    }
    for (std::size_t i = 0; i < requests.size(); ++i)
        ASSERT_EQ(results[i].get().field, cpu().estimate(requests[i])) << describe(requests[i]);
    EXPECT_EQ(motion.backend_names().size(), devices().size() + 1) << "none failed";
}

} // namespace
} // namespace tandem::test
