// SPDX-License-Identifier: BSD-2-Clause
// Texture interpolation: whole positions are exact, and positions in between are off by the rounding of a sample at
// most.
#include <cstdlib>

#include "me/search.h"
#include "tests/cuda/device/device_fixture.h"
#include "tests/cuda/random_request.h"
#include "tests/me/pictures.h"

namespace tandem::test {
namespace {

class DeviceTextureTest : public DeviceTest {
  protected:
    static MotionRequest draw(RandomRequest& random) {
        MotionRequest request;
        SearchParams& params = request.params;
        params.interpolation = Interpolation::texture;
        params.block_width = random.one_of({4, 8, 11, 16, 33, 64});
        params.block_height = random.one_of({4, 8, 13, 16, 64});
        params.range_x = random.one_of({0, 3, 8, 17});
        params.range_y = random.one_of({0, 2, 9});
        params.boundary = random.chance(50) ? Boundary::inside : Boundary::padded;
        params.lambda_q8 = static_cast<std::uint32_t>(random.one_of({0, 900}));
        random.draw_pictures(random.side(90), random.side(48), request);
        return request;
    }

    /// The best vectors are allowed, and their SADs near the CPU's, which interpolates by the packed arithmetic's rule.
    static void expect_near_measures(const MotionRequest& request) {
        MotionRequest given = request;
        given.hint = std::make_shared<MotionField>(gpu().estimate(request));
        given.params.algorithm = Algorithm::given;
        given.params.interpolation = Interpolation::bilinear;
        given.params.candidates = given.params.grid = 1;
        ++given.params.range_x; // Refinement may leave the range by less than a pel.
        ++given.params.range_y;
        const MotionField measured = cpu().estimate(given);
        const std::int64_t samples = std::int64_t{request.params.block_width} * request.params.block_height;
        for (int row = 0; row < measured.rows(); ++row) {
            for (int column = 0; column < measured.columns(); ++column) {
                const Candidate &found = given.hint->best(column, row), &exact = measured.best(column, row);
                ASSERT_EQ(found.mv, exact.mv) << describe(request);
                EXPECT_LE(std::abs(std::int64_t{found.distortion} - std::int64_t{exact.distortion}), samples)
                    << describe(request);
                EXPECT_EQ(found.cost - found.distortion, exact.cost - exact.distortion) << describe(request);
            }
        }
    }
};

TEST_F(DeviceTextureTest, WholePositionsAreExact) {
    RandomRequest random(41);
    for (int i = 0; i < 20; ++i) {
        MotionRequest request = draw(random);
        const MotionField fetched = gpu().estimate(request);
        request.params.interpolation = Interpolation::bilinear;
        EXPECT_EQ(fetched, cpu().estimate(request)) << describe(request);
    }
}

/// SmallCases: for CUDA's sanitizers.
TEST_F(DeviceTextureTest, SmallCasesAreOffByARoundingAtMost) {
    RandomRequest random(42);
    for (int i = 0; i < 24; ++i) {
        MotionRequest request = draw(random);
        request.params.precision = random.one_of({2, 4, 8});
        const bool on_grid = i % 2 == 0;
        if (on_grid) request.params.grid = random.chance(50) ? 2 : request.params.precision;
        if (!on_grid) request.params.algorithm = random.chance(50) ? Algorithm::hexagon : Algorithm::full;
        if (!on_grid) request.params.candidates = random.one_of({1, 4});
        ASSERT_TRUE(gpu().supports(request.params)) << describe(request);
        expect_near_measures(request);
    }
}

TEST_F(DeviceTextureTest, WhatItDoesNotRunItSays) {
    SearchParams params;
    params.interpolation = Interpolation::texture;
    EXPECT_TRUE(gpu().supports(params));
    params.precision = params.grid = 2;
    EXPECT_TRUE(gpu().supports(params));
    params.candidates = 2;
    EXPECT_FALSE(gpu().supports(params)) << "several candidates of a grid";
    params.grid = 1;
    EXPECT_TRUE(gpu().supports(params));
    params.algorithm = Algorithm::phase;
    EXPECT_FALSE(gpu().supports(params));
}

} // namespace
} // namespace tandem::test
