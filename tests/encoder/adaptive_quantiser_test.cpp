// SPDX-License-Identifier: BSD-2-Clause
// Quantisers by texture: the factors against the formula, and what the rate control makes of them.
#include "encoder/adaptive_quantiser.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "encoder/pictures/picture_costs.h"
#include "encoder/rate_control.h"

namespace tandem {
namespace {

constexpr int width = 64, height = 32;

/// Blocks of 8x8 samples of noise, more of it from block to block; the first one is flat.
Plane textured() {
    Plane luma(width, height);
    std::mt19937 random(7);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const auto reach = static_cast<unsigned>(x / 8 + y / 8 * (width / 8));
            luma.view().at(x, y) = static_cast<std::uint8_t>(100 + random() % (3 * reach + 1));
        }
    }
    return luma;
}

double naive_activity(PlaneView luma, int column, int row) {
    double activity = 0;
    for (int block = 0; block < 4; ++block) {
        double mean = 0, variance = 0;
        const auto at = [&](int i) {
            return luma.at(column * 16 + block % 2 * 8 + i % 8, row * 16 + block / 2 * 8 + i / 8);
        };
        for (int i = 0; i < 64; ++i)
            mean += at(i) / 64.0;
        for (int i = 0; i < 64; ++i)
            variance += (at(i) - mean) * (at(i) - mean) / 64;
        activity += std::log2(variance + 0.03 * 255 * 0.03 * 255 / 2) / 4;
    }
    return activity;
}

TEST(AdaptiveFactors, AreThoseOfTheFormula) {
    const Plane luma = textured();
    Workers workers(2);
    double mean = 0;
    for (int i = 0; i < 8; ++i)
        mean += naive_activity(luma.view(), i % 4, i / 4) / 8;
    const auto usual = adaptive_factors(luma.view(), AqMode::usual, 1.5, workers).factor;
    const auto picture = adaptive_factors(luma.view(), AqMode::picture, 1.5, workers).factor;
    ASSERT_EQ(usual.size(), 8U);
    ASSERT_EQ(picture.size(), 8U);
    for (int i = 0; i < 8; ++i) {
        const double activity = naive_activity(luma.view(), i % 4, i / 4);
        const auto at = static_cast<std::size_t>(i);
        EXPECT_NEAR(static_cast<double>(usual[at]), std::exp2(0.2 * 1.5 * (activity - 7)), 1e-4) << i;
        EXPECT_NEAR(static_cast<double>(picture[at]), std::exp2(0.2 * 1.5 * (activity - mean)), 1e-4) << i;
    }
    EXPECT_LT(picture.front(), 0.9F);
    EXPECT_GT(picture.back(), 1.1F);
}

TEST(AdaptiveFactors, HaveNoStrengthAndLimits) {
    Workers workers(1);
    for (const float factor : adaptive_factors(textured().view(), AqMode::usual, 0, workers).factor)
        EXPECT_NEAR(factor, 1, 1e-6);
    Plane extreme(width, height);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            extreme.view().at(x, y) = x < 32 || (x + y) % 2 == 0 ? 0 : 255;
    const auto factors = adaptive_factors(extreme.view(), AqMode::picture, 3, workers).factor;
    EXPECT_EQ(factors.front(), 0.25F);
    EXPECT_EQ(factors[3], 4.0F);
}

PlannedPicture picture_with(std::vector<float> importance, std::vector<float> texture) {
    PlannedPicture picture;
    picture.type = PictureType::predicted;
    if (!importance.empty())
        picture.importance = std::make_shared<Importance>(Importance{std::move(importance), {7, 7}});
    if (!texture.empty())
        picture.adaptive = std::make_shared<AdaptiveFactors>(AdaptiveFactors{std::move(texture), {5, 5}});
    return picture;
}

void expect_quantisers(const Quality& quality, std::vector<double> wanted) {
    ASSERT_EQ(quality.offsets.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i)
        EXPECT_NEAR(quality.quantiser + static_cast<double>(quality.offsets[i]), wanted[i], 1e-5) << i;
}

TEST(SpreadQuality, MultipliesByImportanceAndByTexture) {
    const EvenQuantisers even{10, 7};
    const QuantiserLimits limits{1, 31};
    EXPECT_EQ(spread_quality(picture_with({}, {}), even, limits), (Quality{7, {}}));
    const Quality texture = spread_quality(picture_with({}, {0.5F, 2}), even, limits);
    expect_quantisers(texture, {3.5, 14});
    EXPECT_EQ(texture.residual, (std::vector<float>{5, 5}));
    expect_quantisers(spread_quality(picture_with({1, 0.5F}, {}), even, limits), {14, 7});
    const Quality both = spread_quality(picture_with({1, 0.5F}, {0.5F, 2}), even, limits);
    expect_quantisers(both, {7, 14});
    EXPECT_EQ(both.quantiser, 10.5);
    EXPECT_EQ(both.residual, (std::vector<float>{7, 7}));
    EXPECT_EQ(spread_quality(picture_with({1, 1}, {4, 4}), even, limits).quantiser, 31);
}

TEST(MacroblockResiduals, AreHalfOfWhatThePictureCosts) {
    const Plane luma = textured();
    Workers workers(2);
    const auto residuals = macroblock_residuals(luma.view(), {}, Metric::sad, workers);
    ASSERT_EQ(residuals.size(), 8U);
    double sum = 0;
    for (const float residual : residuals)
        sum += static_cast<double>(residual);
    EXPECT_EQ(2 * sum, static_cast<double>(picture_costs(luma.view(), {}, Metric::sad, workers).inter));
    EXPECT_LT(residuals.front(), residuals.back());
}

} // namespace
} // namespace tandem
