// SPDX-License-Identifier: BSD-2-Clause
// Several block sizes in one pass: each field equals the CPU's.
#include "cuda/sizes/sizes_plan.h"
#include "machine/errors.h"
#include "tests/cuda/device/device_fixture.h"
#include "tests/cuda/random_request.h"
#include "tests/me/pictures.h"

namespace tandem::test {
namespace {

class DeviceSizesTest : public DeviceTest {
  protected:
    static bool same_fields(const MotionRequest& request, const std::vector<BlockSize>& sizes) {
        const std::vector<MotionField> expected = cpu().estimate_sizes(request, sizes);
        const std::vector<MotionField> found = gpu().estimate_sizes(request, sizes);
        EXPECT_EQ(found.size(), sizes.size());
        bool same = found.size() == sizes.size();
        for (std::size_t i = 0; same && i < sizes.size(); ++i) {
            same = found[i] == expected[i];
            EXPECT_TRUE(same) << sizes[i].width << 'x' << sizes[i].height << " of " << describe(request);
        }
        return same;
    }

    static std::vector<BlockSize> draw_sizes(RandomRequest& random) {
        std::vector<BlockSize> sizes(static_cast<std::size_t>(random.from(2, cuda::most_sizes)));
        const int first = random.chance(30) ? 3 : 0; // From 8x8 on.
        for (BlockSize& size : sizes) {
            const cuda::PartShape& shape = cuda::part_shapes[random.from(first, 6)];
            size = {shape.width, shape.height};
        }
        return sizes;
    }

    static void compare(std::uint32_t seed, int rounds) {
        RandomRequest random(seed);
        for (int round = 0, failures = 0; round < rounds && failures < 4; ++round) {
            MotionRequest request;
            SearchParams& params = request.params;
            params.range_x = random.one_of({0, 1, 3, 8, 16, 17, 40});
            params.range_y = random.chance(60) ? params.range_x : random.one_of({0, 2, 7, 31});
            params.boundary = random.chance(50) ? Boundary::inside : Boundary::padded;
            params.lambda_q8 = static_cast<std::uint32_t>(random.one_of({0, 17, 900, 20000, 1 << 24}));
            params.rate_unit = random.one_of({1, 2, 4, 8});
            params.precision = random.one_of({1, 1, 2, 8});
            random.draw_pictures(random.side(131), random.side(72), request);
            failures += same_fields(request, draw_sizes(random)) ? 0 : 1;
        }
    }

    static const std::vector<BlockSize> all;
};

const std::vector<BlockSize> DeviceSizesTest::all{{16, 16}, {16, 8}, {8, 16}, {8, 8}, {8, 4}, {4, 8}, {4, 4}};

TEST_F(DeviceSizesTest, EachFieldIsThatOfItsSizeAlone) { compare(41, 160); }

TEST_F(DeviceSizesTest, SmallCases) { compare(42, 12); }

TEST_F(DeviceSizesTest, LongRangesAndTies) {
    RandomRequest random(43);
    for (const int range_y : {130, 256, 1024}) {
        MotionRequest request;
        random.draw_pictures(70, 150, request);
        request.params.range_x = range_y == 256 ? 256 : 9;
        request.params.range_y = range_y;
        request.params.boundary = Boundary::padded;
        request.params.lambda_q8 = 300;
        EXPECT_TRUE(same_fields(request, all));
    }
    MotionRequest flat;
    const auto frame = std::make_shared<Frame>(75, 50);
    frame->plane(0).fill(100);
    flat.current = flat.reference = frame;
    EXPECT_TRUE(same_fields(flat, all));
}

TEST_F(DeviceSizesTest, AWholePicture) {
    MotionRequest request;
    const PicturePair pair = make_pan(1920, 1080, 7, -5, 80);
    request.current = pair.current;
    request.reference = pair.reference;
    request.params.lambda_q8 = 700;
    request.params.precision = 2;
    EXPECT_TRUE(same_fields(request, all));
    EXPECT_TRUE(same_fields(request, {{16, 16}, {8, 8}}));
}

TEST_F(DeviceSizesTest, OtherSearchesAndSizesAreAnsweredOneAfterTheOther) {
    RandomRequest random(44);
    for (int round = 0; round < 12; ++round) {
        MotionRequest request;
        request.params.block_width = request.params.block_height = 8;
        random.draw_pictures(64, 48, request);
        random.draw_rules(request);
        request.first_row = 0;
        request.end_row = -1;
        EXPECT_TRUE(same_fields(request, random.chance(50) ? all : std::vector<BlockSize>{{16, 4}, {32, 32}}));
    }
    MotionRequest request;
    random.draw_pictures(64, 48, request);
    EXPECT_TRUE(gpu().estimate_sizes(request, {}).empty());
    request.end_row = 1;
    EXPECT_THROW(gpu().estimate_sizes(request, all), InputError);
}

} // namespace
} // namespace tandem::test
