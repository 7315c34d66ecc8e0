// SPDX-License-Identifier: BSD-2-Clause
// Texture interpolation without a GPU: it is refused, and said why.
#include <gtest/gtest.h>

#include "machine/errors.h"
#include "me/estimator.h"
#include "tests/me/pictures.h"

namespace tandem::test {
namespace {

TEST(TextureRequest, IsNoneOfTheCpus) {
    const auto cpu = make_cpu_estimator(1);
    const PicturePair pair = make_pan(48, 32, 1, 2, 3);
    MotionRequest request{pair.current, pair.reference, {}, nullptr};
    EXPECT_TRUE(cpu->supports(request.params));
    request.params.interpolation = Interpolation::texture;
    EXPECT_TRUE(request.params.validate().empty());
    EXPECT_FALSE(cpu->supports(request.params));
    try {
        cpu->estimate(request);
        FAIL() << "not refused";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("texture interpolation is done by a GPU"), std::string::npos);
    }
}

} // namespace
} // namespace tandem::test
