// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/vector_key.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace tandem::cuda {
namespace {

/// Positions up to the farthest that a search has.
constexpr int far = farthest_position / 2;

TEST(VectorKey, GivesBackCostAndPosition) {
    for (int x = -far; x <= far; x += 331) {
        for (int y = -far; y <= far; y += 253) {
            const VectorKey key = vector_key(0xFEDCBA98u, x, y);
            EXPECT_EQ(cost_of_key(key), 0xFEDCBA98u);
            EXPECT_EQ(position_of_key(key).x, x);
            EXPECT_EQ(position_of_key(key).y, y);
        }
    }
    EXPECT_EQ(position_of_key(vector_key(0, farthest_position, 0)).x, farthest_position);
    EXPECT_EQ(position_of_key(vector_key(0, 0, -farthest_position)).y, -farthest_position);
}

TEST(VectorKey, OrdersAsBetterDoes) {
    std::mt19937 random(1);
    std::uniform_int_distribution<int> near_zero(-3, 3), anywhere(-far, far);
    for (int i = 0; i < 200000; ++i) {
        auto& range = i % 2 == 0 ? near_zero : anywhere;
        const auto draw = [&] {
            return Mv{static_cast<std::int16_t>(range(random)), static_cast<std::int16_t>(range(random))};
        };
        const Mv a = draw(), b = draw();
        const std::uint32_t cost_a = random() % 3, cost_b = random() % 3;
        EXPECT_EQ(vector_key(cost_a, a.x, a.y) < vector_key(cost_b, b.x, b.y), better(cost_a, a, cost_b, b))
            << cost_a << ' ' << a.x << ' ' << a.y << " and " << cost_b << ' ' << b.x << ' ' << b.y;
    }
}

TEST(RankedRows, AreNumberedAsBetterOrdersThem) {
    const auto mv = [](int y) { return Mv{0, static_cast<std::int16_t>(y)}; };
    for (const int shift : {0, 1, 2, 3}) {
        const int step = 1 << shift;
        for (int first = -40; first < 40; first += 3) {
            for (int count = 1; count < 40; count += 3) {
                const RankedRows rows{first, shift, count};
                std::set<int> seen;
                for (int i = 0; i < count; ++i) {
                    const int y = first + step * i;
                    const int rank = rows.rank(y);
                    EXPECT_TRUE(rank >= 0 && rank < count && seen.insert(rank).second)
                        << first << ' ' << step << ' ' << count << ' ' << y;
                    for (int j = 0; j < count; ++j) {
                        const int other = first + step * j;
                        EXPECT_EQ(rows.rank(other) < rank, better(0, mv(other), 0, mv(y)));
                    }
                }
            }
        }
    }
}

TEST(StretchRows, CoverTheColumnOnce) {
    for (const int rows : {4, 16, 256}) {
        for (int count = 1; count <= 255; ++count) {
            const StretchRows stretches{count, rows};
            int covered = 0;
            for (int stretch = 0; stretch < stretches.stretches(); ++stretch) {
                EXPECT_EQ(stretches.first(stretch), covered);
                EXPECT_GT(stretches.rows_of(stretch), 0);
                for (int row = covered; row < covered + stretches.rows_of(stretch); ++row)
                    EXPECT_EQ(stretches.stretch_of(row), stretch);
                covered += stretches.rows_of(stretch);
            }
            EXPECT_EQ(covered, count);
            const int tail = stretches.rows_of(stretches.stretches() - 1);
            EXPECT_TRUE(stretches.stretches() == 1 || tail >= StretchRows::least_tail) << count << ' ' << rows;
            EXPECT_LT(tail, rows + StretchRows::least_tail + (stretches.stretches() == 1 ? 1 : 0))
                << count << ' ' << rows;
        }
    }
}

} // namespace
} // namespace tandem::cuda
