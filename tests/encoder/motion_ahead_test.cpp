// SPDX-License-Identifier: BSD-2-Clause
// The quantisers of the picture types, which the search's price of a bit hangs on too, and what the search is asked
// for.
#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "coding/mpeg/quantiser/quantiser_ladder.h"
#include "encoder/pictures/motion_ahead.h"
#include "me/coprocessor/coprocessor.h"

namespace tandem {
namespace {

struct QuantiserRow {
    int qp;
    double ip_factor, pb_factor;
    int intra, predicted, bidirectional;
};

TEST(QuantiserCode, IsTheFactorsNearestWithinItsLimits) {
    for (const QuantiserRow& row : {QuantiserRow{8, 1.4, 1.3, 6, 8, 10}, // 5.7 and 10.4
                                    QuantiserRow{9, 1.4, 1.3, 6, 9, 12}, // 6.4 and 11.7
                                    QuantiserRow{8, 1, 1, 8, 8, 8},      // None.
                                    QuantiserRow{8, 0.5, 0.5, 16, 8, 4}, // The other way.
                                    QuantiserRow{1, 1.4, 0.4, 1, 1, 1},  // 0.7 and 0.4
                                    QuantiserRow{1, 2.5, 1.3, 1, 1, 1},  // 0.4 and 1.3
                                    QuantiserRow{31, 0.8, 1.3, 31, 31, 31}}) {
        SCOPED_TRACE(testing::Message() << row.qp << " " << row.ip_factor << " " << row.pb_factor);
        Settings settings;
        settings.qp = row.qp;
        settings.ip_factor = row.ip_factor;
        settings.pb_factor = row.pb_factor;
        EXPECT_EQ(quantiser_code(settings, PictureType::intra), row.intra);
        EXPECT_EQ(quantiser_code(settings, PictureType::predicted), row.predicted);
        EXPECT_EQ(quantiser_code(settings, PictureType::bidirectional), row.bidirectional);
    }
}

// Code 8 of the non-linear scale is the quantiser 4, which becomes 2.9 and 5.2: 6 stands for 3 and 9 for 5.
TEST(QuantiserCode, FactorsAreOfTheScaleWhateverCodesStandFor) {
    Settings settings;
    settings.non_linear_quantiser = true;
    settings.qp = 8;
    EXPECT_EQ(quantiser_code(settings, PictureType::intra), 6);
    EXPECT_EQ(quantiser_code(settings, PictureType::predicted), 8);
    EXPECT_EQ(quantiser_code(settings, PictureType::bidirectional), 9);
    EXPECT_EQ(refinement_params(settings, PictureType::predicted, 1, 4.0).lambda_q8,
              search_params(settings, PictureType::predicted, 1).lambda_q8);
}

TEST(PicturesAhead, AreThoseGivenOrWhatTheMachineCanUse) {
    Coprocessor of_the_cpu({}, make_cpu_estimator(1));
    const auto gpus = [](int count) {
        std::vector<std::unique_ptr<Estimator>> estimators;
        for (int i = 0; i < count; ++i)
            estimators.push_back(make_cpu_estimator(1));
        return estimators;
    };
    Coprocessor with_a_gpu(gpus(1), make_cpu_estimator(1)), with_two(gpus(2), make_cpu_estimator(1)),
        with_ten(gpus(10), make_cpu_estimator(1));
    Settings settings;
    EXPECT_EQ(pictures_ahead(settings, with_two, 16), 16);
    EXPECT_EQ(pictures_ahead(settings, with_ten, 16), 32);
    for (const auto& [threads, pictures] :
         {std::pair(1, 4), {2, 4}, {4, 6}, {16, 24}, {21, 31}, {22, 32}, {1024, 32}}) {
        EXPECT_EQ(pictures_ahead(settings, of_the_cpu, threads), pictures) << threads;
        EXPECT_EQ(pictures_ahead(settings, with_a_gpu, threads), 4) << threads;
    }
    settings.motion_reference = MotionReference::recon;
    EXPECT_EQ(pictures_ahead(settings, of_the_cpu, 16), 4);
    for (const int given : {1, 64}) {
        settings.lookahead = given;
        EXPECT_EQ(pictures_ahead(settings, of_the_cpu, 16), given);
        EXPECT_EQ(pictures_ahead(settings, with_a_gpu, 16), given);
    }
}

/// Everything of the search that a user may choose, and nonsense in what is the encoder's.
Settings chosen_settings() {
    Settings settings;
    settings.qp = 10;
    settings.range = 20;
    settings.search.algorithm = Algorithm::full;
    settings.search.grid = 2;
    settings.search.metric = Metric::satd;
    settings.search.candidates = 3;
    settings.search.level_candidates = 7;
    settings.search.block_width = settings.search.range_x = settings.search.precision = 8;
    settings.search.interpolation = Interpolation::six_tap;
    settings.search.boundary = Boundary::padded;
    settings.search.predictor = Predictor::hint;
    settings.search.rate_unit = 1;
    settings.search.lambda_q8 = settings.search.null_level = 9;
    return settings;
}

TEST(MotionAhead, TheSearchIsTheUsersOnMacroblocksInsideThePicture) {
    SearchParams expected;
    expected.range_x = expected.range_y = 40;
    expected.precision = expected.grid = 2;
    expected.metric = Metric::satd;
    expected.candidates = 3;
    expected.level_candidates = 7;
    expected.wide_range = 60;
    expected.lambda_q8 = sad_lambda_q8(20);
    EXPECT_EQ(search_params(chosen_settings(), PictureType::predicted, 2), expected);
}

TEST(MotionAhead, SearchesFromPredictorsReachAsFarAsTheCodecAllows) {
    Settings settings;
    EXPECT_EQ(settings.search.algorithm, Algorithm::predictive);
    for (const Algorithm algorithm : {Algorithm::predictive, Algorithm::hexagon}) {
        settings.search.algorithm = algorithm;
        const int usual = algorithm == Algorithm::predictive ? 12 : 16;
        for (const int distance : {1, 3}) {
            const SearchParams params = search_params(settings, PictureType::predicted, distance);
            EXPECT_TRUE(begins_at_predictors(params));
            EXPECT_EQ(params.range_x, usual);
            EXPECT_EQ(params.range_y, algorithm == Algorithm::predictive ? 6 : 16);
            EXPECT_EQ(params.farthest_x, 511);
            EXPECT_EQ(params.farthest_y, 127);
        }
    }
    settings.search.start = Start::zero;
    EXPECT_FALSE(begins_at_predictors(search_params(settings, PictureType::predicted, 1)));
    settings.search = Settings().search;
    settings.search.algorithm = Algorithm::full;
    EXPECT_EQ(search_params(settings, PictureType::predicted, 1).start, Start::zero) << "full search has none";
    EXPECT_EQ(search_params(settings, PictureType::predicted, 3).range_x, 48);
}

TEST(MotionAhead, ABitCostsWhatItIsWorthInTheMetric) {
    Settings settings;
    settings.qp = 10;
    for (const Metric metric : {Metric::sad, Metric::satd, Metric::ssd}) {
        settings.search.metric = metric;
        const std::uint32_t expected =
            metric == Metric::ssd ? 256 * 80 : 256 * 7; // 0.2 times 20 squared, 0.35 times 20.
        EXPECT_EQ(search_params(settings, PictureType::predicted, 1).lambda_q8, expected);
        EXPECT_EQ(
            refinement_params(settings, PictureType::predicted, 1, quantiser_code(settings, PictureType::predicted))
                .lambda_q8,
            256u * 7);
    }
}

TEST(MotionAhead, NullMotionIsTheSearchsWhereItGoesBySadOfLuma) {
    Settings settings;
    settings.search.null_threshold = 500;
    settings.search.null_gain = 4;
    for (const Metric metric : {Metric::sad, Metric::ssd}) {
        for (const Planes planes : {Planes::luma, Planes::all}) {
            settings.search.metric = metric;
            settings.search.planes = planes;
            const bool by_sad = metric == Metric::sad && planes == Planes::luma;
            const SearchParams params = search_params(settings, PictureType::predicted, 1);
            EXPECT_EQ(params.null_threshold, by_sad ? 500u : 0u);
            EXPECT_EQ(params.null_gain, by_sad ? 4u : 0u);
            EXPECT_EQ(
                refinement_params(settings, PictureType::predicted, 1, quantiser_code(settings, PictureType::predicted))
                    .null_threshold,
                500u);
        }
    }
}

TEST(MotionAhead, HalfPelStepsGoBySadOfLumaWhateverTheSearchWentBy) {
    Settings settings = chosen_settings();
    settings.search.planes = Planes::all;
    const SearchParams params =
        refinement_params(settings, PictureType::predicted, 1, quantiser_code(settings, PictureType::predicted));
    EXPECT_EQ(params.metric, Metric::sad);
    EXPECT_EQ(params.planes, Planes::luma);
    EXPECT_EQ(params.precision, 2);
    EXPECT_EQ(params.grid, 1);
    EXPECT_EQ(params.candidates, 3);
}

} // namespace
} // namespace tandem
