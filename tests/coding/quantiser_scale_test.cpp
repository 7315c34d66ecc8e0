// SPDX-License-Identifier: BSD-2-Clause
#include "coding/mpeg/quantiser/quantiser_scale.h"

#include <gtest/gtest.h>

#include "coding/mpeg/kernels/transform.h"

namespace tandem {
namespace {

TEST(QuantiserScale, ACodeIsHalfItsScale) {
    for (int code = 1; code <= 31; ++code) {
        for (const bool non_linear : {false, true}) {
            const double quantiser = quantiser_of_code(code, non_linear);
            EXPECT_EQ(quantiser, quantiser_scale(code, non_linear) / 2.0);
            EXPECT_EQ(code_of_quantiser(quantiser, non_linear), code);
        }
    }
}

TEST(QuantiserScale, FractionsLieBetween) {
    EXPECT_EQ(quantiser_of_code(8.25, true), 4.25);
    EXPECT_EQ(quantiser_of_code(30.5, true), 54);
    for (double code = 1; code <= 31; code += 0.01) {
        EXPECT_NEAR(code_of_quantiser(quantiser_of_code(code, true), true), code, 1e-9);
        EXPECT_EQ(quantiser_of_code(code, false), code);
    }
}

TEST(QuantiserScale, BeyondTheScaleIsItsEnd) {
    EXPECT_EQ(code_of_quantiser(0.1, true), 1);
    EXPECT_EQ(code_of_quantiser(80, true), 31);
    EXPECT_EQ(code_of_quantiser(80, false), 80);
}

} // namespace
} // namespace tandem
