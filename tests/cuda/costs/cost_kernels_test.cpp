// SPDX-License-Identifier: BSD-2-Clause
// The kernels that measure macroblocks' costs, as the host runs them, against the CPU's.
#include <gtest/gtest.h>

#include "cuda/costs/measure_costs.h"
#include "tests/coding/random_cost_work.h"

namespace tandem::cuda {
namespace {

using test::RandomCosts;

const std::uint8_t* luma_of(const HalfPicture* picture) { return picture->frame->luma().view().data; }

/// With a loop in the place of the launches.
void measure_on_host(const CostWork& work) {
    const Frame& half = work.any_picture();
    const CostTask task{nullptr, 0, half.width() / half_macroblock, half.height() / half_macroblock,
                        static_cast<int>(half.plane(0).stride())};
    for (int i = 0; i < task.columns * task.rows; ++i) {
        for (const CostWork::Intra& each : work.intra)
            measure_macroblock<CostKind::intra>(task, {.picture = luma_of(each.picture), .costs = each.costs->data()},
                                                i);
        for (const CostWork::Predicted& each : work.predicted)
            measure_macroblock<CostKind::predicted>(task,
                                                    {.picture = luma_of(each.picture),
                                                     .first = luma_of(each.reference),
                                                     .field = each.field.all().data(),
                                                     .candidates = each.field.candidates(),
                                                     .predicted = each.costs->data()},
                                                    i);
        for (const CostWork::Both& each : work.both)
            measure_macroblock<CostKind::both>(task,
                                               {.picture = luma_of(each.picture),
                                                .first = luma_of(each.first),
                                                .last = luma_of(each.last),
                                                .forward = each.forward->data(),
                                                .backward = each.backward->data(),
                                                .costs = each.costs->data()},
                                               i);
    }
}

TEST(CostKernels, MeasureWhatTheCpuDoes) {
    std::mt19937 random(13);
    for (int stream = 0; stream < 12; ++stream) {
        RandomCosts pictures(random);
        for (int piece = 0; piece < 5; ++piece) {
            SCOPED_TRACE(std::to_string(stream) + " " + std::to_string(piece));
            const CostWork work = pictures.next();
            measure_on_host(work);
            const std::vector<std::uint32_t> found = RandomCosts::measured(work);
            ASSERT_EQ(found, RandomCosts::measured_by_cpu(work));
        }
    }
}

} // namespace
} // namespace tandem::cuda
