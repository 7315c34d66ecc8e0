// SPDX-License-Identifier: BSD-2-Clause
// Macroblocks' costs measured on a GPU: the CPU's, also when the device fails.
#include "coding/costs/device_costs.h"
#include "cuda/device/check.h"
#include "cuda/gpu_coding_devices.h"
#include "tests/coding/random_cost_work.h"
#include "tests/cuda/device/device_fixture.h"

namespace tandem::test {
namespace {

class CostsOnDevice : public DeviceTest {
  protected:
    std::mt19937 random_{31};
    Workers workers_{4};
};

TEST_F(CostsOnDevice, AreThoseOfTheCpu) {
    const auto gpu = make_gpu_cost_meter({});
    ASSERT_TRUE(gpu);
    for (int stream = 0; stream < 30 && !HasFailure(); ++stream) {
        RandomCosts pictures(random_);
        for (int piece = 0; piece < 8; ++piece) {
            SCOPED_TRACE(std::to_string(stream) + " " + std::to_string(piece));
            const CostWork work = pictures.next();
            if (piece < stream % 3) { // The device comes later: it has to be told of these costs.
                RandomCosts::measured_by_cpu(work);
                continue;
            }
            gpu->measure(work);
            const std::vector<std::uint32_t> found = RandomCosts::measured(work);
            EXPECT_EQ(found, RandomCosts::measured_by_cpu(work));
        }
    }
}

TEST_F(CostsOnDevice, TheCpuGoesOnWhereItFails) {
    for (const cuda::Fault fault : {cuda::Fault::allocation, cuda::Fault::launch, cuda::Fault::wait}) {
        std::vector<std::string> warnings;
        CodingDevices devices;
        devices.on_warning = [&](const std::string& warning) { warnings.push_back(warning); };
        devices.make_costs = [] { return std::optional(make_gpu_cost_meter({})); };
        DeviceCosts costs(workers_, devices);
        RandomCosts pictures(random_);
        costs.measure(pictures.next()); // Opens the device.
        cuda::inject_fault(fault, 2);
        for (int piece = 0; piece < 6; ++piece) {
            const CostWork work = pictures.next();
            costs.measure(work);
            const std::vector<std::uint32_t> found = RandomCosts::measured(work);
            EXPECT_EQ(found, RandomCosts::measured_by_cpu(work)) << piece;
        }
        cuda::inject_fault(cuda::Fault::none);
        ASSERT_EQ(warnings.size(), 1u);
        EXPECT_NE(warnings[0].find("no longer measures macroblocks"), std::string::npos) << warnings[0];
    }
}

} // namespace
} // namespace tandem::test
