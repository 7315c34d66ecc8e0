// SPDX-License-Identifier: BSD-2-Clause
#include "tests/cuda/device/device_fixture.h"

#include <cuda_runtime_api.h>

#include <sstream>

#include "cuda/device/check.h"
#include "machine/threads.h"
#include "tests/cuda/random_request.h"

namespace tandem::test {

namespace {

std::string& why_none() {
    static std::string reason;
    return reason;
}

std::string text(const Candidate& c) {
    std::ostringstream out;
    out << '(' << c.mv.x << ',' << c.mv.y << ") d " << c.distortion << " c " << c.cost;
    return out.str();
}

/// Where two fields differ first.
std::string first_difference(const MotionField& a, const MotionField& b) {
    for (int row = 0; row < a.rows(); ++row) {
        for (int column = 0; column < a.columns(); ++column) {
            for (int k = 0; k < a.candidates(); ++k) {
                const Candidate& x = a.block(column, row)[static_cast<std::size_t>(k)];
                const Candidate& y = b.block(column, row)[static_cast<std::size_t>(k)];
                if (x == y) continue;
                return "block " + std::to_string(column) + ',' + std::to_string(row) + " candidate " +
                       std::to_string(k) + ": CPU " + text(x) + ", GPU " + text(y);
            }
        }
    }
    return "nowhere";
}

} // namespace

std::vector<std::unique_ptr<Estimator>>& DeviceTest::devices() {
    static std::vector<std::unique_ptr<Estimator>> estimators = make_gpu_estimators(&why_none());
    return estimators;
}

Estimator& DeviceTest::gpu() { return *devices().front(); }

Estimator& DeviceTest::cpu() {
    static const std::unique_ptr<Estimator> estimator = make_cpu_estimator(available_threads());
    return *estimator;
}

void DeviceTest::SetUp() {
    if (devices().empty()) GTEST_SKIP() << why_none();
}

void DeviceTest::TearDown() {
    cuda::inject_fault(cuda::Fault::none);
    if (devices().empty()) return;
    EXPECT_EQ(leaked_error(), "") << "left behind in the CUDA runtime";
}

std::string DeviceTest::leaked_error() {
    const cudaError_t running = cudaDeviceSynchronize();
    const cudaError_t last = cudaGetLastError();
    if (last != cudaSuccess) return cudaGetErrorString(last);
    return running == cudaSuccess ? "" : cudaGetErrorString(running);
}

bool DeviceTest::same_field(const MotionRequest& request) { return same_field(request, gpu()); }

bool DeviceTest::same_field(const MotionRequest& request, Estimator& estimator) {
    const MotionField expected = cpu().estimate(request);
    const MotionField found = estimator.estimate(request);
    if (found == expected) return true;
    ADD_FAILURE() << describe(request) << '\n' << first_difference(expected, found);
    return false;
}

} // namespace tandem::test
