// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include "machine/errors.h"
#include "machine/simd_level.h"

namespace tandem {
namespace {

constexpr SimdLevel levels[] = {SimdLevel::scalar, SimdLevel::avx2, SimdLevel::avx512};

TEST(SimdLevel, NamesGoBothWays) {
    for (const SimdLevel level : levels)
        EXPECT_EQ(simd_level_by_name(name_of(level)), level);
    EXPECT_FALSE(simd_level_by_name("AVX2"));
    EXPECT_FALSE(simd_level_by_name(""));
    EXPECT_FALSE(simd_level_by_name("sse"));
}

TEST(SimdLevel, CanBeLoweredButNotRaisedAboveTheMachine) {
    for (const SimdLevel level : levels) {
        if (level <= best_simd_level()) {
            set_simd_level(level);
            EXPECT_EQ(simd_level(), level);
        } else {
            EXPECT_THROW(set_simd_level(level), InputError);
        }
    }
    set_simd_level(best_simd_level());
}

} // namespace
} // namespace tandem
