// SPDX-License-Identifier: BSD-2-Clause
// Why there is no GPU, and that a program without one works.
#include <gtest/gtest.h>

#include <cstdlib>

#include "cuda/device/devices.h"
#include "cuda/device/no_device_reason.h"
#include "machine/errors.h"
#include "me/coprocessor/backend.h"

namespace tandem::cuda {
namespace {

TEST(NoDeviceReason, NamesWhatIsMissing) {
    EXPECT_EQ(no_device_reason(DeviceAnswer::driver_insufficient, 0, 13000, nullptr, ""),
              "no NVIDIA driver is installed");
    EXPECT_EQ(no_device_reason(DeviceAnswer::driver_insufficient, 12040, 13000, nullptr, ""),
              "the NVIDIA driver is too old: it supports CUDA 12.4, this build needs CUDA 13.0");
    EXPECT_EQ(no_device_reason(DeviceAnswer::none, 13000, 13000, nullptr, ""), "no NVIDIA GPU is installed");
    EXPECT_EQ(no_device_reason(DeviceAnswer::none, 13000, 13000, "", ""),
              "CUDA_VISIBLE_DEVICES=\"\" shows no NVIDIA GPU");
    EXPECT_EQ(no_device_reason(DeviceAnswer::failed, 13000, 13000, "7", "unknown error"),
              "the NVIDIA driver gave no device: unknown error");
}

TEST(NoCodeReason, NamesWhatTheBuildHasAndWhatTheDeviceIs) {
    EXPECT_EQ(no_code_reason(8, 6, "90-real"), "this build has code for sm_90, and the device is sm_86");
    EXPECT_EQ(no_code_reason(7, 0, "75-real,80-real,100,120-virtual"),
              "this build has code for sm_75, sm_80, sm_100 and newer, sm_120 and newer, and the device is sm_70");
    EXPECT_EQ(no_code_reason(8, 9, "native"), "this build has code for native, and the device is sm_89");
}

TEST(Devices, AListWithoutDevicesSaysWhyInOneLine) {
    const DeviceList list = list_devices();
    std::string why;
    const auto estimators = make_gpu_estimators(&why);
    if (estimators.empty()) {
        EXPECT_FALSE(why.empty());
        EXPECT_EQ(why.find('\n'), std::string::npos);
        EXPECT_FALSE(list.why_none.empty());
    } else {
        EXPECT_TRUE(why.empty());
        EXPECT_LE(estimators.size(), list.devices.size());
        EXPECT_EQ(estimators.front()->name().rfind("gpu:", 0), 0u);
    }
    EXPECT_EQ(make_gpu_estimators(nullptr).size(), estimators.size());
}

TEST(RequestCheck, RefusesWhatTheCpuRefuses) {
    const auto frame = std::make_shared<Frame>(64, 48);
    MotionRequest request{frame, frame, {}, nullptr, 0, -1};
    EXPECT_EQ(empty_field(request).rows(), 3);
    EXPECT_EQ(wanted_rows(request, empty_field(request)).end, 3);
    request.end_row = 4;
    EXPECT_THROW(wanted_rows(request, empty_field(request)), InputError);
    request.reference = std::make_shared<Frame>(64, 47);
    EXPECT_THROW(empty_field(request), InputError);
    request.reference = nullptr;
    EXPECT_THROW(empty_field(request), InputError);
    request.reference = frame;
    request.hint = std::make_shared<MotionField>(64, 48, 8, 8, 1);
    EXPECT_THROW(empty_field(request), InputError);
    request.hint = nullptr;
    request.params.candidates = 0;
    EXPECT_THROW(empty_field(request), InputError);
}

} // namespace
} // namespace tandem::cuda
