// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include "machine/errors.h"
#include "me/estimator.h"
#include "tests/me/pictures.h"

namespace tandem {
namespace {

TEST(CpuEstimator, SupportsWhatIsValid) {
    const auto estimator = make_cpu_estimator(1);
    EXPECT_EQ(estimator->name(), "cpu");
    SearchParams params;
    EXPECT_TRUE(estimator->supports(params));
    params.range_x = -1;
    EXPECT_FALSE(estimator->supports(params));
}

TEST(CpuEstimator, RefusesRequestsThatBreakTheContract) {
    const auto estimator = make_cpu_estimator(1);
    const FramePtr frame = std::make_shared<Frame>(48, 32);
    const MotionRequest good{frame, frame, {}, nullptr};
    const auto refuses = [&](auto spoil) {
        MotionRequest request = good;
        spoil(request);
        EXPECT_THROW(estimator->estimate(request), InputError);
    };
    refuses([](MotionRequest& r) { r.params.block_width = 2; });
    refuses([](MotionRequest& r) { r.reference = std::make_shared<Frame>(48, 33); });
    refuses([](MotionRequest& r) { r.hint = std::make_shared<MotionField>(48, 32, 8, 16, 1); });
    refuses([](MotionRequest& r) { r.hint = std::make_shared<MotionField>(64, 32, 16, 16, 1); });
    refuses([](MotionRequest& r) { r.first_row = -1; });
    refuses([](MotionRequest& r) { r.end_row = 3; });
    refuses([](MotionRequest& r) { r.end_row = -2; });
    refuses([](MotionRequest& r) {
        r.first_row = 2;
        r.end_row = 1;
    });
    refuses([](MotionRequest& r) { r.current = nullptr; });
    refuses([](MotionRequest& r) { r.reference = nullptr; });
}

/// What is made of a reference is kept for the next request, if that asks for the same.
TEST(CpuEstimator, OneReferenceMayBeSearchedInSeveralWays) {
    const test::PicturePair pair = test::in_colour(test::make_pair(test::Content::smooth, 70, 53, 1));
    const auto estimator = make_cpu_estimator(1);
    MotionRequest request{pair.current, pair.reference, {}, nullptr};
    SearchParams& params = request.params;
    const auto expect_as_alone = [&] {
        EXPECT_TRUE(estimator->estimate(request) == make_cpu_estimator(1)->estimate(request));
    };
    params.precision = 2;
    expect_as_alone();
    params.precision = 4;
    expect_as_alone();
    params.interpolation = Interpolation::six_tap;
    expect_as_alone();
    params.planes = Planes::all;
    expect_as_alone();
    params.boundary = Boundary::padded;
    expect_as_alone();
}

TEST(CpuEstimator, AnEmptyBandIsAnUnfilledField) {
    const FramePtr frame = test::make_pair(test::Content::noise, 48, 32, 1).current;
    MotionRequest request{frame, frame, {}, nullptr};
    request.first_row = request.end_row = 2;
    const MotionField field = make_cpu_estimator(1)->estimate(request);
    for (const Candidate& candidate : field.all())
        EXPECT_EQ(candidate, Candidate{});
}

} // namespace
} // namespace tandem
