// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/vector_key.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace tandem::cuda {
namespace {

TEST(VectorKey, GivesBackCostAndVector) {
    for (int x = -largest_range; x <= largest_range; x += 31) {
        for (int y = -largest_range; y <= largest_range; y += 64) {
            const VectorKey key = vector_key(0xFEDCBA98u, x, y);
            EXPECT_EQ(cost_of_key(key), 0xFEDCBA98u);
            EXPECT_EQ(vector_of_key(key).x, x);
            EXPECT_EQ(vector_of_key(key).y, y);
        }
    }
}

TEST(VectorKey, OrdersAsBetterDoes) {
    std::mt19937 random(1);
    std::uniform_int_distribution<int> near(-3, 3), far(-largest_range, largest_range);
    for (int i = 0; i < 200000; ++i) {
        auto& range = i % 2 == 0 ? near : far;
        const int ax = range(random), ay = range(random), bx = range(random), by = range(random);
        const std::uint32_t cost_a = random() % 3, cost_b = random() % 3;
        EXPECT_EQ(vector_key(cost_a, ax, ay) < vector_key(cost_b, bx, by),
                  better(cost_a, mv_from_pels(ax, ay), cost_b, mv_from_pels(bx, by)))
            << cost_a << ' ' << ax << ' ' << ay << " and " << cost_b << ' ' << bx << ' ' << by;
    }
}

TEST(RankedRows, AreNumberedAsBetterOrdersThem) {
    for (int first = -40; first < 40; ++first) {
        for (int count = 1; count < 90; count += 3) {
            const RankedRows rows(first, count);
            std::set<int> seen;
            for (int y = first; y < first + count; ++y) {
                const int rank = rows.rank(y);
                EXPECT_TRUE(rank >= 0 && rank < count && seen.insert(rank).second) << first << ' ' << count << ' ' << y;
                EXPECT_EQ(rows.row(rank), y);
                for (int other = first; other < first + count; ++other) {
                    EXPECT_EQ(rows.rank(other) < rank, better(0, mv_from_pels(0, other), 0, mv_from_pels(0, y)));
                }
            }
        }
    }
}

TEST(CellRows, CoverTheColumnOnce) {
    for (const int rows : {4, 16, 256}) {
        for (int count = 1; count <= 255; ++count) {
            const CellRows cells{count, rows};
            int covered = 0;
            for (int cell = 0; cell < cells.cells(); ++cell) {
                EXPECT_EQ(cells.first(cell), covered);
                EXPECT_GT(cells.rows_of(cell), 0);
                for (int row = covered; row < covered + cells.rows_of(cell); ++row)
                    EXPECT_EQ(cells.cell_of(row), cell);
                covered += cells.rows_of(cell);
            }
            EXPECT_EQ(covered, count);
            const int tail = cells.rows_of(cells.cells() - 1);
            EXPECT_TRUE(cells.cells() == 1 || tail >= CellRows::least_tail) << count << ' ' << rows;
            EXPECT_LT(tail, rows + CellRows::least_tail + (cells.cells() == 1 ? 1 : 0)) << count << ' ' << rows;
        }
    }
}

} // namespace
} // namespace tandem::cuda
