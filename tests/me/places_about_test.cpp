// SPDX-License-Identifier: BSD-2-Clause
// Kernels that measure the eight places about one.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <random>
#include <vector>

#include "me/kernels/distortion.h"

namespace tandem {
namespace {

/// A sample of a reference at (x / 2, y / 2) by the standard's formulae.
int half_pel_sample(const std::uint8_t* reference, std::ptrdiff_t stride, int x, int y) {
    const std::uint8_t* p = reference + (y >> 1) * stride + (x >> 1);
    if (x % 2 == 0 && y % 2 == 0) return p[0];
    if (y % 2 == 0) return (p[0] + p[1] + 1) >> 1;
    if (x % 2 == 0) return (p[0] + p[stride] + 1) >> 1;
    return (p[0] + p[1] + p[stride] + p[stride + 1] + 2) >> 2;
}

/// A plane of extreme samples, of few values, or of any.
std::vector<std::uint8_t> random_plane(std::mt19937& random, std::size_t size) {
    std::vector<std::uint8_t> plane(size);
    const unsigned kind = random() % 3;
    for (std::uint8_t& sample : plane)
        sample = static_cast<std::uint8_t>(kind == 0   ? (random() & 1) * 255
                                           : kind == 1 ? 100 + random() % 3
                                                       : random() & 255);
    return plane;
}

TEST(PlacesAboutOne, HalfPelsAreMeasuredRowByRow) {
    constexpr std::ptrdiff_t stride = 61;
    std::mt19937 random(12);
    for (int round = 0; round < 60; ++round) {
        std::array planes{random_plane(random, 40 * stride), random_plane(random, 40 * stride)}; // And the reference.
        if (round == 2) {
            planes[0].assign(40 * stride, 0);
            planes[1].assign(40 * stride, 255);
        }
        const std::uint8_t* reference = planes[1].data() + (1 + random() % 20) * stride + 1 + random() % 40;
        const std::uint8_t* current = planes[0].data() + random() % 300;
        for (const DistortionKernels* kernels : all_distortion_kernels()) {
            std::array<std::uint32_t, 10> sads;
            sads.fill(0xDEADBEEF);
            const std::uint32_t more = std::array<std::uint32_t, 4>{0, 300, 65535, UINT32_MAX}[random() % 4];
            const unsigned good = kernels->half_pel_sads(current, stride, reference, stride, more, sads.data());
            EXPECT_EQ(sads[9], 0xDEADBEEF);
            for (int i = 0; i < 9; ++i) {
                std::uint32_t sum = 0;
                for (int y = 0; y < 16; ++y) {
                    for (int x = 0; x < 16; ++x)
                        sum += static_cast<std::uint32_t>(
                            std::abs(current[y * stride + x] -
                                     half_pel_sample(reference, stride, 2 * x + i % 3 - 1, 2 * y + i / 3 - 1)));
                }
                EXPECT_EQ(sads[static_cast<std::size_t>(i)], sum) << kernels->name << " " << i;
                EXPECT_EQ(good >> i & 1, i != 4 && sum <= std::uint64_t{sads[4]} + more ? 1 : 0) << kernels->name;
                const int right = i % 3 - 1, down = i / 3 - 1;
                const std::uint8_t* first = reference + std::min(down, 0) * stride + std::min(right, 0);
                EXPECT_EQ(kernels->half_pel_sad(current, stride, first, stride, right & 1, down & 1), sum)
                    << kernels->name << " " << i;
            }
        }
    }
}

TEST(PlacesAboutOne, AreMeasuredAsOneByOne) {
    std::mt19937 random(9);
    constexpr std::ptrdiff_t stride = 320;
    constexpr std::array<std::array<int, 2>, 9> sizes{
        {{16, 16}, {8, 8}, {16, 8}, {8, 16}, {4, 4}, {1, 1}, {7, 5}, {17, 33}, {128, 128}}};
    for (int round = 0; round < 60; ++round) {
        const std::vector<std::uint8_t> first = random_plane(random, stride * 132),
                                        second = random_plane(random, stride * 160);
        for (const auto& [width, height] : sizes) {
            const std::uint8_t* current = first.data() + random() % 150;
            const std::uint8_t* place = second.data() + (1 + random() % 20) * stride + 1 + random() % 150;
            std::array<std::uint32_t, 8> expected;
            for (int i = 0, number = 0; i < 9; ++i) {
                if (i == 4) continue;
                const std::uint8_t* samples = place + (i / 3 - 1) * stride + i % 3 - 1;
                std::uint32_t sum = 0;
                for (int y = 0; y < height; ++y)
                    for (int x = 0; x < width; ++x)
                        sum += static_cast<std::uint32_t>(std::abs(current[y * stride + x] - samples[y * stride + x]));
                expected[static_cast<std::size_t>(number++)] = sum;
            }
            for (const DistortionKernels* kernels : all_distortion_kernels()) {
                for (const std::uint32_t most :
                     {0U, expected[random() % 8], expected[random() % 8] - 1, 65535U, UINT32_MAX}) {
                    std::array<std::uint32_t, 9> sads;
                    sads.fill(0xDEADBEEF);
                    const unsigned good =
                        kernels->sads_about(current, stride, place, stride, width, height, most, sads.data());
                    unsigned wanted = 0;
                    for (std::size_t i = 0; i < 8; ++i) {
                        ASSERT_EQ(sads[i], expected[i]) << kernels->name << " " << width << "x" << height << " " << i;
                        wanted |= (expected[i] <= most ? 1U : 0U) << i;
                    }
                    ASSERT_EQ(good, wanted) << kernels->name << " " << width << "x" << height << " " << most;
                    ASSERT_EQ(sads[8], 0xDEADBEEF);
                }
            }
        }
    }
}

} // namespace
} // namespace tandem
