// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "machine/workers.h"
#include "me/kernels/interpolation_kernels.h"
#include "me/samples/interpolation.h"
#include "pictures.h"
#include "tests/me/naive/naive_search.h"

namespace tandem {
namespace {

TEST(SubpelPlanes, EachSampleIsTheBilinearValueAtItsPosition) {
    for (const auto& [width, height] : {std::pair{1, 1}, {2, 3}, {17, 9}, {130, 5}, {64, 4}}) {
        for (const test::Content content : {test::Content::noise, test::Content::checkerboard, test::Content::white}) {
            const FramePtr frame = test::make_pair(content, width, height, 5).current;
            for (const int precision : {1, 2, 4, 8}) {
                for (const int border : {0, 3, 20}) {
                    const SubpelPlanes planes(frame->luma().view(), precision, Interpolation::bilinear, border);
                    EXPECT_EQ(planes.precision(), precision);
                    EXPECT_EQ(planes.border(), border);
                    const int step = 8 / precision;
                    for (int i = 0; i < precision * precision; ++i) {
                        const Mv fraction{static_cast<std::int16_t>(i % precision * step),
                                          static_cast<std::int16_t>(i / precision * step)};
                        const PlaneView plane = planes.plane(i % precision, i / precision);
                        for (int y = -border; y < height + border; ++y) {
                            for (int x = -border; x < width + border; ++x) {
                                ASSERT_EQ(plane.at(x, y), test::sample_at(frame->luma().view(), x, y, fraction))
                                    << x << "," << y << " fraction " << fraction.x << "," << fraction.y;
                            }
                        }
                    }
                }
            }
        }
    }
}

TEST(SubpelPlanes, SixTapSamplesAreThoseOfTheStandard) {
    for (const auto& [width, height] : {std::pair{1, 1}, {2, 3}, {17, 9}, {40, 21}}) {
        for (const test::Content content : {test::Content::noise, test::Content::checkerboard, test::Content::smooth}) {
            const FramePtr frame = test::make_pair(content, width, height, 5).current;
            for (const int precision : {2, 4}) {
                for (const int border : {0, 7}) {
                    const SubpelPlanes planes(frame->luma().view(), precision, Interpolation::six_tap, border);
                    const int step = 8 / precision;
                    for (int i = 0; i < precision * precision; ++i) {
                        const Mv fraction{static_cast<std::int16_t>(i % precision * step),
                                          static_cast<std::int16_t>(i / precision * step)};
                        const PlaneView plane = planes.plane(i % precision, i / precision);
                        for (int y = -border; y < height + border; ++y) {
                            for (int x = -border; x < width + border; ++x) {
                                ASSERT_EQ(plane.at(x, y), test::six_tap_sample_at(frame->luma().view(), x, y, fraction))
                                    << x << "," << y << " fraction " << fraction.x << "," << fraction.y;
                            }
                        }
                    }
                }
            }
        }
    }
    EXPECT_THROW(SubpelPlanes(Plane(8, 8).view(), 8, Interpolation::six_tap), std::invalid_argument);
}

// Bands of workers end at rows 64 and 128 of planes and borders.
TEST(SubpelPlanes, AreTheSameByWorkers) {
    Workers workers(3);
    for (const int height : {62, 128, 150}) {
        const FramePtr frame = test::make_pair(test::Content::noise, 21, height, 6).current;
        for (const auto& [precision, interpolation] : {std::pair{1, Interpolation::bilinear},
                                                       {2, Interpolation::bilinear},
                                                       {8, Interpolation::bilinear},
                                                       {2, Interpolation::six_tap},
                                                       {4, Interpolation::six_tap}}) {
            for (const int border : {0, 5}) {
                const PlaneView luma = frame->luma().view();
                const SubpelPlanes alone(luma, precision, interpolation, border);
                const SubpelPlanes shared(luma, precision, interpolation, border, &workers);
                for (int i = 0; i < precision * precision; ++i) {
                    const PlaneView expected = alone.plane(i % precision, i / precision);
                    const PlaneView plane = shared.plane(i % precision, i / precision);
                    for (int y = -border; y < height + border; ++y)
                        ASSERT_TRUE(
                            std::equal(&expected.at(-border, y), &expected.at(21 + border, y), &plane.at(-border, y)))
                            << "plane " << i << " row " << y;
                }
            }
        }
    }
}

TEST(SubpelPlanes, AddressesAPositionByItsVector) {
    const FramePtr frame = test::make_pair(test::Content::noise, 40, 30, 9).current;
    for (const int precision : {1, 2, 4, 8}) {
        const SubpelPlanes planes(frame->luma().view(), precision, Interpolation::bilinear);
        const int step = 8 / precision;
        for (int y = -40; y <= 40; y += step) {
            for (int x = -40; x <= 40; x += step) {
                const Mv mv{static_cast<std::int16_t>(x), static_cast<std::int16_t>(y)};
                ASSERT_EQ(*planes.at(15, 15, mv), test::sample_at(frame->luma().view(), 15, 15, mv)) << x << "," << y;
            }
        }
    }
}

TEST(SubpelPlanes, RefusesOtherPrecisions) {
    const Plane plane(8, 8);
    EXPECT_THROW(SubpelPlanes(plane.view(), 3, Interpolation::bilinear), std::invalid_argument);
    EXPECT_THROW(SubpelPlanes(plane.view(), 0, Interpolation::bilinear), std::invalid_argument);
}

TEST(Interpolation, EveryVariantEqualsTheScalarOneAndWritesNoMore) {
    ASSERT_EQ(all_interpolation_kernels().size(), static_cast<std::size_t>(best_simd_level()) + 1);
    const InterpolationKernels& scalar = *all_interpolation_kernels().front();
    for (const test::Content content : test::all_contents()) {
        const FramePtr frame = test::make_pair(content, 300, 2, 21).current;
        for (const InterpolationKernels* kernels : all_interpolation_kernels()) {
            for (int count = 0; count < 299; count = count < 140 ? count + 1 : count + 31) {
                std::vector<std::uint8_t> expected(2100, 77), found(2100, 77);
                const auto run = [&](const InterpolationKernels& k, std::vector<std::uint8_t>& out) {
                    const std::uint8_t *above = frame->luma().view().row(0), *below = frame->luma().view().row(1);
                    k.half_pel_rows(above, below, count, out.data() + 1, out.data() + 301, out.data() + 601);
                    k.bilinear_row(above, below, count, 5 * count % 16, count / 3 % 16, out.data() + 901);
                    std::vector<std::uint16_t> sums(300, 7777);
                    k.weighted_rows(above, below, below + 1, above + 1, count, sums.data());
                    k.halved_row(sums.data(), std::max(0, count / 2 - 1), out.data() + 1201);
                    std::memcpy(out.data() + 1500, sums.data(), 600);
                };
                run(scalar, expected);
                run(*kernels, found);
                ASSERT_EQ(found, expected) << name_of(kernels->level) << " " << count;
            }
        }
    }
}

} // namespace
} // namespace tandem
