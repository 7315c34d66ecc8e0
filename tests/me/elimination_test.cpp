// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
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

/// A reference, the sums of its cells, and a block to be found in it.
struct Scene {
    Scene(test::Content content, int width, int height, unsigned seed, Workers& workers, BufferPool& buffers)
        : frame(test::make_pair(content, width, height, seed).reference),
          sums(frame->luma().view(), 0, 0, height - cell_side + 1, workers, buffers) {}
    FramePtr frame;
    CellSums sums;
};

/// Cells of a block whose values are the reference's at (x, y), changed by up to `change`.
struct Block {
    Block(const Scene& scene, int width, int height, int x, int y, int change, std::mt19937& random) {
        for (int j = 0; j < height; j += cell_side) {
            for (int i = 0; i < width; i += cell_side) {
                const int moved = change == 0 ? 0 : static_cast<int>(random() % (2u * static_cast<unsigned>(change)));
                const int sum = std::clamp(*scene.sums.at(x + i, y + j) + moved - change, 0, 4080);
                const auto value = static_cast<std::uint16_t>(sum);
                cells.push_back({scene.sums.at(x + i, y + j), {value, value}});
                offsets.push_back({i, j});
                values.push_back(static_cast<std::uint8_t>(sum / 16));
                slack += std::max(sum % 16, 15 - sum % 16);
            }
        }
        means = {nullptr, scene.sums.means_stride(), 0, values.data(), width / 16, height / cell_side, slack};
    }
    void move(const Scene& scene, int x, int y) {
        means.plane = scene.sums.chunk_at(x, y);
        means.first = scene.sums.place_in_chunk(x);
    }
    std::int32_t distance(const Scene& scene, int x, int y) const {
        std::int32_t sum = 0;
        for (std::size_t i = 0; i < cells.size(); ++i)
            sum += std::abs(*scene.sums.at(x + offsets[i].first, y + offsets[i].second) - cells[i].value[0]);
        return sum;
    }
    std::vector<BlockCell> cells;
    std::vector<std::pair<int, int>> offsets;
    std::vector<std::uint8_t> values;
    CellMeans means{};
    int slack = 0;
};

std::vector<int> survivors(const EliminationKernels& kernels, const CellMeans& means, const BlockCells& cells,
                           int columns, int rows, const std::int32_t* limits) {
    std::vector<Position> found(static_cast<std::size_t>(columns * rows) + 1, Position{60000, 60000});
    const int n = kernels.survivors(means, cells, columns, rows, limits, found.data());
    EXPECT_EQ(found.back().row, 60000);
    std::vector<int> numbers;
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i)
        numbers.push_back(found[i].row * columns + found[i].column);
    return numbers;
}

/// Limits that positions meet exactly, so that a bound which is one too high loses them.
TEST(Elimination, EveryVariantLeavesTheSurvivorsOfTheSumsWithMeansAndWithout) {
    const EliminationKernels& scalar = *all_elimination_kernels().front();
    Workers workers(2);
    BufferPool buffers;
    std::mt19937 random(4);
    for (const test::Content content : {test::Content::noise, test::Content::white, test::Content::checkerboard}) {
        const Scene scene(content, 203, 83, 5, workers, buffers);
        for (const auto& [width, height] :
             {std::pair{16, 16}, {16, 4}, {16, 8}, {32, 32}, {48, 12}, {64, 64}, {8, 8}}) {
            for (int round = 0; round < 12; ++round) {
                const int columns = 1 + static_cast<int>(random() % (203u - static_cast<unsigned>(width)));
                const int rows = 1 + static_cast<int>(random() % 12);
                const int x = static_cast<int>(random() % static_cast<unsigned>(203 - width - columns + 1));
                const int y = static_cast<int>(random() % static_cast<unsigned>(83 - height - rows + 1));
                const int at_column = static_cast<int>(random() % static_cast<unsigned>(columns));
                Block block(scene, width, height, x + at_column, y, std::array{0, 1, 20, 400}[random() % 4], random);
                block.move(scene, x, y);
                const BlockCells cells{block.cells.data(), static_cast<int>(block.cells.size()), scene.sums.stride(),
                                       -at_column};
                std::vector<std::int32_t> limits;
                for (int row = 0; row < rows; ++row) {
                    const int column = static_cast<int>(random() % static_cast<unsigned>(columns));
                    limits.push_back(std::min(65534, block.distance(scene, x + column, y + row)));
                }
                limits[0] = round % 4 == 0 ? -1 : std::min(65534, block.distance(scene, x + at_column, y));
                const std::vector<int> expected = survivors(scalar, {}, cells, columns, rows, limits.data());
                for (const EliminationKernels* kernels : all_elimination_kernels()) {
                    ASSERT_EQ(survivors(*kernels, {}, cells, columns, rows, limits.data()), expected)
                        << name_of(kernels->level) << " " << width << "x" << height;
                    if (width % 16 != 0) continue;
                    ASSERT_EQ(survivors(*kernels, block.means, cells, columns, rows, limits.data()), expected)
                        << name_of(kernels->level) << " " << width << "x" << height << " by means";
                }
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
                }
            }
        }
    }
}

} // namespace
} // namespace tandem
