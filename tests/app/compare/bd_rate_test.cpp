// SPDX-License-Identifier: BSD-2-Clause
#include "video/quality/bd_rate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tandem {
namespace {

using Curve = std::vector<RatePoint>;
using enum CurveFit;

struct Golden {
    const char* source;
    Curve anchor, test;
    double rate[3], quality[3]; ///< By PCHIP, Akima and cubic.
};

// The PCHIP rates of the first two sets are published: JCTVC-E137 (2011), its sheet computes -0.00465215420752807 and
// -0.018779823450567612. The others are of SciPy 1.10 (PchipInterpolator, Akima1DInterpolator) and NumPy (polyfit).
const Golden goldens[] = {
    {"JCTVC-E137, first set",
     {{108048.8736, 43.6471}, {61279.976, 40.3953}, {33905.6656, 37.247}, {18883.6928, 34.2911}},
     {{108061.2784, 43.6768}, {61299.9936, 40.4232}, {33928.7472, 37.2761}, {18910.912, 34.3147}},
     {-0.465215420752807, -0.465120331181, -0.464415420032},
     {0.0250502112594, 0.0250573519509, 0.0250599862475}},
    {"JCTVC-E137, second set",
     {{40433.8848, 37.5761}, {7622.7456, 35.3756}, {2394.488, 33.8977}, {1017.6184, 32.0603}},
     {{40370.12, 37.5982}, {7587.0024, 35.4025}, {2390.0944, 33.9194}, {1017.0984, 32.0822}},
     {-1.8779823450567612, -1.86513200083, -1.91016867841},
     {0.0284718910403, 0.0280748642683, 0.0287038123316}},
    {"x265 presets, the example of Herglotz et al. (arXiv 2202.12565)",
     {{9487.76, 40.037}, {4593.60, 38.615}, {2486.44, 36.845}, {1358.24, 34.851}},
     {{9787.80, 40.121}, {4469.00, 38.651}, {2451.52, 36.970}, {1356.24, 34.987}},
     {-4.41748535059, -4.425245157, -4.4204627062},
     {0.119692785425, 0.119409270285, 0.120409419115}},
    {"a set that many implementations are tried with",
     {{686.76, 40.28}, {309.58, 37.18}, {157.11, 34.24}, {85.95, 31.42}},
     {{893.34, 40.39}, {407.8, 37.21}, {204.93, 34.17}, {112.75, 31.24}},
     {31.3798782024, 31.3839889843, 31.3973740549},
     {-1.18347240462, -1.18365897007, -1.18489792177}},
    {"five points",
     {{1486402, 43.447}, {839365, 37.673}, {433117, 32.258}, {203129, 27.483}, {87360, 23.644}},
     {{1300000, 43.2}, {760000, 37.9}, {400000, 32.3}, {180000, 27.7}, {80000, 23.4}},
     {-10.9839087587, -10.9421069075, -10.4148202385},
     {0.821075679252, 0.822801389823, 0.798726163944}},
};

const Curve five = goldens[4].anchor;

double rate_difference(const Curve& anchor, const Curve& test, CurveFit fit = pchip) {
    const BdResult result = bd_rate(anchor, test, fit);
    EXPECT_TRUE(result.difference.has_value()) << result.refusal;
    return result.difference ? result.difference->value : std::nan("");
}

Curve changed(Curve curve, double factor, double more) {
    for (RatePoint& point : curve)
        point = {point.rate * factor, point.quality + more};
    return curve;
}

TEST(BdRate, PublishedDataSets) {
    for (const Golden& golden : goldens) {
        SCOPED_TRACE(golden.source);
        for (const CurveFit fit : {pchip, akima, cubic}) {
            const auto i = static_cast<std::size_t>(fit);
            EXPECT_NEAR(rate_difference(golden.anchor, golden.test, fit), golden.rate[i], 1e-9) << "fit " << i;
            const BdResult quality = bd_quality(golden.anchor, golden.test, fit);
            ASSERT_TRUE(quality.difference) << quality.refusal;
            EXPECT_NEAR(quality.difference->value, golden.quality[i], 1e-9) << "fit " << i;
            EXPECT_TRUE(quality.warnings.empty());
        }
    }
}

// Quality hardly rises any more between the last points: the polynomial swings over many decades on its way there,
// so that it claims that three per cent of rate are a hundred.
TEST(BdRate, SaturatedCurvesAreForPchipAlone) {
    const Curve anchor{{120, 36}, {1000, 46.0}, {2600, 46.6}, {8000, 46.7}};
    const Curve test{{116, 36}, {970, 46.0}, {2500, 46.55}, {7800, 46.68}};
    EXPECT_NEAR(rate_difference(anchor, test), -3.21273324996, 1e-9);
    for (const auto& [first, second] : {std::pair(anchor, test), std::pair(test, anchor)}) {
        const BdResult result = bd_rate(first, second, cubic);
        EXPECT_FALSE(result.difference);
        EXPECT_NE(result.refusal.find("the cubic fit leaves its points"), std::string::npos) << result.refusal;
    }
    EXPECT_TRUE(bd_quality(anchor, test, pchip).difference);
}

TEST(BdRate, AConstantFactorOfRateIsThatFactor) {
    for (const CurveFit fit : {pchip, akima, cubic}) {
        EXPECT_NEAR(rate_difference(five, five, fit), 0, 1e-9);
        EXPECT_NEAR(rate_difference(five, changed(five, 0.9, 0), fit), -10, 1e-9);
        EXPECT_NEAR(bd_quality(five, changed(five, 1, 0.25), fit).difference->value, 0.25, 1e-9);
    }
}

TEST(BdRate, OrderOfThePointsDoesNotMatter) {
    const Curve test = goldens[4].test;
    Curve mixed = test;
    std::rotate(mixed.begin(), mixed.begin() + 2, mixed.end());
    EXPECT_EQ(rate_difference(five, test), rate_difference(Curve(five.rbegin(), five.rend()), mixed));
}

TEST(BdRate, SwappingTheCurvesInvertsTheRatio) {
    const double forth = rate_difference(five, goldens[4].test), back = rate_difference(goldens[4].test, five);
    EXPECT_NEAR((1 + forth / 100) * (1 + back / 100), 1, 1e-12);
}

// SciPy's difference is 1.236111111111: the three-point slope at the first point would be 3.5, above three secants, so
// it is 3.
TEST(BdRate, PchipIsLimitedWhereACurveTurnsAtItsEnd) {
    const Curve line{{1, 30}, {10, 33}, {100, 36}, {1000, 39}}, turns{{1, 36}, {10, 37}, {100, 33}, {1000, 40}};
    const BdResult result = bd_quality(line, turns, pchip);
    ASSERT_TRUE(result.difference) << result.refusal;
    EXPECT_NEAR(result.difference->value, 1.5 - 9.5 / 36, 1e-12);
}

// SciPy's difference is 1.701388888889: between two straight parts Akima's weights are both zero, and the slope is the
// mean of theirs.
TEST(BdRate, AkimaGoesBetweenTwoStraightParts) {
    const Curve line{{1, 30}, {10, 31}, {100, 32}, {1e4, 34}, {1e6, 36}},
        bent{{1, 30}, {10, 32}, {100, 34}, {1e4, 36}, {1e6, 38}};
    const BdResult result = bd_quality(line, bent, akima);
    ASSERT_TRUE(result.difference) << result.refusal;
    EXPECT_NEAR(result.difference->value, 5.0 / 3 + 5.0 / 144, 1e-12);
}

TEST(BdRate, OverlapIsOfTheWholeRange) {
    const auto difference = bd_rate({{1, 20}, {2, 25}, {4, 30}, {8, 40}}, {{2, 30}, {4, 35}, {8, 40}, {9, 45}}, pchip);
    ASSERT_TRUE(difference.difference);
    EXPECT_EQ(difference.difference->low, 30);
    EXPECT_EQ(difference.difference->high, 40);
    EXPECT_NEAR(difference.difference->overlap_percent, 40, 1e-12);
    ASSERT_EQ(difference.warnings.size(), 1U);
    EXPECT_NE(difference.warnings[0].find("only 40 % of quality in common"), std::string::npos);
}

TEST(BdRate, WarnsOfCurvesThatAreNotMonotone) {
    Curve bent = five;
    bent[1].rate = bent[2].rate * 0.9;
    const BdResult result = bd_rate(five, bent, pchip);
    ASSERT_TRUE(result.difference);
    ASSERT_EQ(result.warnings.size(), 1U);
    EXPECT_EQ(result.warnings[0], "the test's curve is not monotone");
}

TEST(BdRate, RefusesWhatHasNoMeaning) {
    const auto refusal = [](const Curve& anchor, const Curve& test) {
        const BdResult result = bd_rate(anchor, test, pchip);
        EXPECT_FALSE(result.difference);
        return result.refusal;
    };
    const double infinite = std::numeric_limits<double>::infinity();
    EXPECT_EQ(refusal(five, {five.begin(), five.begin() + 3}), "the test has 3 points, at least 4 are needed");
    EXPECT_EQ(refusal({}, five), "the anchor has 0 points, at least 4 are needed");
    EXPECT_EQ(refusal(five, changed(five, 1, 30)), "the curves have no quality in common");
    EXPECT_NE(refusal(five, changed(five, 1, 19)).find("have only 2.1 % of quality"), std::string::npos);
    EXPECT_NE(refusal(five, changed(five, 0, 0)).find("without a rate"), std::string::npos);
    EXPECT_NE(refusal(changed(five, 1, infinite), five).find("the anchor has a point without a finite quality"),
              std::string::npos);
    Curve twice = five;
    twice[1].quality = twice[0].quality;
    EXPECT_EQ(refusal(five, twice), "two points of the test have the same quality");
    EXPECT_EQ(bd_quality(five, {five[0], five[0], five[1], five[2]}, pchip).refusal,
              "two points of the test have the same rate");
}

} // namespace
} // namespace tandem
