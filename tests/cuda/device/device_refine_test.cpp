// SPDX-License-Identifier: BSD-2-Clause
// Refinements of start fields: each equals the CPU's.
#include "machine/errors.h"
#include "tests/cuda/device/device_fixture.h"
#include "tests/cuda/random_request.h"
#include "tests/me/pictures.h"

namespace tandem::test {
namespace {

class DeviceRefineTest : public DeviceTest {
  protected:
    /// A start field that a small search found, sometimes against another picture, with blocks that have nothing.
    static std::shared_ptr<MotionField> start_of(MotionRequest search, RandomRequest& random) {
        search.params.algorithm = Algorithm::full;
        search.params.range_x = search.params.range_y = 3;
        search.params.precision = search.params.grid = random.one_of({1, 1, 2});
        search.params.candidates = random.one_of({1, 2, 4});
        if (random.chance(50)) search.reference = search.current;
        auto start = std::make_shared<MotionField>(cpu().estimate(search));
        for (int row = 0; row < start->rows(); ++row)
            if (random.chance(20)) std::ranges::fill(start->block(0, row), Candidate{});
        return start;
    }

    static void compare(std::uint32_t seed, int rounds) {
        RandomRequest random(seed);
        for (int round = 0; round < rounds && !HasFailure(); ++round) {
            MotionRequest request;
            SearchParams& params = request.params;
            params.algorithm = random.chance(50) ? Algorithm::full : Algorithm::hierarchical;
            params.block_width = random.one_of({4, 8, 16, 20});
            params.block_height = random.one_of({4, 8, 16, 12});
            params.metric = static_cast<Metric>(random.one_of({0, 0, 1, 2}));
            params.boundary = random.chance(50) ? Boundary::inside : Boundary::padded;
            params.lambda_q8 = static_cast<std::uint32_t>(random.one_of({0, 17, 900, 20000}));
            params.precision = random.one_of({1, 2, 4, 8});
            params.candidates = random.one_of({1, 2, 4});
            params.null_gain = static_cast<std::uint32_t>(random.one_of({0, 0, 2}));
            params.null_level = static_cast<std::uint32_t>(random.one_of({0, 0, 3}));
            random.draw_pictures(random.side(131), random.side(72), request);
            request.start = start_of(request, random);
            const int rows = request.start->rows();
            if (random.chance(30)) {
                request.first_row = random.from(0, rows - 1);
                request.end_row = random.from(request.first_row, rows);
            }
            ASSERT_TRUE(gpu().refines(params));
            EXPECT_TRUE(gpu().estimate(request) == cpu().estimate(request)) << describe(request);
        }
    }
};

TEST_F(DeviceRefineTest, EachFieldIsThatOfTheCpu) { compare(51, 200); }

TEST_F(DeviceRefineTest, SmallCases) { compare(52, 12); }

TEST_F(DeviceRefineTest, WhatItDoesNotRefineIsRefused) {
    RandomRequest random(53);
    MotionRequest request;
    random.draw_pictures(48, 32, request);
    request.start = start_of(request, random);
    request.params.precision = 2;
    request.params.interpolation = Interpolation::six_tap;
    EXPECT_FALSE(gpu().refines(request.params));
    EXPECT_THROW(gpu().estimate(request), InputError);
}

} // namespace
} // namespace tandem::test
