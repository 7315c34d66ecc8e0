// SPDX-License-Identifier: BSD-2-Clause
// Walks the kernel tables so that no level this machine runs goes untested.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "coding/mpeg/kernels/predict.h"
#include "coding/mpeg/kernels/transform.h"

namespace tandem {

/// Calls check(kernels) for each table, naming its level in failures; fails when a level up to the machine's best, or
/// to the `last` that has a table of its own, is missing.
template <class Tables, class Check>
void for_each_level(const Tables& tables, Check check, SimdLevel last = SimdLevel::avx512) {
    ASSERT_EQ(tables.size(), static_cast<std::size_t>(std::min(best_simd_level(), last)) + 1);
    int level = 0;
    for (const auto* kernels : tables) {
        ASSERT_EQ(static_cast<int>(kernels->level), level++);
        SCOPED_TRACE(testing::Message() << "level " << name_of(kernels->level));
        check(*kernels);
    }
}

} // namespace tandem
