// SPDX-License-Identifier: BSD-2-Clause
// The kernel that filters pictures, as the host runs it, against the CPU's filter.
#include <gtest/gtest.h>

#include <cstring>

#include "coding/sample_difference.h"
#include "cuda/filter/filter_macroblock.h"
#include "tests/coding/random_filter_input.h"

namespace tandem::cuda {
namespace {

using namespace tandem::test;

template <class Planes, class Picture> Planes planes_of(Picture& picture) {
    Planes planes;
    for (int p = 0; p < 3; ++p) {
        planes.plane[p] = picture.plane(p).view().data;
        planes.stride[p] = static_cast<int>(picture.plane(p).stride());
    }
    return planes;
}

/// With a loop in the place of the launch.
Frame filtered_on_host(const FilterInput& input, bool backwards) {
    const Frame& picture = *input.picture;
    Frame filtered(picture.width(), picture.height());
    for (int p = 0; p < 3; ++p)
        filtered.plane(p).fill(0xA5);
    FilterTask task{};
    task.columns = picture.width() / macroblock_side;
    task.rows = picture.height() / macroblock_side;
    task.picture = planes_of<SamplePlanes>(picture);
    task.filtered = planes_of<WrittenPlanes>(filtered);
    task.intra = input.intra.data();
    task.strength = input.strength.data();
    task.half_inverse_variance = half_inverse_variance(input.quantiser);
    for (const FilterNeighbour& neighbour : input.neighbours)
        task.neighbour[task.neighbours++] = {planes_of<SamplePlanes>(*neighbour.picture), neighbour.motion.data(),
                                             nearness_of(neighbour.distance)};
    std::memcpy(task.taps, fine_tap_weights().data(), sizeof task.taps);
    const Lanes lanes(backwards);
    for (int i = 0; i < task.macroblocks(); ++i) {
        FilterScratch scratch;
        std::memset(&scratch, 0xA5, sizeof scratch);
        filter_macroblock(lanes, task, backwards ? task.macroblocks() - 1 - i : i, scratch);
    }
    return filtered;
}

TEST(FilterKernel, MakesTheSamplesOfTheCpu) {
    std::mt19937 random(7);
    Workers workers(1);
    int touched = 0;
    for (int round = 0; round < 60; ++round) {
        SCOPED_TRACE(round);
        const FilterInput input = random_filter_input(random);
        const FramePtr wanted = temporally_filtered(input, workers);
        touched += !sample_difference(*wanted, *input.picture).empty();
        ASSERT_EQ(sample_difference(*wanted, filtered_on_host(input, false)), "");
        ASSERT_EQ(sample_difference(*wanted, filtered_on_host(input, true)), "") << "in falling order";
    }
    EXPECT_GT(touched, 40) << "otherwise nothing is compared";
}

} // namespace
} // namespace tandem::cuda
