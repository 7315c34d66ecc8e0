// SPDX-License-Identifier: BSD-2-Clause
// A device that runs out of memory, refuses a launch or is lost: the estimator says so, and the work goes on.
#include <thread>

#include "cuda/device/check.h"
#include "machine/errors.h"
#include "me/coprocessor/coprocessor.h"
#include "tests/cuda/device/device_fixture.h"
#include "tests/cuda/random_request.h"

namespace tandem::test {
namespace {

using cuda::Fault;

class DeviceFailureTest : public DeviceTest, public testing::WithParamInterface<Fault> {};

std::string name_of(const testing::TestParamInfo<Fault>& info) {
    return info.param == Fault::allocation ? "Allocation" : info.param == Fault::launch ? "Launch" : "Wait";
}

INSTANTIATE_TEST_SUITE_P(Faults, DeviceFailureTest, testing::Values(Fault::allocation, Fault::launch, Fault::wait),
                         name_of);

TEST_P(DeviceFailureTest, IsARunErrorAndPassesAway) {
    RandomRequest random(21);
    MotionRequest request;
    random.draw_pictures(160, 96, request);
    auto estimators = make_gpu_estimators(nullptr);
    cuda::inject_fault(GetParam());
    EXPECT_THROW(estimators.front()->estimate(request), RunError);
    cuda::inject_fault(Fault::none);
    EXPECT_TRUE(same_field(request, *estimators.front()));
}

/// Planes between samples, levels and layers are made by several launches, of which any may be refused.
TEST_P(DeviceFailureTest, WhatWasHalfMadeOfAFrameIsMadeAnew) {
    RandomRequest random(25);
    auto estimators = make_gpu_estimators(nullptr);
    for (const Algorithm algorithm : {Algorithm::full, Algorithm::hierarchical}) {
        for (int calls = 1; calls <= 6; ++calls) {
            MotionRequest request;
            random.draw_pictures(96, 64, request);
            request.params.algorithm = algorithm;
            request.params.range_x = request.params.range_y = 4;
            request.params.precision = 2;
            request.params.grid = algorithm == Algorithm::full ? 2 : 1;
            cuda::inject_fault(GetParam(), calls);
            try {
                estimators.front()->estimate(request);
            } catch (const RunError&) {
            }
            cuda::inject_fault(Fault::none);
            EXPECT_TRUE(same_field(request, *estimators.front())) << "call " << calls;
        }
    }
}

/// What a search asks for grows with the pictures; of those that it kept from smaller ones it can do without.
TEST_F(DeviceTest, MemoryThatIsKeptMakesRoomWhenThereIsNone) {
    RandomRequest random(26);
    auto estimators = make_gpu_estimators(nullptr);
    MotionRequest small, large;
    random.draw_pictures(96, 64, small);
    random.draw_pictures(320, 192, large);
    EXPECT_TRUE(same_field(small, *estimators.front()));
    for (int calls = 1; calls <= 4; ++calls) {
        cuda::inject_fault_once(Fault::allocation, calls);
        EXPECT_TRUE(same_field(large, *estimators.front())) << "call " << calls;
        cuda::inject_fault(Fault::none);
        EXPECT_TRUE(same_field(small, *estimators.front()));
    }
}

TEST_P(DeviceFailureTest, GettingReadyFailsTooAndPassesAway) {
    RandomRequest random(24);
    MotionRequest request;
    random.draw_pictures(160, 96, request);
    auto estimators = make_gpu_estimators(nullptr);
    Estimator& estimator = *estimators.front();
    cuda::inject_fault(GetParam());
    EXPECT_THROW(estimator.prepare(request.params, 160, 96), RunError);
    cuda::inject_fault(Fault::none);
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i)
        threads.emplace_back([&] { estimator.prepare(request.params, 160, 96); });
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_TRUE(same_field(request, estimator));
    request.params.interpolation = Interpolation::six_tap;
    request.params.precision = 4;
    EXPECT_NO_THROW(estimator.prepare(request.params, 160, 96)) << "what does not run there needs nothing";
}

TEST_P(DeviceFailureTest, InMidStreamTheCpuGoesOnWithTheSameFields) {
    RandomRequest random(22);
    std::vector<std::string> warnings;
    CoprocessorOptions options;
    options.on_warning = [&](const std::string& warning) { warnings.push_back(warning); };
    std::vector<MotionRequest> requests(12);
    std::vector<std::future<MotionResult>> results;
    std::size_t devices_made = 0;
    {
        auto estimators = make_gpu_estimators(nullptr);
        devices_made = estimators.size();
        Coprocessor motion(std::move(estimators), make_cpu_estimator(2), options);
        cuda::inject_fault(GetParam(), 8);
        for (MotionRequest& request : requests) {
            random.draw_pictures(160, 96, request);
            request.params.candidates = 4;
            results.push_back(motion.submit(request));
        }
        for (std::size_t i = 0; i < requests.size(); ++i)
            EXPECT_EQ(results[i].get().field, cpu().estimate(requests[i])) << describe(requests[i]);
        cuda::inject_fault(Fault::none);
        EXPECT_LT(motion.backend_names().size(), devices_made + 1);
    }
    EXPECT_GE(warnings.size(), 1u);
    EXPECT_LE(warnings.size(), devices_made) << "one for each device";
}

TEST_F(DeviceTest, AnErrorThatATestLeavesBehindIsSeen) {
    EXPECT_NE(cudaSetDevice(9999), cudaSuccess);
    EXPECT_NE(leaked_error(), "");
    EXPECT_EQ(leaked_error(), "");
}

TEST_F(DeviceTest, WhatTheRequestBreaksIsNoFailureOfTheDevice) {
    RandomRequest random(23);
    MotionRequest request;
    random.draw_pictures(64, 64, request);
    request.end_row = 99;
    EXPECT_THROW(gpu().estimate(request), InputError);
}

} // namespace
} // namespace tandem::test
