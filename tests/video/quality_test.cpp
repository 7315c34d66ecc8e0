// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "tests/files/scratch.h"
#include "video/quality/quality.h"
#include "video/quality/quality_kernels.h"

namespace tandem {
namespace {

/// Wang et al. 2004 in double precision, straight from its definition: means, then deviations from them. C1 is 1/64 of
/// Wang's for the 8x8 window, as x264 has it (1/n for a window of n samples).
double reference_ssim(PlaneView a, PlaneView b) {
    const int window_w = std::min(a.width, 8), window_h = std::min(a.height, 8);
    const double n = window_w * window_h;
    const double c1 = 0.01 * 0.01 * 255 * 255 / n, c2 = 0.03 * 0.03 * 255 * 255;
    double total = 0;
    int windows = 0;
    for (int top = 0; top + window_h <= a.height; top += 4) {
        for (int left = 0; left + window_w <= a.width; left += 4) {
            double mean_a = 0, mean_b = 0, var_a = 0, var_b = 0, covariance = 0;
            const auto each = [&](auto action) {
                for (int y = top; y < top + window_h; ++y) {
                    for (int x = left; x < left + window_w; ++x)
                        action(a.at(x, y), b.at(x, y));
                }
            };
            each([&](double p, double q) { mean_a += p / n, mean_b += q / n; });
            each([&](double p, double q) {
                var_a += (p - mean_a) * (p - mean_a) / std::max(1.0, n - 1);
                var_b += (q - mean_b) * (q - mean_b) / std::max(1.0, n - 1);
                covariance += (p - mean_a) * (q - mean_b) / std::max(1.0, n - 1);
            });
            total += (2 * mean_a * mean_b + c1) * (2 * covariance + c2) /
                     ((mean_a * mean_a + mean_b * mean_b + c1) * (var_a + var_b + c2));
            ++windows;
            if (a.width < 8) break;
        }
        if (a.height < 8) break;
    }
    return total / windows;
}

constexpr std::pair<int, int> sizes[] = {{1, 1},   {2, 1},    {1, 9},   {7, 7},    {8, 8},   {9, 8},
                                         {11, 13}, {12, 12},  {7, 40},  {40, 5},   {31, 33}, {64, 16},
                                         {65, 63}, {127, 20}, {129, 4}, {352, 288}};

/// A copy of `from` with noise of the given strength, so that SSIM takes values between those of equal and unrelated
/// planes.
std::unique_ptr<Frame> disturbed(const Frame& from, int strength, std::uint32_t seed) {
    auto frame = test::random_frame(from.width(), from.height(), seed);
    for (int i = 0; i < 3; ++i) {
        const MutablePlaneView to = frame->plane(i).view();
        for (int y = 0; y < to.height; ++y) {
            for (int x = 0; x < to.width; ++x) {
                const int noise = to.at(x, y) % (2 * strength + 1) - strength;
                to.at(x, y) = static_cast<std::uint8_t>(std::clamp(from.plane(i).view().at(x, y) + noise, 0, 255));
            }
        }
    }
    return frame;
}

TEST(SquaredErrorKernels, EveryLevelOfThisMachineIsThere) {
    std::set<SimdLevel> levels;
    for (const QualityKernels* kernels : all_quality_kernels())
        levels.insert(kernels->level);
    EXPECT_TRUE(levels.contains(SimdLevel::scalar));
    EXPECT_TRUE(levels.contains(best_simd_level())) << "a variant that this machine runs was never tested";
}

TEST(SquaredErrorKernels, EqualThePlainSumOnRandomSizes) {
    std::mt19937 random(7);
    for (int round = 0; round < 300; ++round) {
        const int width = 1 + static_cast<int>(random() % 300), height = 1 + static_cast<int>(random() % 20);
        const auto a = test::random_frame(width, height, random(), static_cast<int>(random() % 40));
        const auto b = test::random_frame(width + static_cast<int>(random() % 3), height, random());
        std::uint64_t expected = 0;
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) {
                const int difference = a->luma().view().at(x, y) - b->luma().view().at(x, y);
                expected += static_cast<std::uint64_t>(difference * difference);
            }
        }
        for (const QualityKernels* kernels : all_quality_kernels()) {
            EXPECT_EQ(kernels->squared_error(a->luma().view().data, a->luma().stride(), b->luma().view().data,
                                             b->luma().stride(), width, height),
                      expected)
                << name_of(kernels->level) << ' ' << width << 'x' << height;
        }
    }
}

TEST(SquaredErrorKernels, DoNotOverflowAtTheLargestDifference) {
    // Wider than one run of 32-bit sums can hold, and unaligned.
    constexpr int width = 16384 * 64 + 16384 * 32 + 77;
    Plane black(width + 1, 2), white(width + 1, 2);
    black.fill(0);
    white.fill(255);
    for (const QualityKernels* kernels : all_quality_kernels()) {
        EXPECT_EQ(kernels->squared_error(black.view().data + 1, black.stride(), white.view().data + 1, white.stride(),
                                         width, 2),
                  std::uint64_t{2} * width * 255 * 255)
            << name_of(kernels->level);
    }
}

TEST(SsimKernels, EqualThePlainSumsOnRandomSizes) {
    std::mt19937 random(8);
    for (int round = 0; round < 200; ++round) {
        const int count = 1 + static_cast<int>(random() % 40);
        auto a = test::random_frame(4 * count + 1, 5, random()), b = test::random_frame(4 * count + 1, 5, random());
        if (round % 10 == 0) {
            a->plane(0).fill(255);
            b->plane(0).fill(round % 20 == 0 ? 255 : 0);
        }
        const PlaneView p = a->luma().view(), q = b->luma().view();
        std::vector<SsimSums> expected(static_cast<std::size_t>(count)), found(expected.size() + 1);
        for (int y = 0; y < 4; ++y) {
            for (int x = 0; x < 4 * count; ++x) {
                SsimSums& cell = expected[static_cast<std::size_t>(x / 4)];
                const int s = p.at(x + 1, y + 1), t = q.at(x + 1, y + 1);
                cell = {cell.a + s, cell.b + t, cell.squares + s * s + t * t, cell.product + s * t};
            }
        }
        for (const QualityKernels* kernels : all_quality_kernels()) {
            found.assign(found.size(), SsimSums{-1, -1, -1, -1});
            kernels->ssim_cells(p.row(1) + 1, p.stride, q.row(1) + 1, q.stride, count, found.data());
            for (std::size_t i = 0; i < expected.size(); ++i) {
                EXPECT_EQ(std::tie(found[i].a, found[i].b, found[i].squares, found[i].product),
                          std::tie(expected[i].a, expected[i].b, expected[i].squares, expected[i].product))
                    << name_of(kernels->level) << " cell " << i << " of " << count;
            }
            EXPECT_EQ(found.back().a, -1) << "nothing is written past the last cell";
        }
    }
}

TEST(Psnr, FollowsItsFormula) {
    EXPECT_EQ(psnr(0, 100), std::numeric_limits<double>::infinity());
    EXPECT_DOUBLE_EQ(psnr(65025, 1), 0.0);
    EXPECT_NEAR(psnr(100, 100), 48.130803608679074, 1e-12);
    EXPECT_NEAR(psnr(std::uint64_t{1} << 50, std::uint64_t{1} << 40), 48.130803608679074 - 30.102999566398120, 1e-9);
}

TEST(SquaredErrors, AddUpOverPicturesAndLookOnlyAtTheDisplayedPart) {
    const auto a = test::random_frame(33, 17, 1);
    const auto b = test::random_frame(48, 32, 2);
    SquaredErrors total;
    std::array<std::uint64_t, 3> expected{};
    for (int i = 0; i < 3; ++i) {
        const PlaneView p = a->plane(i).view(), q = b->plane(i).view();
        for (int y = 0; y < p.height; ++y) {
            for (int x = 0; x < p.width; ++x) {
                const int difference = p.at(x, y) - q.at(x, y);
                expected[static_cast<std::size_t>(i)] += static_cast<std::uint64_t>(difference * difference);
            }
        }
    }
    total.add(squared_errors(*a, *b, 33, 17));
    EXPECT_EQ(total.error, expected);
    EXPECT_EQ(total.samples, (std::array<std::uint64_t, 3>{33 * 17, 17 * 9, 17 * 9}));
    total.add(squared_errors(*b, *a, 33, 17));
    EXPECT_EQ(total.error[1], 2 * expected[1]);
    EXPECT_DOUBLE_EQ(total.psnr(2), psnr(2 * expected[2], 2 * 17 * 9));
    EXPECT_THROW(squared_errors(*a, *b, 35, 17), std::invalid_argument);
    EXPECT_THROW(sum_of_squared_errors(b->luma().view(), a->luma().view()), std::invalid_argument);
}

TEST(Ssim, AgreesWithTheDefinitionInDoublePrecision) {
    std::uint32_t seed = 1;
    for (const auto& [width, height] : sizes) {
        for (const int strength : {0, 1, 10, 60, 127}) {
            const auto a = test::random_frame(width, height, seed++);
            const auto b = disturbed(*a, strength, seed++);
            const double expected = reference_ssim(a->luma().view(), b->luma().view());
            EXPECT_NEAR(ssim(a->luma().view(), b->luma().view()), expected, 1e-12)
                << width << 'x' << height << " noise " << strength;
        }
    }
}

TEST(Ssim, OfEqualPlanesIsExactlyOne) {
    for (const auto& [width, height] : sizes) {
        const auto a = test::random_frame(width, height, 5);
        EXPECT_EQ(ssim(a->luma().view(), a->luma().view()), 1.0) << width << 'x' << height;
    }
}

TEST(Ssim, OfExtremePlanes) {
    Plane black(40, 40), white(40, 40);
    black.fill(0);
    white.fill(255);
    const double value = ssim(black.view(), white.view());
    EXPECT_NEAR(value, reference_ssim(black.view(), white.view()), 1e-12);
    EXPECT_GT(value, 0);
    EXPECT_LT(value, 1e-3);
}

} // namespace
} // namespace tandem
