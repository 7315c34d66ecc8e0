// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

#include "me/elimination_kernels.h"
#include "me/search/cell_sums.h"
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

TEST(Elimination, EveryVariantLeavesTheSameSurvivors) {
    const EliminationKernels& scalar = *all_elimination_kernels().front();
    std::mt19937 random(4);
    for (const EliminationKernels* kernels : all_elimination_kernels()) {
        for (int round = 0; round < 400; ++round) {
            const int columns = 1 + static_cast<int>(random() % 140), rows = 1 + static_cast<int>(random() % 4);
            const std::ptrdiff_t stride = columns + static_cast<int>(random() % 9);
            const unsigned most = round % 3 == 0 ? 65535 : 300;
            std::vector<std::vector<std::uint16_t>> sums;
            std::vector<BlockCell> cells;
            for (int i = 0; i < 20; ++i) {
                sums.push_back(random_words(static_cast<std::size_t>(stride * rows), random, most));
                cells.push_back({sums.back().data(), static_cast<std::uint16_t>(random() % (most + 1))});
            }
            const BlockCells coarse{cells.data(), round % 2 == 0 ? 1 : 4, stride};
            const BlockCells fine{cells.data() + 4, std::array{0, 2, 4, 16}[random() % 4], stride};
            for (const int limit : {0, 90, 300, 1200, 30000, 65534}) {
                const std::array limits{limit, -1, limit / 2, limit};
                const auto run = [&](const EliminationKernels& k) {
                    std::vector<Position> found(static_cast<std::size_t>(columns * rows) + 1, Position{60000, 60000});
                    const int n = k.survivors(coarse, fine, columns, rows, limits.data(), found.data());
                    EXPECT_EQ(found.back().row, 60000);
                    std::vector<int> numbers;
                    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
                        numbers.push_back(found[i].row * columns + found[i].column);
                    }
                    return numbers;
                };
                ASSERT_EQ(run(*kernels), run(scalar)) << name_of(kernels->level) << " " << columns << " " << limit;
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
            for (const auto& [width, height] : {std::pair{16, 16}, {8, 8}, {4, 4}, {4, 16}, {16, 8}}) {
                const int first = 3 - border, end = 140 + border - height + 1;
                const CellSums sums(plane.view(), border, first, end, width, height, workers, buffers);
                for (int y = first; y < end; ++y) {
                    for (int x = -border; x <= 75 + border - width; ++x) {
                        int expected = 0;
                        for (int i = 0; i < width * height; ++i)
                            expected += plane.view().at(x + i % width, y + i / width);
                        ASSERT_EQ(*sums.at(x, y), expected) << x << "," << y;
                    }
                }
            }
        }
    }
}

} // namespace
} // namespace tandem
