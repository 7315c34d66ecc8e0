// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <random>
#include <vector>

#include "me/kernels/elimination_kernels.h"
#include "me/search/block_cells.h"
#include "me/search/levels/pyramid.h"
#include "pictures.h"
#include "tests/me/naive/naive_samples.h"

namespace tandem {
namespace {

std::vector<std::uint8_t> random_samples(std::size_t count, std::mt19937& random, int spread) {
    std::vector<std::uint8_t> samples(count);
    for (std::uint8_t& sample : samples)
        sample = static_cast<std::uint8_t>(255 - static_cast<int>(random() % static_cast<unsigned>(spread)));
    return samples;
}

/// Room for a row of cells of 2x2 samples; what lies beyond the row is 0 for sums and 7 for bytes.
struct RowMemory {
    explicit RowMemory(int strips)
        : even(static_cast<std::size_t>(32 * strips + 64)), odd(even.size()),
          means(static_cast<std::size_t>(128 * strips + 1), 7), folded(means) {}
    FineRow row() { return {even.data(), odd.data(), means.data(), folded.data()}; }
    bool operator==(const RowMemory&) const = default;
    std::vector<std::uint16_t> even, odd;
    std::vector<std::uint8_t> means, folded;
};

/// The byte of the cell of 2x2 samples at sample x.
std::size_t byte_of_cell(int x) { return static_cast<std::size_t>(x / 16 * 32 + x % 2 * 16 + x % 16 / 2); }

TEST(Elimination, EveryVariantMakesTheSameRowsOfCells) {
    ASSERT_EQ(all_elimination_kernels().size(), static_cast<std::size_t>(best_simd_level()) + 1);
    const EliminationKernels& scalar = *all_elimination_kernels().front();
    std::mt19937 random(3);
    for (int strips = 0; strips < 4; ++strips) {
        for (const int spread : {1, 3, 256}) {
            const std::size_t samples = static_cast<std::size_t>(64 * strips) + 65;
            const std::vector<std::uint8_t> rows[2] = {random_samples(samples, random, spread),
                                                       random_samples(samples, random, spread)};
            RowMemory expected(strips), lower(strips);
            scalar.fine_row(rows[0].data(), rows[1].data(), strips, expected.row());
            scalar.fine_row(rows[1].data(), rows[0].data() + 1, strips, lower.row());
            std::vector<std::uint8_t> expected_means(expected.means.size(), 7);
            scalar.coarse_row(expected.row(), lower.row(), strips, expected_means.data());
            for (const EliminationKernels* kernels : all_elimination_kernels()) {
                RowMemory found(strips);
                kernels->fine_row(rows[0].data(), rows[1].data(), strips, found.row());
                EXPECT_TRUE(found == expected) << name_of(kernels->level) << " " << strips;
                std::vector<std::uint8_t> means(expected.means.size(), 7);
                kernels->coarse_row(expected.row(), lower.row(), strips, means.data());
                EXPECT_EQ(means, expected_means) << name_of(kernels->level) << " " << strips;
            }
            for (int x = 0; x < 64 * strips; ++x) {
                const auto i = static_cast<std::size_t>(x), half = static_cast<std::size_t>(x / 2);
                const int sum = rows[0][i] + rows[0][i + 1] + rows[1][i] + rows[1][i + 1];
                EXPECT_EQ((x % 2 == 0 ? expected.even : expected.odd)[half], sum);
                EXPECT_EQ(expected.means[byte_of_cell(x)], sum / 4);
                EXPECT_EQ(expected.folded[byte_of_cell(x)], std::abs(255 - std::abs(sum - 510)));
            }
        }
    }
}

TEST(Elimination, FoldingMakesNoDifferenceLarger) {
    constexpr int sums = 4 * 255 + 1, strips = 2 * sums / 64 + 1;
    std::vector<std::uint8_t> upper(64 * strips + 65), lower(upper.size());
    for (int sum = 0; sum < sums; ++sum) { // The cell at sample 2 sum has that sum.
        const auto x = static_cast<std::size_t>(2 * sum);
        upper[x] = static_cast<std::uint8_t>(std::min(sum, 255));
        upper[x + 1] = static_cast<std::uint8_t>(std::clamp(sum - 255, 0, 255));
        lower[x] = static_cast<std::uint8_t>(std::clamp(sum - 510, 0, 255));
        lower[x + 1] = static_cast<std::uint8_t>(std::max(sum - 765, 0));
    }
    for (const EliminationKernels* kernels : all_elimination_kernels()) {
        RowMemory memory(strips);
        kernels->fine_row(upper.data(), lower.data(), strips, memory.row());
        int largest = 0;
        for (int a = 0; a < sums; ++a) {
            ASSERT_EQ(memory.even[static_cast<std::size_t>(a)], a);
            for (int b = 0; b < sums; ++b) {
                const int folded = std::abs(memory.folded[byte_of_cell(2 * a)] - memory.folded[byte_of_cell(2 * b)]);
                ASSERT_LE(folded, std::abs(a - b)) << name_of(kernels->level) << " " << a << " " << b;
                if (std::abs(a - b) == 1) {
                    ASSERT_EQ(folded, 1) << a << " " << b;
                }
                largest = std::max(largest, folded);
            }
        }
        EXPECT_EQ(largest, 255);
    }
}

TEST(Elimination, EveryVariantMakesTheSameBytesOfABlock) {
    const EliminationKernels& scalar = *all_elimination_kernels().front();
    std::mt19937 random(5);
    constexpr std::ptrdiff_t stride = 140;
    for (const int spread : {1, 2, 256}) {
        const std::vector<std::uint8_t> samples = random_samples(stride * 128, random, spread);
        for (const auto& [width, height] : {std::pair{16, 16},
                                            {8, 8},
                                            {8, 4},
                                            {16, 4},
                                            {24, 12},
                                            {32, 32},
                                            {40, 8},
                                            {64, 64},
                                            {128, 128},
                                            {8, 128}}) {
            BlockBytes expected{};
            scalar.block_bytes(samples.data() + 3, stride, width, height, expected);
            for (const EliminationKernels* kernels : all_elimination_kernels()) {
                BlockBytes found{};
                kernels->block_bytes(samples.data() + 3, stride, width, height, found);
                const auto same = [](const std::uint8_t* a, const std::uint8_t* b) {
                    return std::equal(a, a + most_block_bytes, b);
                };
                EXPECT_TRUE(same(found.fine, expected.fine)) << name_of(kernels->level) << " " << width;
                EXPECT_TRUE(same(found.folded, expected.folded)) << name_of(kernels->level) << " " << width;
                EXPECT_EQ(found.fine_slack, expected.fine_slack) << name_of(kernels->level) << " " << width;
                if (width % 16 != 0) continue; // Others have no coarse ones that anybody looks at.
                EXPECT_TRUE(same(found.coarse, expected.coarse)) << name_of(kernels->level) << " " << width;
                EXPECT_EQ(found.coarse_slack, expected.coarse_slack) << name_of(kernels->level) << " " << width;
            }
        }
    }
}

std::uint32_t sad_of(PlaneView current, const BlockRect& block, PlaneView reference, int x, int y) {
    std::uint32_t sum = 0;
    for (int j = block.y; j < block.y + block.height; ++j) {
        for (int i = block.x; i < block.x + block.width; ++i)
            sum += static_cast<std::uint32_t>(std::abs(current.at(i, j) - reference.at(i + x, j + y)));
    }
    return sum;
}

std::vector<BoundedPosition> survivors(const EliminationKernels& kernels, const BlockCells& cells, int columns,
                                       int rows, const std::int32_t* limits) {
    std::vector<BoundedPosition> found(static_cast<std::size_t>(columns * rows) + 1, {{60000, 60000}, 0});
    const int n = kernels.survivors(cells, columns, rows, limits, found.data());
    EXPECT_EQ(found.back().position.row, 60000);
    if (n == hopeless) return {{{60000, 60000}, 1}};
    found.resize(static_cast<std::size_t>(n));
    return found;
}

/// Numbers that two lists share where they hold the same positions with the same bounds.
std::vector<std::array<std::uint32_t, 3>> numbers(const std::vector<BoundedPosition>& positions) {
    std::vector<std::array<std::uint32_t, 3>> all;
    for (const BoundedPosition& p : positions)
        all.push_back({p.position.row, p.position.column, p.bound});
    std::sort(all.begin(), all.end()); // Levels find them in orders of their own.
    return all;
}

/// A rectangle of displacements of one block.
struct Displacements {
    int x, y, columns, rows;
};

/// Every level says the same; bounds are lower bounds; no position within its limit is lost.
void check_survivors(const test::PicturePair& pair, const CellSums& sums, const BlockRect& block,
                     const Displacements& d, const std::vector<std::int32_t>& limits) {
    const PlaneView current = pair.current->luma().view(), reference = pair.reference->luma().view();
    CellsOfBlock cells;
    cells.set(&sums, current, block);
    ASSERT_TRUE(cells.any());
    const BlockCells view = cells.from(d.x, d.y);
    const bool fine = block.width % 8 == 0 && block.width * block.height <= 1024;
    EXPECT_EQ(view.coarse.plane != nullptr, block.width % 16 == 0);
    EXPECT_EQ(view.fine.plane != nullptr, fine);
    EXPECT_EQ(view.folded.plane != nullptr, fine);
    EXPECT_EQ(view.count > 0, !fine);
    const std::vector<BoundedPosition> expected =
        survivors(*all_elimination_kernels().front(), view, d.columns, d.rows, limits.data());
    for (const EliminationKernels* kernels : all_elimination_kernels()) {
        EXPECT_EQ(numbers(survivors(*kernels, view, d.columns, d.rows, limits.data())), numbers(expected))
            << name_of(kernels->level) << " " << block.width << "x" << block.height;
    }
    if (!expected.empty() && expected.front().position.row == 60000) return; // Hopeless, say all.
    std::size_t next = 0;
    for (int row = 0; row < d.rows; ++row) {
        for (int column = 0; column < d.columns; ++column) {
            const auto sad = static_cast<std::int32_t>(sad_of(current, block, reference, d.x + column, d.y + row));
            const bool kept = next < expected.size() && expected[next].position.row == row &&
                              expected[next].position.column == column;
            if (kept)
                ASSERT_LE(static_cast<std::int32_t>(expected[next++].bound),
                          std::min(sad, limits[static_cast<std::size_t>(row)]));
            else
                ASSERT_GT(sad, limits[static_cast<std::size_t>(row)]) << column << "," << row;
        }
    }
    EXPECT_EQ(next, expected.size());
}

/// Limits that positions meet exactly, so that a bound which is one too high loses them.
TEST(Elimination, EveryVariantLeavesThePositionsWithinTheirLimits) {
    BufferPool buffers;
    std::mt19937 random(4);
    const auto below = [&](int end) { return static_cast<int>(random() % static_cast<unsigned>(end)); };
    for (const test::Content content : {test::Content::noise, test::Content::smooth, test::Content::white,
                                        test::Content::black, test::Content::checkerboard}) {
        constexpr int width = 203, height = 83;
        const test::PicturePair pair = test::make_pair(content, width, height, 5);
        const auto sums_for = [&](CellKinds kinds) {
            CellSums sums(pair.reference->luma().view(), 0, 0, height - cell_side + 1, kinds, buffers);
            sums.prepare(0, height);
            return sums;
        };
        const CellSums sums_of_bytes = sums_for({.coarse = true, .fine = true, .sums = false});
        const CellSums sums_of_sums = sums_for({.coarse = true, .fine = false, .sums = true});
        for (const auto& [w, h] :
             {std::pair{16, 16}, {16, 4}, {16, 8}, {8, 16}, {32, 32}, {48, 12}, {64, 64}, {8, 8}, {12, 4}, {24, 8}}) {
            for (int round = 0; round < 8; ++round) {
                const BlockRect block{below(width - w + 1), below(height - h + 1), w, h};
                int columns = 1 + below(width - w);
                const int rows = 1 + below(std::min(height - h, 12));
                const int x = below(width - w - columns + 2), y = below(height - h - rows + 2);
                if (round % 2 == 0 && columns > 33) columns = 33 - x % 16; // One more than groups of 32 take.
                const Displacements d{x - block.x, y - block.y, columns, rows};
                std::vector<std::int32_t> limits;
                for (int row = 0; row < rows; ++row) {
                    const std::uint32_t sad = sad_of(pair.current->luma().view(), block, pair.reference->luma().view(),
                                                     d.x + (round % 4 == 0 ? columns - 1 : below(columns)), d.y + row);
                    limits.push_back(static_cast<std::int32_t>(std::min(sad, 65534u)));
                }
                if (round % 4 == 1) limits[0] = -1;
                const CellSums& sums = kinds_of_cells(w, h).fine ? sums_of_bytes : sums_of_sums;
                check_survivors(pair, sums, block, d, limits);
                if (HasFatalFailure()) return;
            }
        }
    }
}

/// More than three quarters of the rectangle left by the coarse means are too many to look at.
TEST(Elimination, GivesUpWhereTheCoarseMeansLeaveNearlyAll) {
    BufferPool buffers;
    const test::PicturePair pair = test::make_pair(test::Content::noise, 96, 64, 5);
    CellSums sums(pair.reference->luma().view(), 0, 0, 61, kinds_of_cells(16, 16), buffers);
    sums.prepare(0, 64);
    CellsOfBlock cells;
    cells.set(&sums, pair.current->luma().view(), {32, 16, 16, 16});
    constexpr int columns = 41, rows = 8;
    for (const EliminationKernels* kernels : all_elimination_kernels()) {
        std::vector<BoundedPosition> found(columns * rows);
        for (int open = 0; open <= rows; ++open) { // Rows where any position may be good enough; none elsewhere.
            std::array<std::int32_t, rows> limits;
            std::fill(std::fill_n(limits.begin(), open, 65534), limits.end(), -1);
            EXPECT_EQ(kernels->survivors(cells.from(-20, -4), columns, rows, limits.data(), found.data()),
                      4 * open > 3 * rows ? hopeless : open * columns)
                << name_of(kernels->level) << " " << open;
        }
    }
}

TEST(BufferPool, GivesAgainWhatItGotBack) {
    BufferPool buffers;
    BufferPool::Buffer large = buffers.take(9'000'000), small = buffers.take(1000);
    ASSERT_GE(large.bytes, 9'000'000u);
    ASSERT_GE(small.bytes, 1000u);
    const void* const large_memory = large.memory.get();
    const void* const small_memory = small.memory.get();
    buffers.give(std::move(large));
    buffers.give(std::move(small));
    EXPECT_EQ(buffers.take(900).memory.get(), small_memory);
    EXPECT_EQ(buffers.take(8'000'000).memory.get(), large_memory);
    for (int i = 0; i < 40; ++i)
        buffers.give(buffers.take(static_cast<std::size_t>(i) << 22));
    buffers.give({});
}

TEST(Pyramid, EachLevelIsTheFilteredHalfOfTheOneBelow) {
    Workers workers(2);
    for (const auto& [width, height] : {std::pair{1, 1}, {2, 5}, {37, 22}, {64, 48}}) {
        const FramePtr frame = test::make_pair(test::Content::noise, width, height, 9).current;
        const Pyramid pyramid(frame->luma().view(), 4, 6, workers);
        test::Samples expected = test::samples_of(frame->luma().view());
        for (int level = 1; level < 4; ++level) {
            expected = test::half_size(expected);
            ASSERT_EQ(test::samples_of(pyramid.level(level)), expected) << width << "x" << height << " level " << level;
            EXPECT_EQ(pyramid.level(level).at(-1, -1), expected[0][0]);
        }
    }
}

void check_sums(const test::Content content, int width, int border) {
    SCOPED_TRACE("width " + std::to_string(width) + ", border " + std::to_string(border));
    constexpr int height = 140;
    const FramePtr frame = test::make_pair(content, width, height, 3).current;
    Plane plane(width, height, border);
    copy_and_extend(frame->luma().view(), plane.view());
    plane.extend_border();
    BufferPool buffers;
    const int first = 3 - border, end = height + border - cell_side + 1;
    const CellSums sums(plane.view(), border, first, end, {.coarse = true, .fine = true, .sums = true}, buffers);
    Workers(2).for_each(5, [&](int part, int) { sums.prepare(first - 9 + 31 * part, end + 9); });
    const auto sum_at = [at = plane.view()](int x, int y, int side) {
        int sum = 0;
        for (int i = 0; i < side * side; ++i)
            sum += at.at(x + i % side, y + i / side);
        return sum;
    };
    for (int y = first; y < end; ++y) {
        for (int x = -border; x <= width + border - cell_side; ++x) {
            const int expected = sum_at(x, y, cell_side);
            ASSERT_EQ(*sums.at(x, y), expected) << x << "," << y;
            const int place = sums.place_in_chunk(x);
            ASSERT_EQ(sums.coarse_chunk_at(x, y)[16 * (place % 4) + place / 4], expected / 16) << x << "," << y;
        }
        // Those of 2x2 reach further right and down than those of 4x4.
        for (int x = -border; x <= width + border - 2; ++x) {
            for (const int down : {0, 2}) {
                const int fine = sum_at(x, y + down, 2), place = sums.place_in_chunk(x);
                const int byte = 32 * (place / 16) + 16 * (place % 2) + place % 16 / 2;
                ASSERT_EQ(sums.fine_chunk_at(x, y + down)[byte], fine / 4) << x << "," << y;
                ASSERT_EQ(sums.folded_chunk_at(x, y + down)[byte], std::abs(255 - std::abs(fine - 510)));
            }
        }
    }
}

TEST(CellSums, AreTheSumsOfTheCellsInTheBorderToo) {
    for (const test::Content content : {test::Content::noise, test::Content::white}) {
        for (const int border : {0, 5}) {
            check_sums(content, 75, border);
            for (int last = 63; last <= 69; ++last) // Kernels make 64 cells at a time.
                check_sums(content, last - 2 * border, border);
        }
    }
}

} // namespace
} // namespace tandem
