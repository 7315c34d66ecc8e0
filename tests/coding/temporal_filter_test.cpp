// SPDX-License-Identifier: BSD-2-Clause
// The temporal filter against plain arithmetic, and what it is for: less noise, and nothing else changed.
#include "coding/filter/temporal_filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "coding/filter/fine_prediction.h"
#include "coding/filter/kernels/filter_kernels.h"
#include "sequences/scene.h"
#include "video/quality/quality.h"

namespace tandem {
namespace {

constexpr int width = 96, height = 64;
constexpr std::size_t macroblocks = width / 16 * height / 16;

std::shared_ptr<Frame> flat(int luma, int chroma = 128) {
    auto frame = std::make_shared<Frame>(width, height);
    frame->plane(0).fill(static_cast<std::uint8_t>(luma));
    for (int plane = 1; plane < 3; ++plane)
        frame->plane(plane).fill(static_cast<std::uint8_t>(chroma));
    return frame;
}

template <class Body> void for_samples(const Frame& frame, Body body) {
    for (int plane = 0; plane < 3; ++plane)
        for (int y = 0; y < frame.plane(plane).height(); ++y)
            for (int x = 0; x < frame.plane(plane).width(); ++x)
                body(plane, x, y);
}

Plane random_plane(int columns, int rows, std::mt19937& random) {
    Plane plane(columns, rows);
    for (int y = 0; y < rows; ++y)
        for (int x = 0; x < columns; ++x)
            plane.view().at(x, y) = static_cast<std::uint8_t>(random());
    return plane;
}

int largest_difference(const Frame& a, const Frame& b) {
    int largest = 0;
    for_samples(a, [&](int plane, int x, int y) {
        largest = std::max(largest, std::abs(a.plane(plane).view().at(x, y) - b.plane(plane).view().at(x, y)));
    });
    return largest;
}

/// Pictures about one, and how its macroblocks are found in them.
struct Neighbourhood {
    explicit Neighbourhood(FramePtr of)
        : input{std::move(of), std::vector<std::uint32_t>(macroblocks, 1000), {}, std::vector<float>(macroblocks, 1)} {}

    /// At half the cost of intra, so that the gain is 1.
    void add(FramePtr neighbour, int distance, Mv mv = {}, std::uint32_t cost = 500) {
        input.neighbours.push_back(
            {std::move(neighbour), distance, std::vector<PredictedCost>(macroblocks, PredictedCost{cost, mv})});
    }
    FramePtr filtered(double quantiser, int threads = 1) {
        Workers workers(threads);
        input.quantiser = quantiser;
        return temporally_filtered(input, workers);
    }

    FilterInput input;
};

double falling(double x) { return std::pow(std::max(0.0, 1 - x / 4), 4); }

TEST(TemporalFilter, FlatPicturesFollowTheFormula) {
    constexpr double quantiser = 8;
    for (const float strength : {0.25F, 1.0F, 4.0F}) {
        for (const int step : {0, 1, 7, 15, 24, 60}) {
            Neighbourhood about(flat(100, 90));
            about.input.strength.assign(macroblocks, strength);
            about.add(flat(100 + step, 90 - step), 1);
            about.add(flat(100 + step / 2, 90), 2, {}, 750);
            const FramePtr out = about.filtered(quantiser);
            const double variance = 2.2 * 2.2 * quantiser * quantiser;
            const auto weight = [&](double nearness, double difference) {
                const double g = falling(difference * difference / (2 * variance));
                return strength * nearness * g * g; // Error of the block and of the sample are the same.
            };
            const int half = step / 2;
            const double one = weight(0.85, step), two = weight(0.57 * 0.5, half), none = weight(0.57 * 0.5, 0);
            const double luma = 100 + (one * step + two * half) / (1 + one + two);
            const double chroma = 90 - one * step / (1 + one + none);
            for_samples(*out, [&](int plane, int x, int y) {
                ASSERT_NEAR(out->plane(plane).view().at(x, y), plane == 0 ? luma : chroma, 0.51)
                    << strength << " " << step << " plane " << plane << " " << x << "," << y;
            });
        }
    }
}

TEST(TemporalFilter, WhatIsNotWantedIsNotTouched) {
    const FramePtr picture = flat(100), brighter_by_4 = flat(104);
    Neighbourhood alone(picture);
    EXPECT_EQ(alone.filtered(8), picture) << "no neighbours";
    Neighbourhood unwanted(picture);
    unwanted.add(brighter_by_4, 1);
    unwanted.input.strength.assign(macroblocks, 0);
    EXPECT_EQ(unwanted.filtered(8), picture);
    unwanted.input.strength[macroblocks - 1] = 1;
    const FramePtr out = unwanted.filtered(8);
    ASSERT_NE(out, picture);
    for_samples(*out, [&](int plane, int x, int y) {
        const int side = plane == 0 ? 16 : 8;
        const bool last = x >= out->plane(plane).width() - side && y >= out->plane(plane).height() - side;
        ASSERT_EQ(out->plane(plane).view().at(x, y), plane > 0 ? 128
                                                     : last    ? 102
                                                               : 100)
            << plane << " " << x << "," << y;
    });
    for (const std::uint32_t cost : {1000U, 2000U}) {
        Neighbourhood unlike(picture);
        unlike.add(brighter_by_4, 1, {}, cost);
        EXPECT_EQ(largest_difference(*unlike.filtered(8), *picture), 0) << "predicted no better than by its mean";
    }
    Neighbourhood brighter(picture);
    brighter.add(flat(140), 1);
    EXPECT_EQ(largest_difference(*brighter.filtered(8), *picture), 0) << "more light is no coding error";
    EXPECT_GT(largest_difference(*brighter.filtered(24), *picture), 5) << "but may be one at a coarse quantiser";
}

/// Pictures of a scene, the same but for the noise.
struct Scenes {
    Scenes(double right, double down, double noise) {
        SceneParams params;
        params.width = width;
        params.height = height;
        params.speed = {right, down};
        for (int i = 0; i < 5; ++i)
            clean.push_back(Scene(params).render(i));
        params.noise = noise;
        for (int i = 0; i < 5; ++i)
            noisy.push_back(Scene(params).render(i));
    }
    std::vector<FramePtr> clean, noisy;
};

TEST(TemporalFilter, NoiseFallsAndThePictureStays) {
    constexpr double noise = 6;
    for (const auto& [right, down] :
         std::vector<std::pair<double, double>>{{0, 0}, {2, -1}, {1.5, 0.75}, {0.3, -2.6}}) {
        SCOPED_TRACE(std::to_string(right) + "," + std::to_string(down));
        const Scenes scenes(right, down, noise);
        Neighbourhood noisy(scenes.noisy[2]), clean(scenes.clean[2]);
        for (const int at : {0, 1, 3, 4}) {
            // As the lookahead finds it, to a pel.
            const auto pels = [&](double speed) { return static_cast<int>(std::lround(speed * (at - 2))); };
            noisy.add(scenes.noisy[static_cast<std::size_t>(at)], std::abs(at - 2),
                      mv_from_pels(pels(right), pels(down)));
            clean.add(scenes.clean[static_cast<std::size_t>(at)], std::abs(at - 2),
                      mv_from_pels(pels(right), pels(down)));
        }
        const FramePtr noisy_out = noisy.filtered(8), clean_out = clean.filtered(8);
        for (const int plane : {0, 1, 2}) {
            const auto error = [&](const Frame& frame) {
                const SquaredErrors errors = squared_errors(frame, *scenes.clean[2], width, height);
                return static_cast<double>(errors.error[static_cast<std::size_t>(plane)]) /
                       static_cast<double>(errors.samples[static_cast<std::size_t>(plane)]);
            };
            const double before = error(*scenes.noisy[2]), deviation = plane == 0 ? noise : noise / 2;
            EXPECT_NEAR(before, deviation * deviation, 0.2 * deviation * deviation);
            EXPECT_LT(error(*noisy_out), 0.4 * before) << plane;
            EXPECT_LT(error(*clean_out), 0.06 * before) << plane << ": what has no noise is not blurred";
        }
    }
}

// Chroma that is brighter after its motion is found again; in another place nothing is alike.
TEST(TemporalFilter, ChromaMovesWithLuma) {
    std::mt19937 random(3);
    const auto noise = [&](int columns, int rows) { return random_plane(columns, rows, random); };
    const std::array<Plane, 3> wide{noise(width + 8, height + 8), noise(width / 2 + 4, height / 2 + 4),
                                    noise(width / 2 + 4, height / 2 + 4)};
    const auto part = [&](int x, int y, int more_chroma) {
        auto frame = std::make_shared<Frame>(width, height);
        for_samples(*frame, [&](int plane, int column, int row) {
            const int shift = plane == 0 ? 0 : 1;
            const int sample =
                wide[static_cast<std::size_t>(plane)].view().at(column + (x >> shift), row + (y >> shift));
            frame->plane(plane).view().at(column, row) =
                static_cast<std::uint8_t>(plane == 0 ? sample : sample / 2 + more_chroma);
        });
        return frame;
    };
    const FramePtr picture = part(4, 2, 0);
    Neighbourhood about(picture);
    about.add(part(0, 8, 6), 1, mv_from_pels(4, -6));
    const FramePtr out = about.filtered(16);
    for_samples(*out, [&](int plane, int x, int y) {
        const int side = plane == 0 ? 16 : 8; // Those at the edge come from outside.
        if (x >= out->plane(plane).width() - side || y < side) return;
        const int change = out->plane(plane).view().at(x, y) - picture->plane(plane).view().at(x, y);
        ASSERT_EQ(change, plane == 0 ? 0 : 3) << plane << " " << x << "," << y;
    });
}

TEST(TemporalFilter, ThreadsChangeNothing) {
    const Scenes scenes(1.5, 0.75, 6);
    Neighbourhood about(scenes.noisy[2]);
    about.add(scenes.noisy[1], 1, mv_from_pels(-40, 12)); // Beyond the edge for some.
    about.add(scenes.noisy[4], 2, mv_from_pels(3, 1));
    EXPECT_EQ(largest_difference(*about.filtered(8, 1), *about.filtered(8, 4)), 0);
}

/// A sine cardinal under a window of three lobes.
double lanczos(double x) {
    if (x == 0) return 1;
    if (std::abs(x) >= 3) return 0;
    const double at = std::numbers::pi * x;
    return std::sin(at) / at * std::sin(at / 3) / (at / 3);
}

/// Taps of a sample so many sixteenths to the right, whose sum is 1.
std::array<double, 6> taps_of(int sixteenths) {
    std::array<double, 6> taps{};
    double sum = 0;
    for (int i = 0; i < 6; ++i)
        sum += taps[static_cast<std::size_t>(i)] = lanczos(i - 2 - sixteenths / 16.0);
    for (double& tap : taps)
        tap /= sum;
    return taps;
}

template <int side> void expect_fine_prediction(const Plane& plane, int x, int y, int right, int down) {
    SquareOf<side> found;
    found.fill(77);
    predict_finely<side>(plane.view(), x, y, right, down, found);
    const std::array<double, 6> across = taps_of(right & 15), below = taps_of(down & 15);
    for (int i = 0; i < side * side; ++i) {
        double wanted = 0;
        for (int row = 0; row < 6; ++row) {
            for (int column = 0; column < 6; ++column) {
                const int at_x = std::clamp(x + i % side + (right >> 4) + column - 2, 0, plane.width() - 1);
                const int at_y = std::clamp(y + i / side + (down >> 4) + row - 2, 0, plane.height() - 1);
                wanted += across[static_cast<std::size_t>(column)] * below[static_cast<std::size_t>(row)] *
                          plane.view().at(at_x, at_y);
            }
        }
        // Taps are rounded to 64ths, twelve of which may be half of one away, of samples up to 255.
        const bool is_whole = right % 16 == 0 && down % 16 == 0;
        ASSERT_NEAR(found[static_cast<std::size_t>(i)], std::clamp(wanted, 0.0, 255.0), is_whole ? 1e-6 : 16)
            << x << "," << y << " by " << right << "," << down << " sample " << i;
    }
}

TEST(FinePrediction, IsAWindowedSineCardinalAlsoBeyondTheEdge) {
    std::mt19937 random(1);
    const Plane plane = random_plane(40, 24, random);
    for (int i = 0; i < 400; ++i) {
        const int x = static_cast<int>(random() % 3) * 8, y = static_cast<int>(random() % 2) * 8;
        const int right = static_cast<int>(random() % 1601) - 800, down = static_cast<int>(random() % 1601) - 800;
        expect_fine_prediction<8>(plane, x, y, right, down);
        expect_fine_prediction<16>(plane, x, y, right, down);
        expect_fine_prediction<16>(plane, x, y, right / 16 * 16, down / 16 * 16);
    }
    for (int right = 0; right < 16; ++right)
        for (int down = 0; down < 16; ++down)
            expect_fine_prediction<8>(plane, 16, 8, right, down);
}

/// White where both weights of a sample have the same sign, about the sample (2, 2), and black elsewhere.
void checker(Plane& plane) {
    for (int y = 0; y < plane.height(); ++y)
        for (int x = 0; x < plane.width(); ++x)
            plane.view().at(x, y) = (x % 6 == 1 || x % 6 == 4) == (y % 6 == 1 || y % 6 == 4) ? 255 : 0;
}

TEST(FilterKernels, AllLevelsEqualPlainLoops) {
    std::mt19937 random(2);
    constexpr std::array<std::int16_t, 6> across{2, -9, 39, 39, -9, 2}, down{1, -8, 34, 44, -9, 2};
    for (const FilterKernels* const kernels : all_filter_kernels()) {
        SCOPED_TRACE(name_of(kernels->level));
        for (int round = 0; round < 50; ++round) {
            Plane a = random_plane(21, 21, random), b = random_plane(21, 21, random);
            if (round == 0) checker(a); // The largest sums.
            const PlaneView from = a.view(), other = b.view();
            for (const int side : {8, 16}) {
                std::array<std::uint8_t, 256 + 32> found;
                found.fill(201);
                kernels->interpolate(from.data, from.stride, across.data(), down.data(), side, found.data());
                for (int i = 0; i < side * side; ++i) {
                    int sum = 32;
                    for (int row = 0; row < 6; ++row) {
                        int of_row = 32;
                        for (int column = 0; column < 6; ++column)
                            of_row +=
                                across[static_cast<std::size_t>(column)] * from.at(i % side + column, i / side + row);
                        sum += down[static_cast<std::size_t>(row)] * (of_row >> 6);
                    }
                    ASSERT_EQ(found[static_cast<std::size_t>(i)], std::clamp(sum >> 6, 0, 255)) << side << " " << i;
                }
                EXPECT_EQ(found[static_cast<std::size_t>(side * side)], 201) << "written beyond the end";
            }

            SquareOf<16> predicted;
            for (std::uint8_t& sample : predicted)
                sample = static_cast<std::uint8_t>(round == 0 ? 255 * (random() % 2) : random());
            const GradientSums sums = kernels->gradients(predicted.data(), 16, from.data, from.stride);
            GradientSums plain{};
            for (int y = 1; y < 15; ++y) {
                for (int x = 1; x < 15; ++x) {
                    const auto at = [&](int column, int row) {
                        return static_cast<int>(predicted[static_cast<std::size_t>(row * 16 + column)]);
                    };
                    const int along = at(x + 1, y) - at(x - 1, y), below = at(x, y + 1) - at(x, y - 1);
                    const int missing = from.at(x, y) - at(x, y);
                    plain.xx += along * along;
                    plain.xy += along * below;
                    plain.yy += below * below;
                    plain.x_missing += along * missing;
                    plain.y_missing += below * missing;
                }
            }
            EXPECT_EQ(sums.xx, plain.xx);
            EXPECT_EQ(sums.xy, plain.xy);
            EXPECT_EQ(sums.yy, plain.yy);
            EXPECT_EQ(sums.x_missing, plain.x_missing);
            EXPECT_EQ(sums.y_missing, plain.y_missing);

            const SampleWeight weight{0.8F, 1.0F / static_cast<float>(1U << random() % 14)};
            std::array<float, 64> added, weights;
            added.fill(3);
            weights.fill(0.5F);
            kernels->weigh(from.data, from.stride, other.data, other.stride, weight, added.data(), weights.data());
            for (int i = 0; i < 64; ++i) {
                const double difference = other.at(i % 8, i / 8) - from.at(i % 8, i / 8);
                const double wanted = 0.8 * falling(difference * difference * weight.half_inverse_variance);
                ASSERT_NEAR(added[static_cast<std::size_t>(i)], 3 + wanted * difference, 1e-3) << i;
                ASSERT_NEAR(weights[static_cast<std::size_t>(i)], 0.5 + wanted, 1e-5) << i;
            }
            std::array<float, 64> scalar_added, scalar_weights;
            scalar_added.fill(3);
            scalar_weights.fill(0.5F);
            all_filter_kernels().front()->weigh(from.data, from.stride, other.data, other.stride, weight,
                                                scalar_added.data(), scalar_weights.data());
            EXPECT_EQ(added, scalar_added) << "bit for bit";
            EXPECT_EQ(weights, scalar_weights);
        }
    }
}

} // namespace
} // namespace tandem
