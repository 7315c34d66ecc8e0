// SPDX-License-Identifier: BSD-2-Clause
// Every row of the table against searches written as plain loops, at every SIMD level.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "machine/simd_level.h"
#include "me/estimator.h"
#include "me/search.h"
#include "me/search/pattern.h"
#include "pictures.h"
#include "tests/me/naive/naive_search.h"

namespace tandem {
namespace {

void expect_same_field(const MotionField& found, const MotionField& expected) {
    ASSERT_EQ(found.columns(), expected.columns());
    ASSERT_EQ(found.rows(), expected.rows());
    for (int row = 0; row < found.rows(); ++row) {
        for (int column = 0; column < found.columns(); ++column) {
            for (int k = 0; k < found.candidates(); ++k) {
                const Candidate& a = found.block(column, row)[static_cast<std::size_t>(k)];
                const Candidate& b = expected.block(column, row)[static_cast<std::size_t>(k)];
                ASSERT_EQ(a, b) << "block " << column << "," << row << " candidate " << k << ": (" << a.mv.x << ","
                                << a.mv.y << ") " << a.distortion << " " << a.cost << ", expected (" << b.mv.x << ","
                                << b.mv.y << ") " << b.distortion << " " << b.cost;
            }
        }
    }
}

class EverySimdLevel {
  public:
    EverySimdLevel() : before_(simd_level()) {}
    ~EverySimdLevel() { set_simd_level(before_); }
    template <class Body> void run(const Body& body) {
        for (const SimdLevel level : {SimdLevel::scalar, SimdLevel::avx2, SimdLevel::avx512}) {
            if (level > best_simd_level()) break;
            set_simd_level(level);
            SCOPED_TRACE(name_of(level));
            body();
        }
    }

  private:
    SimdLevel before_;
};

std::string describe(const SearchParams& p) {
    return std::string(search_row(p.algorithm).name) + " block " + std::to_string(p.block_width) + "x" +
           std::to_string(p.block_height) + " range " + std::to_string(p.range_x) + "x" + std::to_string(p.range_y) +
           " grid " + std::to_string(p.grid) + " precision " + std::to_string(p.precision) +
           (p.brute_force ? " brute" : "") + (p.planes == Planes::all ? " all planes" : "") + " interpolation " +
           std::to_string(static_cast<int>(p.interpolation)) + " metric " + std::to_string(static_cast<int>(p.metric)) +
           " boundary " + std::to_string(static_cast<int>(p.boundary)) + " predictor " +
           std::to_string(static_cast<int>(p.predictor)) + " lambda " + std::to_string(p.lambda_q8) + " unit " +
           std::to_string(p.rate_unit) + " null " + std::to_string(p.null_threshold) + "," +
           std::to_string(p.null_level) + "," + std::to_string(p.null_gain) + " K " + std::to_string(p.candidates) +
           " start " + std::to_string(static_cast<int>(p.start)) + " farthest " + std::to_string(p.farthest_x) + "," +
           std::to_string(p.farthest_y) + " first step " + std::to_string(p.first_step) + " sequence " +
           std::to_string(static_cast<int>(p.step_sequence)) + " smpuhex " + std::to_string(p.smpuhex_converged) + "," +
           std::to_string(p.smpuhex_wide) + "," + std::to_string(p.smpuhex_wide_small) + " passes " +
           std::to_string(p.passes) + " order " + std::to_string(static_cast<int>(p.block_order)) + " wide " +
           std::to_string(p.wide_range) + " levels " + std::to_string(p.levels) + "," +
           std::to_string(p.level_candidates);
}

void expect_as_naive(const MotionRequest& request) {
    SCOPED_TRACE(describe(request.params));
    const MotionField expected = test::naive_estimate(request);
    EverySimdLevel().run([&] { expect_same_field(make_cpu_estimator(1)->estimate(request), expected); });
}

/// A hint whose vectors are anything, some missing, some outside.
std::shared_ptr<const MotionField> random_hint(const MotionRequest& request, std::mt19937& random) {
    const SearchParams& p = request.params;
    auto hint = std::make_shared<MotionField>(request.current->width(), request.current->height(), p.block_width,
                                              p.block_height, 1 + static_cast<int>(random() % 2));
    for (Candidate& candidate : hint->all()) {
        const auto component = [&](int range) {
            const int reach = 8 * range + 20;
            return static_cast<std::int16_t>(static_cast<int>(random() % static_cast<unsigned>(2 * reach + 1)) - reach);
        };
        if (random() % 8 != 0) candidate = {{component(p.range_x), component(p.range_y)}, 1, 1};
    }
    return hint;
}

SearchParams random_params(Algorithm algorithm, std::mt19937& random) {
    const auto one_of = [&](std::initializer_list<int> values) { return values.begin()[random() % values.size()]; };
    SearchParams p;
    p.algorithm = algorithm;
    p.block_width = one_of({4, 8, 16, 16, 16, 32, 11, 128});
    p.block_height = one_of({4, 8, 16, 16, 16, 32, 13, 128});
    p.range_x = one_of({0, 1, 3, 7, 8, 12, 33});
    p.range_y = one_of({0, 1, 2, 7, 8});
    p.precision = one_of({1, 1, 2, 4, 8});
    if (algorithm == Algorithm::full) p.grid = std::min(p.precision, one_of({1, 1, 2, 4, 8}));
    if (p.precision <= 4) p.interpolation = static_cast<Interpolation>(one_of({0, 1}));
    p.first_step = one_of({0, 0, 1, 3, 5});
    if (search_row(algorithm).walks) p.start = static_cast<Start>(one_of({0, 1}));
    p.farthest_x = one_of({largest_range, 9, 0});
    p.farthest_y = one_of({largest_range, 5});
    p.step_sequence = static_cast<StepSequence>(one_of({0, 1}));
    p.smpuhex_converged = static_cast<std::uint32_t>(one_of({1000, 100, 4000}));
    p.smpuhex_wide = static_cast<std::uint32_t>(one_of({800, 0, 5000}));
    p.smpuhex_wide_small = static_cast<std::uint32_t>(one_of({7000, 0}));
    p.passes = one_of({1, 2, 3});
    p.block_order = static_cast<BlockOrder>(one_of({0, 0, 1}));
    p.wide_range = one_of({0, 1, 30});
    p.levels = one_of({1, 2, 3, 5}), p.level_candidates = one_of({1, 3, 8});
    p.brute_force = one_of({0, 0, 1}) != 0;
    p.eliminate_always = one_of({0, 1, 1}) != 0;
    p.metric = static_cast<Metric>(one_of({0, 0, 0, 1, 2, 3, 4}));
    p.planes = static_cast<Planes>(one_of({0, 0, 1}));
    p.boundary = static_cast<Boundary>(one_of({0, 1}));
    p.predictor = static_cast<Predictor>(one_of({0, 1, 1, 2}));
    p.lambda_q8 = static_cast<std::uint32_t>(one_of({0, 100, 256, 2000, 50000, 1 << 24}));
    p.rate_unit = one_of({1, 2, 4, 8});
    p.null_threshold = static_cast<std::uint32_t>(one_of({0, 0, 0, 700, 20000}));
    p.null_level = static_cast<std::uint32_t>(one_of({0, 0, 0, 4, 30}));
    p.null_gain = static_cast<std::uint32_t>(one_of({0, 0, 0, 1, 4}));
    p.candidates = one_of({1, 1, 2, 4, 16});
    return p;
}

class EverySearch : public testing::TestWithParam<Algorithm> {};

TEST_P(EverySearch, EqualsThePlainSearchOnRandomParameters) {
    std::mt19937 random = test::cases_of(17 + static_cast<unsigned>(GetParam()));
    for (int round = 0; round < 150 && !HasFatalFailure(); ++round) {
        const auto contents = test::all_contents();
        const test::Content content = contents[random() % contents.size()];
        const int width = test::any_side(random, 70), height = test::any_side(random, 50);
        const test::PicturePair pair = test::in_colour(test::make_pair(content, width, height, random()));
        MotionRequest request{pair.current, pair.reference, random_params(GetParam(), random), nullptr};
        if (random() % 4 != 0) request.hint = random_hint(request, random);
        if (random() % 3 == 0) {
            const int rows = (height - 1) / request.params.block_height + 1;
            request.first_row = static_cast<int>(random() % static_cast<unsigned>(rows + 1));
            request.end_row = rows;
        }
        SCOPED_TRACE(test::name_of(content) + " " + std::to_string(width) + "x" + std::to_string(height));
        expect_as_naive(request);
    }
}

TEST_P(EverySearch, EqualsThePlainSearchOnExtremePictures) {
    for (const test::Content content : test::all_contents()) {
        const test::PicturePair pair = test::in_colour(test::make_pair(content, 53, 37, 4));
        for (const Boundary boundary : {Boundary::inside, Boundary::padded}) {
            SearchParams params;
            params.algorithm = GetParam();
            params.boundary = boundary;
            params.planes = boundary == Boundary::inside ? Planes::luma : Planes::all;
            params.range_x = 20;
            params.range_y = 9;
            params.candidates = 4;
            SCOPED_TRACE(test::name_of(content));
            expect_as_naive({pair.current, pair.reference, params, nullptr});
        }
    }
}

/// Bands that a whole field is cut into have its rows, and leave the others alone.
void expect_same_bands(const MotionRequest& whole, const MotionField& expected) {
    for (const int cut : {0, 1, expected.rows() / 2, expected.rows() - 1, expected.rows()}) {
        const auto estimator = make_cpu_estimator(2);
        MotionRequest band = whole;
        band.end_row = cut;
        const MotionField top = estimator->estimate(band);
        band.first_row = cut;
        band.end_row = -1;
        const MotionField bottom = estimator->estimate(band);
        for (int row = 0; row < expected.rows(); ++row) {
            const MotionField& filled = row < cut ? top : bottom;
            const MotionField& unfilled = row < cut ? bottom : top;
            for (int column = 0; column < expected.columns(); ++column) {
                for (std::size_t k = 0; k < expected.block(column, row).size(); ++k) {
                    ASSERT_EQ(filled.block(column, row)[k], expected.block(column, row)[k]) << column << "," << row;
                    ASSERT_EQ(unfilled.block(column, row)[k], Candidate{});
                }
            }
        }
    }
}

TEST_P(EverySearch, IsTheSameForAnyNumberOfThreadsAndForBands) {
    const test::PicturePair pair = test::make_pair(test::Content::smooth, 150, 203, 4);
    SearchParams params;
    params.algorithm = GetParam();
    params.precision = 4;
    params.candidates = 3;
    params.lambda_q8 = 500;
    params.range_y = 11;
    const MotionRequest whole{pair.current, pair.reference, params, nullptr};
    const MotionField expected = make_cpu_estimator(1)->estimate(whole);
    for (const int threads : {2, 3, 7})
        expect_same_field(make_cpu_estimator(threads)->estimate(whole), expected);
    expect_same_bands(whole, expected);
}

TEST_P(EverySearch, HasTheSameBandsWhereNeighboursPredict) {
    SearchParams params;
    params.algorithm = GetParam();
    params.predictor = Predictor::neighbours;
    params.block_width = params.block_height = 8;
    params.lambda_q8 = 4000;
    for (const BlockOrder order : {BlockOrder::passes, BlockOrder::raster}) {
        for (std::uint32_t seed = 0; seed < 6; ++seed) {
            params.block_order = order;
            params.passes = 2 + static_cast<int>(seed % 3);
            const test::PicturePair pair = test::make_pair(test::Content::noise, 150, 103, seed);
            const MotionRequest whole{pair.current, pair.reference, params, nullptr};
            expect_same_bands(whole, make_cpu_estimator(1)->estimate(whole));
        }
    }
}

TEST_P(EverySearch, FindsTheFieldAgainWithAnEstimatorThatHasSeenOtherPictures) {
    const auto estimator = make_cpu_estimator(2);
    for (std::uint32_t round = 0; round < 6; ++round) {
        SearchParams params;
        params.algorithm = GetParam();
        params.boundary = round % 2 == 0 ? Boundary::padded : Boundary::inside;
        params.range_x = params.range_y = round % 3 == 0 ? 4 : 9;
        params.precision = round % 3 == 1 ? 2 : 1;
        const test::PicturePair pair = test::make_pair(test::Content::noise, 40 + static_cast<int>(round), 33, round);
        const MotionRequest request{pair.current, pair.reference, params, nullptr};
        expect_same_field(estimator->estimate(request), test::naive_estimate(request));
        expect_same_field(estimator->estimate({pair.reference, pair.current, params, nullptr}),
                          test::naive_estimate({pair.reference, pair.current, params, nullptr}));
    }
}

TEST(Walks, HavePatternsThatAGpuTriesAtOnce) {
    for (const SearchRow& row : search_table()) {
        for (const Walk* walk : {row.walk, row.halving_walk}) {
            if (walk == nullptr) continue;
            EXPECT_LE(walk->pattern.count, Walk::most_places) << row.name;
            EXPECT_LE(walk->last.count, Walk::most_places) << row.name;
        }
    }
}

/// All but phase correlation, whose floating-point transform has a test of its own.
std::vector<Algorithm> all_algorithms() {
    std::vector<Algorithm> algorithms;
    for (const SearchRow& row : search_table()) {
        if (row.algorithm != Algorithm::phase && !row.from_hint) algorithms.push_back(row.algorithm);
    }
    return algorithms;
}

INSTANTIATE_TEST_SUITE_P(Table, EverySearch, testing::ValuesIn(all_algorithms()),
                         [](const auto& test) { return std::string(search_row(test.param).name); });

TEST(FullSearch, EqualsThePlainSearchForEveryBlockSizeAndLongRanges) {
    const test::PicturePair pair = test::make_pair(test::Content::noise, 200, 140, 8);
    for (const auto& [width, height] : {std::pair{4, 4}, {16, 16}, {8, 8}, {128, 128}, {16, 8}, {5, 7}, {64, 32}}) {
        SearchParams params;
        params.block_width = width;
        params.block_height = height;
        params.range_x = 70;
        params.range_y = width > 8 ? 6 : 2;
        params.candidates = width == 16 ? 4 : 1;
        expect_as_naive({pair.current, pair.reference, params, nullptr});
    }
}

TEST(FullSearch, EliminationFindsTheSameFieldAsBruteForce) {
    std::mt19937 random(6);
    for (int round = 0; round < 12; ++round) {
        const auto contents = test::all_contents();
        const test::PicturePair pair =
            round % 2 == 0 ? test::make_pan(170, 90 + round, 5 - round, round / 3 - 2, random())
                           : test::make_pair(contents[random() % contents.size()], 170, 90 + round, random());
        SearchParams params = random_params(Algorithm::full, random);
        params.block_width = params.block_height = round % 3 == 0 ? 8 : 16;
        params.range_x = params.range_y = 24;
        params.precision = params.grid = round % 5 == 0 ? 2 : 1;
        SCOPED_TRACE(describe(params));
        EverySimdLevel().run([&] {
            params.brute_force = true;
            const MotionField brute = make_cpu_estimator(1)->estimate({pair.current, pair.reference, params, nullptr});
            params.brute_force = false;
            params.eliminate_always = true;
            expect_same_field(make_cpu_estimator(2)->estimate({pair.current, pair.reference, params, nullptr}), brute);
        });
    }
}

TEST(FullSearch, EliminationLeavesTheChoiceAmongManyEqualCosts) {
    const test::PicturePair pair = test::make_pair(test::Content::dots, 96, 72, 12);
    for (int round = 0; round < 8; ++round) {
        SearchParams params;
        params.block_width = round % 2 == 0 ? 16 : 12;
        params.block_height = round % 2 == 0 ? 16 : 24;
        params.candidates = round / 2 % 2 == 0 ? 1 : 4;
        params.lambda_q8 = round / 4 == 0 ? 0 : 40;
        params.eliminate_always = true;
        expect_as_naive({pair.current, pair.reference, params, nullptr});
    }
}

/// Where a brighter picture differs from its reference by its mean alone, the bounds by sums are met with equality: the
/// SATD is half the difference of the sums, the SSD is its square over the samples.
TEST(FullSearch, EliminationIsExactWhereItsBoundsAreMet) {
    const test::PicturePair pair = test::make_pan(96, 80, 5, -3, 12);
    const auto brighter = std::make_shared<Frame>(96, 80), darker = std::make_shared<Frame>(96, 80);
    for (int y = 0; y < 80; ++y) {
        for (int x = 0; x < 96; ++x) {
            brighter->plane(0).view().at(x, y) =
                static_cast<std::uint8_t>(60 + pair.current->luma().view().at(x, y) / 8);
            darker->plane(0).view().at(x, y) =
                static_cast<std::uint8_t>(40 + pair.reference->luma().view().at(x, y) / 8);
        }
    }
    for (const Metric metric : {Metric::sad, Metric::ssd, Metric::satd}) {
        for (const int candidates : {1, 4}) {
            SearchParams params;
            params.metric = metric;
            params.candidates = candidates;
            expect_as_naive({brighter, darker, params, nullptr});
        }
    }
}

/// A weak texture under a change of brightness: SATDs, being half of the sum of coefficients, are near the half of what
/// the cells differ by at every position, so that a tighter bound than twice the SATD loses the best.
TEST(FullSearch, EliminationBySatdFindsAWeakTextureThatGotBrighter) {
    std::mt19937 random(21);
    const auto darker = std::make_shared<Frame>(96, 80, 4);
    for (int y = 0; y < 80; ++y) {
        for (int x = 0; x < 96; ++x)
            darker->plane(0).view().at(x, y) = static_cast<std::uint8_t>(100 + random() % 4);
    }
    darker->plane(0).extend_border();
    const auto brighter = std::make_shared<Frame>(96, 80);
    for (int y = 0; y < 80; ++y) {
        for (int x = 0; x < 96; ++x)
            brighter->plane(0).view().at(x, y) = static_cast<std::uint8_t>(darker->luma().view().at(x + 3, y - 2) + 18);
    }
    SearchParams params;
    params.metric = Metric::satd;
    const MotionField found = make_cpu_estimator(1)->estimate({brighter, darker, params, nullptr});
    params.brute_force = true;
    expect_same_field(found, make_cpu_estimator(1)->estimate({brighter, darker, params, nullptr}));
    EXPECT_EQ(found.best(2, 2).mv, mv_from_pels(3, -2));
}

TEST(FullSearch, FindsTheVectorOfAPanInEveryInnerBlock) {
    const test::PicturePair pair = test::make_pan(160, 120, 13, -9, 3);
    SearchParams params;
    params.range_x = params.range_y = 15;
    const MotionField field = make_cpu_estimator(2)->estimate({pair.current, pair.reference, params, nullptr});
    for (int row = 1; row < field.rows() - 1; ++row) {
        for (int column = 1; column < field.columns() - 1; ++column) {
            EXPECT_EQ(field.best(column, row), (Candidate{mv_from_pels(13, -9), 0, 0}));
        }
    }
}

} // namespace
} // namespace tandem
