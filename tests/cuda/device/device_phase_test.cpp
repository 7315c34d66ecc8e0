// SPDX-License-Identifier: BSD-2-Clause
// Phase correlation on the GPU: the same peaks as the CPU's but for the rounding of the transforms, and what the metric
// says of them bit for bit.
#include <cstdio>
#include <cstdlib>

#include "me/search.h"
#include "sequences/scene.h"
#include "tests/cuda/device/device_fixture.h"
#include "tests/cuda/random_request.h"
#include "tests/me/pictures.h"

namespace tandem::test {
namespace {

class DevicePhaseTest : public DeviceTest {
  protected:
    void SetUp() override {
        DeviceTest::SetUp();
        if (IsSkipped()) return;
        if (!cpu().supports(phase_params())) GTEST_SKIP() << "built without KissFFT";
        if (!gpu().supports(phase_params())) GTEST_SKIP() << "cuFFT was not found";
    }

    static SearchParams phase_params() {
        SearchParams params;
        params.algorithm = Algorithm::phase;
        return params;
    }

    /// Blocks, and those where the two fields' best vectors are more than 1/8 pel apart.
    struct Agreement {
        int blocks = 0, apart = 0, unequal = 0;
    };
    static void compare(const MotionRequest& request, Agreement& agreement) {
        const MotionField expected = cpu().estimate(request), found = gpu().estimate(request);
        for (int row = 0; row < expected.rows(); ++row) {
            for (int column = 0; column < expected.columns(); ++column) {
                const Candidate &a = expected.best(column, row), &b = found.best(column, row);
                ++agreement.blocks;
                agreement.unequal += a.mv == b.mv ? 0 : 1;
                const bool near = std::abs(a.mv.x - b.mv.x) <= 1 && std::abs(a.mv.y - b.mv.y) <= 1;
                agreement.apart += near ? 0 : 1;
                if (a.mv == b.mv) {
                    EXPECT_EQ(a, b) << "distortion and cost are exact";
                }
            }
        }
    }

    /// The vectors of a field are allowed, and measured as the CPU measures them.
    static void expect_exact_measures(const MotionRequest& request) {
        MotionRequest given = request;
        given.hint = std::make_shared<MotionField>(gpu().estimate(request));
        given.params.algorithm = Algorithm::given;
        given.params.candidates = 1;
        ++given.params.range_x; // Refinement may leave the range by less than a pel.
        ++given.params.range_y;
        const MotionField measured = cpu().estimate(given);
        for (int row = 0; row < measured.rows(); ++row) {
            for (int column = 0; column < measured.columns(); ++column)
                ASSERT_EQ(given.hint->best(column, row), measured.best(column, row)) << describe(request);
        }
    }

    static void draw_phase(RandomRequest& random, SearchParams& params) {
        params = phase_params();
        params.block_width = random.one_of({4, 8, 11, 16, 16, 33, 64});
        params.block_height = random.chance(50) ? params.block_width : random.one_of({4, 13, 16, 128});
        params.range_x = random.one_of({0, 1, 7, 16, 40, 300});
        params.range_y = random.one_of({0, 2, 16, 20});
        params.precision = random.one_of({1, 2, 4, 8});
        params.metric = static_cast<Metric>(random.from(0, 2));
        params.boundary = random.chance(50) ? Boundary::inside : Boundary::padded;
        params.phase_window = random.one_of({16, 32, 64, 128, 256});
        params.phase_layers = random.from(1, 4);
        params.phase_hann = random.chance(70);
        params.phase_peaks = random.one_of({1, 4, 16});
        params.candidates = random.one_of({1, 3, 16});
        params.lambda_q8 = static_cast<std::uint32_t>(random.one_of({0, 900}));
    }
};

TEST_F(DevicePhaseTest, IsWithinAnEighthOfThePelOfTheCpu) {
    const Point speeds[] = {{3, -2}, {-8, 5}, {2.5, 1.5}, {-1.25, 3.75}, {4.375, -0.625}};
    Agreement agreement;
    for (const Point& speed : speeds) {
        SceneParams scene;
        scene.width = 352;
        scene.height = 288;
        scene.speed = speed;
        const Scene pan(scene);
        const FramePtr reference(pan.render(0)), current(pan.render(1));
        for (const int precision : {1, 4, 8}) {
            for (const int layers : {1, 3}) {
                MotionRequest request{current, reference, phase_params(), nullptr};
                request.params.precision = precision;
                request.params.phase_layers = layers;
                compare(request, agreement);
            }
        }
    }
    RecordProperty("blocks", agreement.blocks);
    RecordProperty("apart", agreement.apart);
    RecordProperty("unequal", agreement.unequal);
    std::printf("%d of %d blocks more than 1/8 pel apart, %d unequal\n", agreement.apart, agreement.blocks,
                agreement.unequal);
    EXPECT_LE(1000 * agreement.apart, agreement.blocks) << "of " << agreement.blocks;
}

TEST_F(DevicePhaseTest, FlatPicturesHaveTheZeroVector) {
    for (const Content content : {Content::black, Content::white, Content::black_on_white}) {
        MotionRequest request;
        const PicturePair pair = make_pair(content, 53, 37, 1);
        request.current = pair.current;
        request.reference = pair.reference;
        request.params = phase_params();
        request.params.precision = 4;
        request.params.phase_layers = 2;
        const MotionField field = gpu().estimate(request);
        for (int row = 0; row < field.rows(); ++row) {
            for (int column = 0; column < field.columns(); ++column)
                EXPECT_EQ(field.best(column, row).mv, Mv{}) << column << ',' << row;
        }
    }
}

TEST_F(DevicePhaseTest, VectorsAreAllowedAndMeasuredExactly) {
    RandomRequest random(31);
    for (int i = 0; i < 60 && !HasFailure(); ++i) {
        MotionRequest request;
        draw_phase(random, request.params);
        random.draw_pictures(random.side(176), random.side(72), request);
        ASSERT_TRUE(gpu().supports(request.params));
        expect_exact_measures(request);
    }
}

TEST_F(DevicePhaseTest, BandsMakeTheWholeField) {
    RandomRequest random(32);
    for (int i = 0; i < 6; ++i) {
        MotionRequest request;
        draw_phase(random, request.params);
        random.draw_pictures(176, 144, request);
        const MotionField whole = gpu().estimate(request);
        for (int row = 0; row < whole.rows(); ++row) {
            request.first_row = row;
            request.end_row = row + 1;
            const MotionField band = gpu().estimate(request);
            for (int column = 0; column < whole.columns(); ++column)
                EXPECT_EQ(band.best(column, row), whole.best(column, row)) << describe(request);
        }
    }
}

/// For CUDA's sanitizers.
TEST_F(DevicePhaseTest, SmallCases) {
    RandomRequest random(33);
    for (int i = 0; i < 8; ++i) {
        MotionRequest request;
        draw_phase(random, request.params);
        request.params.phase_window = random.one_of({16, 32, 64});
        random.draw_pictures(random.side(64), random.side(48), request);
        expect_exact_measures(request);
    }
}

} // namespace
} // namespace tandem::test
