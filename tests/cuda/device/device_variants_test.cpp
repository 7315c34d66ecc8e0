// SPDX-License-Identifier: BSD-2-Clause
// Every variant of full search by SAD runs, on the whole tiles that it is made for and on cut ones.
#include <set>
#include <tuple>

#include "cuda/full/full_search_plan.h"
#include "tests/cuda/device/device_fixture.h"
#include "tests/cuda/random_request.h"

namespace tandem::test {
namespace {

class DeviceVariantsTest : public DeviceTest {
  protected:
    using Variant = std::tuple<cuda::FullSearchPlan::Kind, int, int>; ///< Words and rows of the tile.

    static Variant variant_of(int block_width, int block_height) {
        cuda::SearchTask task;
        task.picture_width = task.picture_height = 256;
        task.block_width = block_width;
        task.block_height = block_height;
        task.columns = task.rows = 2;
        const cuda::FullSearchPlan plan = cuda::plan_full_search(task, 1000, cuda::Matrices::none);
        return {plan.kind, plan.tile.words, plan.tile.rows};
    }
};

TEST_F(DeviceVariantsTest, EachEqualsTheCpu) {
    RandomRequest random(11);
    std::set<Variant> seen;
    for (const int width : {4, 8, 16, 64}) {
        for (const int height : {4, 8, 16, 64}) {
            seen.insert(variant_of(width, height));
            for (const int candidates : {1, 4}) {
                for (const int lambda : {0, 3000}) {
                    MotionRequest request;
                    request.params.metric = random.chance(70) ? Metric::sad : Metric::ssd;
                    request.params.block_width = width;
                    request.params.block_height = height;
                    request.params.range_x = 17;
                    request.params.range_y = 26;
                    request.params.candidates = candidates;
                    request.params.lambda_q8 = static_cast<std::uint32_t>(lambda);
                    request.params.boundary = random.chance(50) ? Boundary::inside : Boundary::padded;
                    random.draw_pictures(2 * 64 + (random.chance(50) ? 0 : 3), 64 + (random.chance(50) ? 0 : 5),
                                         request);
                    same_field(request);
                }
            }
        }
    }
    EXPECT_EQ(seen.size(), 9u + 5u) << "of one tile, and of several";
}

TEST_F(DeviceVariantsTest, TiesAreDecidedAsOnTheCpu) {
    RandomRequest random(12);
    for (const int size : {4, 8, 16, 32}) {
        for (const int candidates : {1, 5, 16}) {
            MotionRequest request;
            const auto flat = std::make_shared<Frame>(96, 64);
            flat->plane(0).fill(100);
            request.current = request.reference = flat;
            request.params.block_width = request.params.block_height = size;
            request.params.range_x = 9;
            request.params.range_y = 21;
            request.params.candidates = candidates;
            request.params.predictor = Predictor::hint;
            request.params.lambda_q8 = 300;
            request.hint = random.hint(request);
            same_field(request);
        }
    }
}

} // namespace
} // namespace tandem::test
