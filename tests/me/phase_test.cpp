// SPDX-License-Identifier: BSD-2-Clause
// Phase correlation against a plain transform in double precision, and on motion that is known.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <random>

#include "me/estimator.h"
#include "me/search.h"
#include "me/search/phase/phase_correlation.h"
#include "pictures.h"

namespace tandem {
namespace {

class Phase : public testing::Test {
  protected:
    void SetUp() override {
        if (!has_fourier_transform()) GTEST_SKIP() << "this build has no Fourier transform";
    }
};

using Complex = std::complex<double>;
using Values = std::vector<Complex>;

/// One axis after the other, sums as they are defined.
Values naive_transform(const Values& values, int side, int sign) {
    const auto at = [side](int x, int y) { return static_cast<std::size_t>(y * side + x); };
    const auto turn = [&](int product) {
        return std::polar(1.0, sign * 2 * std::numbers::pi * (product % side) / side);
    };
    Values rows(values.size()), both(values.size());
    for (int y = 0; y < side; ++y) {
        for (int u = 0; u < side; ++u) {
            for (int x = 0; x < side; ++x)
                rows[at(u, y)] += values[at(x, y)] * turn(u * x);
        }
    }
    for (int v = 0; v < side; ++v) {
        for (int u = 0; u < side; ++u) {
            for (int y = 0; y < side; ++y)
                both[at(u, v)] += rows[at(u, y)] * turn(v * y);
        }
    }
    return both;
}

Values naive_window(PlaneView plane, PhaseCorrelation::Corner corner, int side, bool hann) {
    Values values;
    Complex mean = 0;
    for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x) {
            values.emplace_back(
                plane.at(std::clamp(corner.x + x, 0, plane.width - 1), std::clamp(corner.y + y, 0, plane.height - 1)));
            mean += values.back() / static_cast<double>(side * side);
        }
    }
    const auto fade = [&](int i) {
        const double s = std::sin(std::numbers::pi * (i + 0.5) / side);
        return hann ? s * s : 1.0;
    };
    for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x) {
            Complex& value = values[static_cast<std::size_t>(y * side + x)];
            value = (value - mean) * fade(x) * fade(y);
        }
    }
    return values;
}

Values naive_correlation(const Values& current, const Values& reference, int side) {
    const Values f = naive_transform(current, side, -1), g = naive_transform(reference, side, -1);
    Values phases(f.size());
    double counted = 0;
    for (int v = 0; v < side; ++v) {
        for (int u = 0; u < side; ++u) {
            if (std::min(u, side - u) > 3 * side / 8 || std::min(v, side - v) > 3 * side / 8) continue;
            const auto i = static_cast<std::size_t>(v * side + u);
            const Complex cross = g[i] * std::conj(f[i]);
            // What is nothing but rounding has no phase.
            if (std::abs(cross) > 1e-4 * side * side) phases[i] = cross / std::abs(cross);
            ++counted;
        }
    }
    Values correlation = naive_transform(phases, side, 1);
    for (Complex& value : correlation)
        value /= counted;
    return correlation;
}

TEST_F(Phase, CorrelationEqualsThePlainTransform) {
    const test::PicturePair pair = test::make_pair(test::Content::noise, 75, 61, 3);
    const PlaneView current = pair.current->luma().view(), reference = pair.reference->luma().view();
    for (const int side : {16, 32, 64}) {
        for (const bool hann : {false, true}) {
            PhaseCorrelation correlation(side, hann);
            const PhaseCorrelation::Corner from{-5, 7}, to{40, -9};
            // Twice, since the second reuses the memory of the first.
            correlation.correlate(reference, to, current, from);
            correlation.correlate(current, from, reference, to);
            const Values expected = naive_correlation(naive_window(current, from, side, hann),
                                                      naive_window(reference, to, side, hann), side);
            for (int y = 0; y < side; ++y) {
                for (int x = 0; x < side; ++x) {
                    const double value = expected[static_cast<std::size_t>(y * side + x)].real();
                    ASSERT_NEAR(correlation.at(x, y), value, 2e-3) << side << " at " << x << "," << y;
                    ASSERT_EQ(correlation.at(x, y), correlation.at(x - side, y - side));
                }
            }
        }
    }
}

TEST_F(Phase, PeaksAreTheHighestLocalMaximaOfTheAllowedDisplacements) {
    const test::PicturePair pair = test::make_pair(test::Content::noise, 64, 64, 8);
    PhaseCorrelation correlation(32, true);
    correlation.correlate(pair.current->luma().view(), {3, 5}, pair.reference->luma().view(), {9, 20});
    const Window allowed{-9, 40, -13, 7};
    std::vector<PhasePeak> expected;
    for (int y = -13; y <= 7; ++y) {
        for (int x = -9; x <= 15; ++x) {
            float highest = 0;
            for (int i = 0; i < 9; ++i)
                highest = std::max(highest, i == 4 ? 0 : correlation.at(x + i % 3 - 1, y + i / 3 - 1));
            if (correlation.at(x, y) > highest) expected.push_back({x, y, correlation.at(x, y)});
        }
    }
    std::ranges::sort(expected, std::greater(), &PhasePeak::height);
    for (const std::size_t wanted : {1u, 5u, 16u}) {
        std::vector<PhasePeak> found(wanted);
        ASSERT_EQ(correlation.peaks(allowed, found), static_cast<int>(wanted));
        for (std::size_t i = 0; i < wanted; ++i) {
            EXPECT_EQ(found[i].x, expected[i].x);
            EXPECT_EQ(found[i].y, expected[i].y);
            EXPECT_EQ(found[i].height, expected[i].height);
        }
    }
}

TEST_F(Phase, ACyclicShiftHasTheHeightOne) {
    const test::PicturePair pair = test::make_pan(16, 16, 0, 0, 5);
    auto shifted = std::make_shared<Frame>(16, 16);
    for (int y = 0; y < 16; ++y) {
        for (int x = 0; x < 16; ++x)
            shifted->plane(0).view().at(x, y) = pair.current->luma().view().at((x + 3) % 16, (y + 14) % 16);
    }
    PhaseCorrelation correlation(16, false);
    correlation.correlate(shifted->luma().view(), {0, 0}, pair.current->luma().view(), {0, 0});
    PhasePeak peak;
    ASSERT_EQ(correlation.peaks({-8, 7, -8, 7}, std::span(&peak, 1)), 1);
    EXPECT_EQ(peak.x, 3);
    EXPECT_EQ(peak.y, -2);
    // All but the coefficient of the mean, which is taken out.
    EXPECT_NEAR(peak.height, 168.0 / 169, 1e-4);
    const auto fitted = correlation.fit(peak);
    EXPECT_NEAR(fitted.x, 3, 0.01);
    EXPECT_NEAR(fitted.y, -2, 0.01);
}

/// A texture of waves, sampled anywhere.
FramePtr waves(int width, int height, double move_x, double move_y) {
    std::mt19937 random(4);
    const auto any = [&] { return static_cast<double>(random()) / 4294967296.0; };
    struct Wave {
        double x, y, phase;
    };
    std::vector<Wave> sum(120);
    for (Wave& wave : sum)
        wave = {4 * any() - 2, 4 * any() - 2, 7 * any()};
    auto frame = std::make_shared<Frame>(width, height);
    for (int plane = 1; plane < 3; ++plane)
        frame->plane(plane).fill(128);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            double value = 0;
            for (const Wave& wave : sum)
                value += std::sin(wave.x * (x + move_x) + wave.y * (y + move_y) + wave.phase);
            frame->plane(0).view().at(x, y) = static_cast<std::uint8_t>(std::clamp(128.5 + 6.5 * value, 0.0, 255.0));
        }
    }
    return frame;
}

TEST_F(Phase, FitsAFractionOfASample) {
    const FramePtr reference = waves(64, 64, 0, 0);
    PhaseCorrelation correlation(32, true);
    for (const auto& [x, y] : {std::pair{0.25, -0.5}, {-0.375, 0.125}, {2.5, 1.75}, {-1.2, 0.45}}) {
        const FramePtr current = waves(64, 64, x, y);
        correlation.correlate(current->luma().view(), {16, 16}, reference->luma().view(), {16, 16});
        PhasePeak peak;
        ASSERT_EQ(correlation.peaks({-8, 8, -8, 8}, std::span(&peak, 1)), 1);
        const auto fitted = correlation.fit(peak);
        EXPECT_NEAR(fitted.x, x, 0.1) << x << "," << y;
        EXPECT_NEAR(fitted.y, y, 0.1) << x << "," << y;
    }
}

SearchParams phase_params() {
    SearchParams params;
    params.algorithm = Algorithm::phase;
    return params;
}

MotionField estimate(const test::PicturePair& pair, const SearchParams& params, int threads = 1) {
    return make_cpu_estimator(threads)->estimate({pair.current, pair.reference, params, nullptr});
}

TEST_F(Phase, FindsThePanInInnerBlocks) {
    struct Case {
        int layers, window, x, y;
    };
    for (const Case& c : {Case{1, 32, 5, -3}, {1, 64, -9, 12}, {2, 32, 10, -6}, {3, 32, 24, 16}}) {
        const test::PicturePair smooth{waves(147, 130, c.x, c.y), waves(147, 130, 0, 0)};
        for (const Boundary boundary : {Boundary::inside, Boundary::padded}) {
            SearchParams params = phase_params();
            params.phase_layers = c.layers;
            params.phase_window = c.window;
            params.boundary = boundary;
            params.range_x = params.range_y = 30;
            params.phase_peaks = 1;
            const MotionField field = estimate(smooth, params);
            for (int row = 3; row < field.rows() - 3; ++row) {
                for (int column = 3; column < field.columns() - 3; ++column) {
                    EXPECT_EQ(field.best(column, row).mv, mv_from_pels(c.x, c.y))
                        << c.layers << " layers, window " << c.window << ", block " << column << "," << row;
                }
            }
        }
    }
}

TEST_F(Phase, FindsThePanOfFractionsInInnerBlocks) {
    for (const int precision : {2, 4, 8}) {
        const Mv mv{static_cast<std::int16_t>(8 * 3 + 8 / precision), static_cast<std::int16_t>(-8 * 2 + 4)};
        const test::PicturePair pair{waves(160, 128, mv.x / 8.0, mv.y / 8.0), waves(160, 128, 0, 0)};
        SearchParams params = phase_params();
        params.precision = precision;
        const MotionField field = estimate(pair, params);
        for (int row = 2; row < field.rows() - 2; ++row) {
            for (int column = 2; column < field.columns() - 2; ++column) {
                EXPECT_LE(std::abs(field.best(column, row).mv.x - mv.x), 1) << precision;
                EXPECT_LE(std::abs(field.best(column, row).mv.y - mv.y), 1) << precision;
            }
        }
    }
}

TEST_F(Phase, FlatPicturesHaveTheZeroVector) {
    for (const test::Content content : {test::Content::black, test::Content::white, test::Content::black_on_white}) {
        for (const int precision : {1, 4}) {
            SearchParams params = phase_params();
            params.precision = precision;
            params.candidates = 3;
            params.phase_layers = 2;
            const MotionField field = estimate(test::make_pair(content, 53, 37, 1), params);
            for (int row = 0; row < field.rows(); ++row) {
                for (int column = 0; column < field.columns(); ++column)
                    EXPECT_EQ(field.best(column, row).mv, Mv{});
            }
        }
    }
}

/// Every vector is allowed, its distortion is what the metric says, and candidates are distinct and in order.
TEST_F(Phase, FieldsKeepTheirContractForAnyParameters) {
    std::mt19937 random(12);
    const auto one_of = [&](std::initializer_list<int> values) { return values.begin()[random() % values.size()]; };
    for (int round = 0; round < 30; ++round) {
        const auto contents = test::all_contents();
        const int width = 1 + static_cast<int>(random() % 90), height = 1 + static_cast<int>(random() % 70);
        const test::PicturePair pair = test::make_pair(contents[random() % contents.size()], width, height, random());
        SearchParams params = phase_params();
        params.block_width = one_of({4, 16, 11, 64});
        params.block_height = one_of({4, 16, 13, 64});
        params.range_x = one_of({0, 1, 7, 40});
        params.range_y = one_of({0, 2, 20});
        params.boundary = static_cast<Boundary>(one_of({0, 1}));
        params.phase_window = one_of({16, 32, 64, 256});
        params.phase_layers = one_of({1, 2, 4});
        params.phase_hann = one_of({0, 1, 1}) != 0;
        params.phase_peaks = one_of({1, 4, 16});
        params.candidates = one_of({1, 3, 16});
        const MotionField field = estimate(pair, params);
        for (int row = 0; row < field.rows(); ++row) {
            for (int column = 0; column < field.columns(); ++column) {
                const BlockRect block = block_rect(field, column, row);
                const Window window = search_window(block, width, height, params);
                const auto slots = field.block(column, row);
                for (std::size_t k = 0; k < slots.size() && slots[k].distortion != UINT32_MAX; ++k) {
                    const Mv mv = slots[k].mv;
                    EXPECT_TRUE(mv.x % 8 == 0 && mv.y % 8 == 0 && window.contains(mv.x / 8, mv.y / 8));
                    std::uint32_t sad = 0;
                    for (int y = block.y; y < block.y + block.height; ++y) {
                        for (int x = block.x; x < block.x + block.width; ++x) {
                            sad += static_cast<std::uint32_t>(
                                std::abs(pair.current->luma().view().at(x, y) -
                                         pair.reference->luma().view().at(std::clamp(x + mv.x / 8, 0, width - 1),
                                                                          std::clamp(y + mv.y / 8, 0, height - 1))));
                        }
                    }
                    EXPECT_EQ(slots[k].distortion, sad);
                    if (k > 0) {
                        EXPECT_TRUE(better(slots[k - 1], slots[k]));
                    }
                }
            }
        }
    }
}

TEST_F(Phase, TheFieldIsTheSameForThreadsBandsAndSimdLevels) {
    const test::PicturePair pair = test::make_pair(test::Content::smooth, 115, 103, 4);
    SearchParams params = phase_params();
    params.precision = 4;
    params.candidates = 3;
    params.phase_layers = 2;
    params.lambda_q8 = 500;
    const MotionField expected = estimate(pair, params);
    for (const SimdLevel level : {SimdLevel::scalar, SimdLevel::avx2, SimdLevel::avx512}) {
        if (level > best_simd_level()) break;
        set_simd_level(level);
        EXPECT_EQ(estimate(pair, params), expected) << name_of(level);
    }
    set_simd_level(best_simd_level());
    for (const int threads : {2, 5})
        EXPECT_EQ(estimate(pair, params, threads), expected);
    MotionRequest band{pair.current, pair.reference, params, nullptr, 2, 5};
    const MotionField part = make_cpu_estimator(2)->estimate(band);
    for (int row = 2; row < 5; ++row) {
        for (int column = 0; column < expected.columns(); ++column) {
            EXPECT_TRUE(std::ranges::equal(part.block(column, row), expected.block(column, row)));
        }
    }
}

} // namespace
} // namespace tandem
