// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "me/kernels/distortion.h"
#include "pictures.h"
#include "tests/video/guarded_memory.h"

namespace tandem {
namespace {

/// Among them the first of each width whose sum may not fit 16 bits.
constexpr std::array<std::pair<int, int>, 31> sizes{
    {{16, 16}, {8, 8},    {4, 4},   {128, 128}, {7, 5},   {1, 1},   {16, 8}, {8, 16},  {32, 32}, {64, 64}, {5, 7},
     {3, 128}, {128, 3},  {96, 54}, {17, 33},   {12, 20}, {1, 16},  {16, 1}, {48, 16}, {24, 24}, {15, 16}, {31, 9},
     {2, 2},   {127, 65}, {4, 65},  {8, 33},    {12, 22}, {16, 17}, {8, 12}, {16, 20}, {32, 7}}};

constexpr std::array metrics{Metric::sad, Metric::ssd, Metric::satd, Metric::zsad, Metric::ncc};

/// Calls check(kernels, current, reference, width, height) for each variant but the scalar one, each content and size,
/// at positions that are aligned and that are not. Of a rectangle there may be 140 columns and 7 rows.
template <class Check> void for_each_case(const Check& check) {
    std::mt19937 random(7);
    constexpr std::array<std::size_t, 3> variants{1, 3, 4}; // AVX2 has one for processors whose mpsadbw is slow.
    ASSERT_EQ(all_distortion_kernels().size(), variants.at(static_cast<std::size_t>(best_simd_level())));
    for (const test::Content content : test::all_contents()) {
        const test::PicturePair pair = test::make_pair(content, 300, 167, 11);
        for (const auto& size : sizes) {
            const int width = size.first, height = size.second; // Clang 14 captures no structured bindings.
            for (int i = 0; i < 3; ++i) {
                const auto position = [&](PlaneView plane) {
                    const int x = static_cast<int>(random() % static_cast<unsigned>(plane.width - 140 - width));
                    const int y = static_cast<int>(random() % static_cast<unsigned>(plane.height - height - 7));
                    plane.data += y * plane.stride + (i == 0 ? x / 16 * 16 : x);
                    return plane;
                };
                const PlaneView current = position(pair.current->luma().view());
                const PlaneView reference = position(pair.reference->luma().view());
                for (const DistortionKernels* kernels : all_distortion_kernels()) {
                    SCOPED_TRACE(std::string(kernels->name) + " " + name_of(content) + " " + std::to_string(width) +
                                 "x" + std::to_string(height));
                    check(*kernels, current, reference, width, height);
                }
            }
        }
    }
}

TEST(Distortion, EveryVariantEqualsTheScalarOne) {
    const DistortionKernels& scalar = *all_distortion_kernels().front();
    ASSERT_EQ(scalar.level, SimdLevel::scalar);
    for_each_case([&](const DistortionKernels& kernels, PlaneView a, PlaneView b, int width, int height) {
        for (const Metric metric : metrics) {
            EXPECT_EQ(kernels.of(metric)(a.data, a.stride, b.data, b.stride, width, height),
                      scalar.of(metric)(a.data, a.stride, b.data, b.stride, width, height))
                << "metric " << static_cast<int>(metric);
        }
    });
}

/// Samples of rows that end so many bytes before memory which no one may read.
struct RowsBeforeTheEnd {
    static constexpr std::ptrdiff_t stride = 333;
    RowsBeforeTheEnd(int width, int height, std::size_t slack)
        : bytes(static_cast<std::size_t>((height - 1) * stride + width) + slack), memory(bytes),
          data(memory.place(bytes, true)) {
        for (std::size_t i = 0; i < bytes; ++i)
            data[i] = static_cast<std::uint8_t>(i * 37 + i / 64);
    }
    std::size_t bytes;
    test::GuardedMemory memory;
    std::uint8_t* data;
};

struct Rectangle {
    int columns, rows;
};

/// Those of a rectangle of positions as the kernel of the metric writes them, row by row; none where it does not take a
/// block of this size.
std::vector<std::uint32_t> all_distortions(const DistortionKernels& kernels, Metric metric, PlaneView current,
                                           PlaneView reference, Rectangle positions) {
    constexpr std::size_t between = 5, beyond = 64 - between;
    const auto written_by = [&](auto kernel, auto poison) -> std::vector<std::uint32_t> {
        const std::size_t columns = static_cast<std::size_t>(positions.columns), row_length = columns + between;
        const std::size_t end = row_length * static_cast<std::size_t>(positions.rows) + beyond;
        std::vector<decltype(poison)> written(end + 1, poison);
        kernel(current.data, current.stride, reference.data, reference.stride, current.width, current.height,
               positions.columns, positions.rows, written.data(), static_cast<std::ptrdiff_t>(row_length));
        EXPECT_EQ(written.back(), poison);
        std::vector<std::uint32_t> distortions;
        for (int row = 0; row < positions.rows; ++row) {
            const auto first = written.begin() + row * static_cast<std::ptrdiff_t>(row_length);
            distortions.insert(distortions.end(), first, first + positions.columns);
        }
        return distortions;
    };
    const int samples = current.width * current.height;
    if (metric == Metric::ssd) return written_by(kernels.all_ssds, 0xDEADBEEFu);
    if (metric == Metric::sad && samples <= 256) return written_by(kernels.all_sads, std::uint16_t{0xDEAD});
    if (metric == Metric::satd && samples <= 128) return written_by(kernels.all_satds, std::uint16_t{0xDEAD});
    return {};
}

TEST(Distortion, NoVariantReadsFartherThanItSays) {
    constexpr std::size_t slack = 64;
    constexpr std::ptrdiff_t stride = RowsBeforeTheEnd::stride;
    for (const auto& [width, height] : sizes) {
        for (const int count : {1, 2, 5, 16, 17, 33, 64, 65, 100}) {
            const RowsBeforeTheEnd block(width, height, 0), place(width, height, 0), loose(width, height, slack);
            const RowsBeforeTheEnd rows(width + count - 1, height + 2, slack);
            const std::int32_t limits[3] = {INT32_MAX, -1, INT32_MAX};
            std::vector<MeasuredPosition> found(static_cast<std::size_t>(3 * count));
            for (const DistortionKernels* kernels : all_distortion_kernels()) {
                for (const Metric metric : metrics)
                    kernels->of(metric)(block.data, stride, place.data, stride, width, height);
                const std::uint8_t* const places[2] = {place.data, place.data};
                std::uint32_t two[2];
                kernels->sad_many(block.data, stride, places, stride, width, height, 2, two);
                for (const Metric metric : metrics)
                    EXPECT_EQ(kernels->within(metric)(loose.data, stride, rows.data, stride, width, height, count, 3,
                                                      limits, found.data()),
                              2 * count);
                for (const Metric metric : metrics)
                    all_distortions(*kernels, metric, {loose.data, width, height, stride},
                                    {rows.data, width, height, stride}, {count, 3});
            }
        }
    }
}

TEST(Distortion, EveryListOfAddressesEqualsSinglePositions) {
    const DistortionKernels& scalar = *all_distortion_kernels().front();
    std::mt19937 random(9);
    for_each_case([&](const DistortionKernels& kernels, PlaneView a, PlaneView b, int width, int height) {
        std::vector<const std::uint8_t*> addresses(random() % 11);
        for (const std::uint8_t*& address : addresses)
            address = b.data + static_cast<int>(random() % 7) * b.stride + random() % 90;
        std::vector<std::uint32_t> sads(addresses.size() + 1, 0xDEADBEEF);
        kernels.sad_many(a.data, a.stride, addresses.data(), b.stride, width, height,
                         static_cast<int>(addresses.size()), sads.data());
        EXPECT_EQ(sads.back(), 0xDEADBEEF);
        for (std::size_t i = 0; i < addresses.size(); ++i) {
            ASSERT_EQ(sads[i], scalar.sad(a.data, a.stride, addresses[i], b.stride, width, height));
        }
    });
}

TEST(Distortion, EveryRectangleGivesThePositionsWithinTheirRowsLimits) {
    std::mt19937 random(5);
    for_each_case([&](const DistortionKernels& kernels, PlaneView a, PlaneView b, int width, int height) {
        const int columns = std::array{1, 4, 7, 9, 17, 26, 33, 37, 65, 70, 120}[random() % 11];
        const int rows = 1 + static_cast<int>(random() % 7);
        const Metric metric = metrics[random() % metrics.size()];
        const BlockDistortion measure = all_distortion_kernels().front()->of(metric);
        std::vector<std::int32_t> limits(static_cast<std::size_t>(rows));
        std::map<std::pair<int, int>, std::uint32_t> expected, got;
        for (int row = 0; row < rows; ++row) {
            std::vector<std::int32_t> distortions(static_cast<std::size_t>(columns));
            for (int column = 0; column < columns; ++column)
                distortions[static_cast<std::size_t>(column)] = static_cast<std::int32_t>(
                    measure(a.data, a.stride, b.data + row * b.stride + column, b.stride, width, height));
            const std::int32_t least = *std::min_element(distortions.begin(), distortions.end());
            const std::int32_t limit = std::array{-1, 0, least, distortions.front(), 65535, INT32_MAX}[random() % 6];
            limits[static_cast<std::size_t>(row)] = limit;
            for (int column = 0; column < columns; ++column) {
                const std::int32_t distortion = distortions[static_cast<std::size_t>(column)];
                if (distortion <= limit) expected[{row, column}] = static_cast<std::uint32_t>(distortion);
            }
        }
        std::vector<MeasuredPosition> found(static_cast<std::size_t>(columns * rows) + 1, {{7, 7}, 0xDEADBEEF});
        const int n = kernels.within(metric)(a.data, a.stride, b.data, b.stride, width, height, columns, rows,
                                             limits.data(), found.data());
        EXPECT_EQ(found.back().distortion, 0xDEADBEEF);
        for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i)
            got[{found[i].position.row, found[i].position.column}] = found[i].distortion;
        EXPECT_EQ(static_cast<std::size_t>(n), got.size());
        ASSERT_EQ(got, expected) << columns << "x" << rows << ", metric " << static_cast<int>(metric);
    });
}

TEST(Distortion, EveryRectangleIsWrittenWhole) {
    std::mt19937 random(6);
    const DistortionKernels& scalar = *all_distortion_kernels().front();
    for_each_case([&](const DistortionKernels& kernels, PlaneView a, PlaneView b, int width, int height) {
        a.width = width;
        a.height = height;
        const int columns = 1 + static_cast<int>(random() % 140), rows = 1 + static_cast<int>(random() % 7);
        for (const Metric metric : metrics) {
            std::vector<std::uint32_t> expected;
            for (int i = 0; i < columns * rows; ++i) {
                const std::uint8_t* there = b.data + i / columns * b.stride + i % columns;
                expected.push_back(scalar.of(metric)(a.data, a.stride, there, b.stride, width, height));
            }
            const std::vector<std::uint32_t> written = all_distortions(kernels, metric, a, b, {columns, rows});
            if (!written.empty() || (width * height <= 128 && sees_brightness(metric))) {
                ASSERT_EQ(written, expected) << columns << "x" << rows << ", metric " << static_cast<int>(metric);
            }
        }
    });
}

TEST(Distortion, ColumnsOfAnyHeightGiveTheirDistortions) {
    const DistortionKernels& scalar = *all_distortion_kernels().front();
    std::mt19937 random(9);
    for (const test::Content content : test::all_contents()) {
        const test::PicturePair pair = test::make_pair(content, 120, 200, 13);
        const PlaneView current = pair.current->luma().view(), reference = pair.reference->luma().view();
        for (const auto& [width, height] : {std::pair{16, 16}, {16, 8}, {8, 16}, {8, 8}, {12, 12}, {4, 8}}) {
            for (const DistortionKernels* kernels : all_distortion_kernels()) {
                const int columns = 1 + static_cast<int>(random() % 4), rows = 1 + static_cast<int>(random() % 150);
                const std::uint8_t *here = current.row(3) + 5, *there = reference.row(2) + 7;
                const std::vector<std::int32_t> limits(static_cast<std::size_t>(rows), INT32_MAX);
                std::vector<MeasuredPosition> found(static_cast<std::size_t>(columns * rows) + 1);
                const Metric metric = metrics[random() % metrics.size()];
                const int n = kernels->within(metric)(here, current.stride, there, reference.stride, width, height,
                                                      columns, rows, limits.data(), found.data());
                ASSERT_EQ(n, columns * rows);
                found.resize(static_cast<std::size_t>(n));
                for (const auto& [position, distortion] : found) {
                    const std::uint8_t* at = there + position.row * reference.stride + position.column;
                    ASSERT_EQ(distortion, scalar.of(metric)(here, current.stride, at, reference.stride, width, height))
                        << kernels->name << " metric " << static_cast<int>(metric) << " " << width << "x" << height
                        << ", " << columns << "x" << rows << " at " << position.column << ", " << position.row;
                }
            }
        }
    }
}

TEST(Distortion, RectanglesHoldTheLargestSumsOfAllCoefficients) {
    constexpr std::ptrdiff_t stride = 320;
    std::vector<std::uint8_t> block(128 * stride), inverse(140 * stride);
    for (std::size_t i = 0; i < inverse.size(); ++i) {
        const bool odd = test::bent(static_cast<int>(i % stride), static_cast<int>(i / stride));
        inverse[i] = odd ? 255 : 0;
        if (i < block.size()) block[i] = odd ? 0 : 255;
    }
    for (const auto& [width, height] : {std::pair{16, 16}, {32, 8}, {64, 64}, {128, 128}}) {
        for (const DistortionKernels* kernels : all_distortion_kernels()) {
            const std::vector<std::int32_t> limits(9, INT32_MAX);
            std::vector<MeasuredPosition> found(9 * 70);
            ASSERT_EQ(kernels->satds_within(block.data(), stride, inverse.data(), stride, width, height, 70, 9,
                                            limits.data(), found.data()),
                      9 * 70);
            std::uint32_t most = 0;
            for (const auto& [position, distortion] : found) {
                const std::uint8_t* at = inverse.data() + position.row * stride + position.column;
                ASSERT_EQ(distortion,
                          all_distortion_kernels().front()->satd(block.data(), stride, at, stride, width, height))
                    << kernels->name << " " << width << "x" << height;
                most = std::max(most, distortion);
            }
            EXPECT_EQ(most, static_cast<std::uint32_t>(width * height / 16) * 16 * 1020 / 2);
        }
    }
    for (const DistortionKernels* kernels : all_distortion_kernels()) {
        const std::vector<std::uint32_t> all = all_distortions(*kernels, Metric::satd, {block.data(), 16, 8, stride},
                                                               {inverse.data(), 320, 140, stride}, {70, 9});
        EXPECT_EQ(*std::max_element(all.begin(), all.end()), 8u * 16 * 1020 / 2) << kernels->name;
    }
}

TEST(Distortion, HasTheValuesOfItsDefinition) {
    const std::vector<std::uint8_t> black(128 * 128, 0), white(128 * 128, 255);
    for (const DistortionKernels* kernels : all_distortion_kernels()) {
        EXPECT_EQ(kernels->sad(black.data(), 128, white.data(), 128, 128, 128), 128u * 128 * 255);
        EXPECT_EQ(kernels->ssd(black.data(), 128, white.data(), 128, 128, 128), 128u * 128 * 255 * 255);
        // A constant difference has one coefficient, 16 * 255, in each 4x4 block.
        EXPECT_EQ(kernels->satd(black.data(), 128, white.data(), 128, 128, 128), 32u * 32 * 16 * 255 / 2);
        EXPECT_EQ(kernels->satd(black.data(), 128, white.data(), 128, 5, 4), 16u * 255 / 2 + 4 * 255);
        EXPECT_EQ(kernels->of(Metric::sad), kernels->sad);
    }
}

TEST(Distortion, BrightnessIsSeenByThoseThatSayIt) {
    std::vector<std::uint8_t> dark(128 * 128), bright(128 * 128), stretched(128 * 128), flat(128 * 128, 90);
    std::mt19937 random(3);
    for (std::size_t i = 0; i < dark.size(); ++i) {
        dark[i] = static_cast<std::uint8_t>(random() % 100);
        bright[i] = static_cast<std::uint8_t>(dark[i] + 155);
        stretched[i] = static_cast<std::uint8_t>(2 * dark[i] + 50);
    }
    for (const DistortionKernels* kernels : all_distortion_kernels()) {
        for (const auto& [width, height] : {std::pair{128, 128}, {16, 16}, {7, 5}, {1, 9}}) {
            const auto measured = [&, w = width, h = height](Metric metric, const auto& a, const auto& b) {
                return kernels->of(metric)(a.data(), 128, b.data(), 128, w, h);
            };
            EXPECT_EQ(measured(Metric::zsad, dark, bright), 0u) << kernels->name;
            EXPECT_EQ(measured(Metric::zsad, bright, dark), 0u) << kernels->name;
            EXPECT_EQ(measured(Metric::ncc, dark, bright), 0u) << kernels->name;
            EXPECT_EQ(measured(Metric::ncc, dark, stretched), 0u) << kernels->name;
            EXPECT_EQ(measured(Metric::ncc, dark, flat), 65536u) << kernels->name;
            EXPECT_EQ(measured(Metric::ncc, flat, flat), 0u) << kernels->name;
            EXPECT_GT(measured(Metric::zsad, dark, stretched), 0u) << kernels->name;
        }
        const std::uint8_t up[4] = {0, 1, 2, 3}, down[4] = {3, 2, 1, 0}, one[4] = {10, 10, 10, 11};
        EXPECT_EQ(kernels->ncc(up, 4, down, 4, 4, 1), 131072u);
        // Differences 10, 9, 8, 8: mean 8.75, rounded 9.
        EXPECT_EQ(kernels->zsad(one, 4, up, 4, 4, 1), 1u + 0 + 1 + 1);
        // Differences 7, 8, 9, 11 less their mean, 8.75; and the mean of -7, -8, -9, -11 is -8.75, rounded -9.
        EXPECT_EQ(kernels->zsad(one, 4, down, 4, 4, 1), 2u + 1 + 0 + 2);
        EXPECT_EQ(kernels->zsad(down, 4, one, 4, 4, 1), 2u + 1 + 0 + 2);
        const std::uint8_t half[4] = {0, 2, 0, 0}, none[4] = {};
        EXPECT_EQ(kernels->zsad(half, 4, none, 4, 4, 1), 4u) << "the mean 1/2 is rounded up";
        EXPECT_EQ(kernels->zsad(none, 4, half, 4, 4, 1), 2u) << "and so is -1/2";
    }
}

TEST(Distortion, TheLevelInForcePicksTheVariant) {
    const SimdLevel before = simd_level();
    std::map<SimdLevel, const DistortionKernels*> last_of_level;
    for (const DistortionKernels* kernels : all_distortion_kernels())
        last_of_level[kernels->level] = kernels;
    for (const auto& [level, kernels] : last_of_level) {
        set_simd_level(level);
        EXPECT_EQ(&distortion_kernels(), kernels);
    }
    set_simd_level(before);
    if (best_simd_level() >= SimdLevel::avx2) {
        EXPECT_EQ(last_of_level[SimdLevel::avx2]->name, mpsadbw_is_slow() ? "avx2 by vpsadbw" : "avx2 by vmpsadbw");
    }
}

} // namespace
} // namespace tandem
