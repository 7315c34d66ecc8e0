// SPDX-License-Identifier: BSD-2-Clause
// Pictures filtered on a GPU: the CPU's samples, also when the device fails.
#include "coding/filter/device_filter.h"
#include "coding/sample_difference.h"
#include "cuda/device/check.h"
#include "cuda/gpu_coding_devices.h"
#include "tests/coding/random_filter_input.h"
#include "tests/cuda/device/device_fixture.h"

namespace tandem::test {
namespace {

class DeviceFilterTest : public DeviceTest {
  protected:
    FramePtr by_cpu(const FilterInput& input) { return temporally_filtered(input, workers_); }

    Workers workers_{4};
    std::mt19937 random_{23};
};

TEST_F(DeviceFilterTest, GivesTheSamplesOfTheCpu) {
    for (int stream = 0; stream < 20 && !HasFailure(); ++stream) {
        const auto gpu = make_gpu_picture_filter({});
        ASSERT_TRUE(gpu);
        for (int picture = 0; picture < 12; ++picture) {
            SCOPED_TRACE(std::to_string(stream) + " " + std::to_string(picture));
            const FilterInput input = random_filter_input(random_);
            EXPECT_EQ(sample_difference(*by_cpu(input), *gpu->filtered(input)), "");
        }
    }
}

// Pictures stay on the device from one call to the next.
TEST_F(DeviceFilterTest, NeighboursOfSeveralPictures) {
    std::vector<FilterInput> inputs;
    FilterInput first = random_filter_input(random_);
    while (first.neighbours.size() < 2)
        first = random_filter_input(random_);
    std::vector<FramePtr> pictures{first.picture};
    for (const FilterNeighbour& neighbour : first.neighbours)
        pictures.push_back(neighbour.picture);
    const auto gpu = make_gpu_picture_filter({});
    for (std::size_t i = 0; i < 40; ++i) {
        FilterInput input = first;
        input.picture = pictures[i % pictures.size()];
        for (std::size_t k = 0; k < input.neighbours.size(); ++k)
            input.neighbours[k].picture = pictures[(i + k + 1) % pictures.size()];
        EXPECT_EQ(sample_difference(*by_cpu(input), *gpu->filtered(input)), "") << i;
    }
}

TEST_F(DeviceFilterTest, TheCpuGoesOnWhereItFails) {
    for (const cuda::Fault fault : {cuda::Fault::allocation, cuda::Fault::launch, cuda::Fault::wait}) {
        for (const int calls : {1, 3}) {
            const FilterInput input = random_filter_input(random_);
            std::vector<std::string> warnings;
            CodingDevices devices;
            devices.on_warning = [&](const std::string& warning) { warnings.push_back(warning); };
            devices.make_filter = [] { return std::optional(make_gpu_picture_filter({})); };
            DeviceFilter filter(workers_, devices);
            filter.filtered(input); // Opens the device.
            cuda::inject_fault(fault, calls);
            for (int i = 0; i < 6; ++i) {
                const FilterInput next = random_filter_input(random_);
                EXPECT_EQ(sample_difference(*by_cpu(next), *filter.filtered(next)), "") << i;
            }
            cuda::inject_fault(cuda::Fault::none);
            ASSERT_EQ(warnings.size(), 1u);
            EXPECT_NE(warnings[0].find("no longer filters pictures"), std::string::npos) << warnings[0];
        }
    }
}

} // namespace
} // namespace tandem::test
