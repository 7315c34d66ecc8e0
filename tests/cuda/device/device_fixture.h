// SPDX-License-Identifier: BSD-2-Clause
// Tests on a GPU; without one they are skipped and say why.
#pragma once

#include <gtest/gtest.h>

#include "me/estimator.h"

namespace tandem::test {

class DeviceTest : public testing::Test {
  protected:
    void SetUp() override;
    /// A test that leaves an error of the CUDA runtime behind fails.
    void TearDown() override;
    /// What a thread's calls of the runtime left behind, now cleared; empty: nothing.
    static std::string leaked_error();

    /// The first device's estimator and the CPU's; made once.
    static Estimator& gpu();
    static Estimator& cpu();
    static std::vector<std::unique_ptr<Estimator>>& devices();

    /// Both give the same field; false, and the first difference told, where not.
    static bool same_field(const MotionRequest& request);
    static bool same_field(const MotionRequest& request, Estimator& estimator);
};

} // namespace tandem::test
