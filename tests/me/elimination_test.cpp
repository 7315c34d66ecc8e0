// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <random>
#include <vector>

#include "me/elimination_kernels.h"
#include "me/search/block_cells.h"
#include "me/search/pyramid.h"
#include "naive_samples.h"
#include "pictures.h"

namespace tandem {
namespace {

constexpr std::size_t slack = 64;

std::vector<std::uint16_t> random_words(std::size_t count, std::mt19937& random, unsigned most) {
    std::vector<std::uint16_t> words(count + slack);
    for (std::uint16_t& word : words)
        word = static_cast<std::uint16_t>(random() % (most + 1));
    return words;
}

TEST(Elimination, EveryVariantEqualsTheScalarOne) {
    ASSERT_EQ(all_elimination_kernels().size(), static_cast<std::size_t>(best_simd_level()) + 1);
    const EliminationKernels& scalar = *all_elimination_kernels().front();
    std::mt19937 random(2);
    for (const EliminationKernels* kernels : all_elimination_kernels()) {
        for (int count = 0; count < 140; ++count) {
            const std::size_t size = static_cast<std::size_t>(count) + 16;
            std::vector<std::uint8_t> entering(size + slack), leaving(size + slack);
            for (std::uint8_t& sample : entering)
                sample = static_cast<std::uint8_t>(random());
            for (std::uint8_t& sample : leaving)
                sample = static_cast<std::uint8_t>(random());
            const std::vector<std::uint16_t> words = random_words(size, random, 65535);
            const auto same = [&](auto run) {
                std::vector<std::uint16_t> expected = words, found = words;
                run(scalar, expected);
                run(*kernels, found);
                EXPECT_EQ(found, expected) << name_of(kernels->level) << " " << count;
            };
            same([&](const auto& k, auto& to) { k.slide_columns(entering.data(), leaving.data(), count, to.data()); });
            for (const int shift : {1, 2, 4, 8}) {
                same([&](const auto& k, auto& to) { k.add_shifted(words.data(), shift, count, to.data()); });
                same([&](const auto& k, auto& to) { k.add_shifted(to.data(), shift, count, to.data()); });
            }
        }
    }
}

TEST(Elimination, EveryVariantPacksTheSameMeans) {
    const EliminationKernels& scalar = *all_elimination_kernels().front();
    std::mt19937 random(3);
    for (const EliminationKernels* kernels : all_elimination_kernels()) {
        for (int chunks = 0; chunks < 5; ++chunks) {
            const std::size_t bytes = static_cast<std::size_t>(chunks * bytes_per_chunk);
            const std::vector<std::uint16_t> sums = random_words(bytes + 64, random, 4080);
            std::vector<std::uint8_t> expected(bytes + 1, 7), found(bytes + 1, 7);
            scalar.pack_means(sums.data(), chunks, expected.data());
            kernels->pack_means(sums.data(), chunks, found.data());
            EXPECT_EQ(found, expected) << name_of(kernels->level) << " " << chunks;
            if (chunks == 0) continue;
            EXPECT_EQ(found[0], sums[0] / 16);
            EXPECT_EQ(found[16 * 3 + 5], sums[3 + 4 * 5] / 16);
        }
    }
}

TEST(Elimination, EveryVariantPacksTheSameFineMeans) {
    const EliminationKernels& scalar = *all_elimination_kernels().front();
    std::mt19937 random(6);
    for (const EliminationKernels* kernels : all_elimination_kernels()) {
        for (int chunks = 0; chunks < 5; ++chunks) {
            const std::size_t samples = static_cast<std::size_t>(chunks * positions_per_chunk) + slack;
            std::vector<std::uint8_t> upper(samples), lower(samples);
            for (std::size_t i = 0; i < samples; ++i) {
                upper[i] = chunks == 1 ? 255 : static_cast<std::uint8_t>(random());
                lower[i] = chunks == 1 ? 255 : static_cast<std::uint8_t>(random());
            }
            const std::size_t bytes = static_cast<std::size_t>(chunks * bytes_per_chunk);
            std::vector<std::uint8_t> expected(bytes + 1, 7), found(bytes + 1, 7);
            scalar.pack_fine_means(upper.data(), lower.data(), chunks, expected.data());
            kernels->pack_fine_means(upper.data(), lower.data(), chunks, found.data());
            EXPECT_EQ(found, expected) << name_of(kernels->level) << " " << chunks;
            if (chunks == 0) continue;
            const auto mean = [&](std::size_t x) { return (upper[x] + upper[x + 1] + lower[x] + lower[x + 1]) / 4; };
            EXPECT_EQ(found[5], mean(10));
            EXPECT_EQ(found[16 * 3 + 15], mean(1 + 16 + 30));
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
    found.resize(static_cast<std::size_t>(n));
    return found;
}

/// Numbers that two lists share where they hold the same positions with the same bounds.
std::vector<std::array<std::uint32_t, 3>> numbers(const std::vector<BoundedPosition>& positions) {
    std::vector<std::array<std::uint32_t, 3>> all;
    for (const BoundedPosition& p : positions)
        all.push_back({p.position.row, p.position.column, p.bound});
    return all;
}

/// A rectangle of displacements of one block.
struct Displacements {
    int x, y, columns, rows;
};

/// Every level says the same; bounds are lower bounds; no position within its limit is lost.
void check_survivors(const test::PicturePair& pair, const CellSums& sums, const BlockRect& block,
                     const Displacements& d, bool fine, const std::vector<std::int32_t>& limits) {
    const PlaneView current = pair.current->luma().view(), reference = pair.reference->luma().view();
    CellsOfBlock cells;
    cells.set(&sums, current, block);
    ASSERT_TRUE(cells.any());
    const BlockCells view = cells.from(d.x, d.y, fine ? 65534 : 0);
    EXPECT_EQ(view.coarse.plane != nullptr, block.width % 16 == 0);
    EXPECT_EQ(view.fine.plane != nullptr, fine && block.width <= 16 && block.width % 8 == 0);
    const std::vector<BoundedPosition> expected =
        survivors(*all_elimination_kernels().front(), view, d.columns, d.rows, limits.data());
    for (const EliminationKernels* kernels : all_elimination_kernels()) {
        EXPECT_EQ(numbers(survivors(*kernels, view, d.columns, d.rows, limits.data())), numbers(expected))
            << name_of(kernels->level) << " " << block.width << "x" << block.height;
    }
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
    Workers workers(2);
    BufferPool buffers;
    std::mt19937 random(4);
    const auto below = [&](int end) { return static_cast<int>(random() % static_cast<unsigned>(end)); };
    for (const test::Content content : {test::Content::noise, test::Content::smooth, test::Content::white,
                                        test::Content::black, test::Content::checkerboard}) {
        constexpr int width = 203, height = 83;
        const test::PicturePair pair = test::make_pair(content, width, height, 5);
        const CellSums sums(pair.reference->luma().view(), 0, 0, height - cell_side + 1, workers, buffers);
        for (const auto& [w, h] :
             {std::pair{16, 16}, {16, 4}, {16, 8}, {8, 16}, {32, 32}, {48, 12}, {64, 64}, {8, 8}, {12, 4}}) {
            for (int round = 0; round < 8; ++round) {
                const BlockRect block{below(width - w + 1), below(height - h + 1), w, h};
                const int columns = 1 + below(width - w), rows = 1 + below(std::min(height - h, 12));
                const int x = below(width - w - columns + 2), y = below(height - h - rows + 2);
                const Displacements d{x - block.x, y - block.y, columns, rows};
                std::vector<std::int32_t> limits;
                for (int row = 0; row < rows; ++row) {
                    const std::uint32_t sad = sad_of(pair.current->luma().view(), block, pair.reference->luma().view(),
                                                     d.x + below(columns), d.y + row);
                    limits.push_back(static_cast<std::int32_t>(std::min(sad, 65534u)));
                }
                if (round % 4 == 0) limits[0] = -1;
                check_survivors(pair, sums, block, d, round % 2 == 0, limits);
                if (HasFatalFailure()) return;
            }
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

TEST(CellSums, AreTheSumsOfTheCellsInTheBorderToo) {
    Workers workers(2);
    BufferPool buffers;
    for (const test::Content content : {test::Content::noise, test::Content::white}) {
        const FramePtr frame = test::make_pair(content, 75, 140, 3).current;
        for (const int border : {0, 5}) {
            Plane plane(75, 140, border);
            copy_and_extend(frame->luma().view(), plane.view());
            plane.extend_border();
            const int first = 3 - border, end = 140 + border - cell_side + 1;
            const CellSums sums(plane.view(), border, first, end, workers, buffers);
            for (int y = first; y < end; ++y) {
                for (int x = -border; x <= 75 + border - cell_side; ++x) {
                    int expected = 0;
                    for (int i = 0; i < cell_side * cell_side; ++i)
                        expected += plane.view().at(x + i % cell_side, y + i / cell_side);
                    ASSERT_EQ(*sums.at(x, y), expected) << x << "," << y;
                    const int place = sums.place_in_chunk(x);
                    ASSERT_EQ(sums.chunk_at(x, y)[16 * (place % 4) + place / 4], expected / 16) << x << "," << y;
                    for (const int down : {0, 2}) { // The last rows of fine means reach below those of the sums.
                        const PlaneView at = plane.view();
                        const int fine = at.at(x, y + down) + at.at(x + 1, y + down) + at.at(x, y + down + 1) +
                                         at.at(x + 1, y + down + 1);
                        const int lane = place % 2 * 2 + place / 16;
                        ASSERT_EQ(sums.fine_chunk_at(x, y + down)[16 * lane + place % 16 / 2], fine / 4);
                    }
                }
            }
        }
    }
}

} // namespace
} // namespace tandem
