// SPDX-License-Identifier: BSD-2-Clause
// Measures against sums written a second time from their definitions, and against figures worked out by hand.
#include "me/fields/field_measures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "machine/errors.h"
#include "machine/workers.h"
#include "tests/me/pictures.h"

namespace tandem::test {
namespace {

Mv eighths(int x, int y) { return {static_cast<std::int16_t>(x), static_cast<std::int16_t>(y)}; }

MotionField field_of(int columns, const std::vector<Mv>& vectors) {
    const int rows = static_cast<int>(vectors.size()) / columns;
    MotionField field(columns * 16, rows * 16, 16, 16, 1);
    for (std::size_t i = 0; i < vectors.size(); ++i)
        field.all()[i] = {vectors[i], 0, 0};
    return field;
}

/// Entropy of numbers, from their counts.
double naive_entropy(const std::vector<int>& numbers) {
    std::map<int, int> counts;
    for (const int number : numbers)
        ++counts[number];
    double bits = 0;
    for (const auto& entry : counts) {
        const double p = entry.second / static_cast<double>(numbers.size());
        bits -= p * std::log2(p);
    }
    return bits;
}

TEST(FieldMeasures, OfTheDifferenceEqualNaiveSums) {
    Workers workers(3); // Of bands of 64 rows.
    for (const Content content : {Content::noise, Content::smooth, Content::black_on_white}) {
        const PicturePair pair = make_pair(content, 37, 150, 5);
        const MotionField field(37, 150, 16, 16, 1);
        const FieldMeasures measures = measure_field(field, *pair.current, *pair.reference);
        const FieldMeasures shared = measure_field(field, *pair.current, *pair.reference, &workers);
        for (std::size_t plane = 0; plane < 3; ++plane)
            EXPECT_EQ(shared.dfd[plane].counts, measures.dfd[plane].counts);
        double absolute = 0, squared = 0;
        std::vector<int> differences;
        for (int y = 0; y < 150; ++y) {
            for (int x = 0; x < 37; ++x) {
                const int d = pair.current->luma().view().at(x, y) - pair.reference->luma().view().at(x, y);
                absolute += std::abs(d);
                squared += d * d;
                differences.push_back(d);
            }
        }
        const double samples = 37 * 150;
        EXPECT_DOUBLE_EQ(measures.mse(0), squared / samples);
        EXPECT_DOUBLE_EQ(measures.psnr(0), 10 * std::log10(255 * 255 * samples / squared));
        EXPECT_DOUBLE_EQ(measures.absolute_psnr(), 20 * std::log10(255 / (absolute / samples)));
        EXPECT_DOUBLE_EQ(measures.sad_per_pel(), absolute / samples);
        EXPECT_DOUBLE_EQ(measures.sad_per_block(), absolute / 30) << "37x150 has 3x10 blocks";
        EXPECT_NEAR(measures.dfd_entropy(), naive_entropy(differences), 1e-12);
        EXPECT_EQ(measures.psnr(1), std::numeric_limits<double>::infinity()) << "the chroma planes are equal";
        EXPECT_EQ(measures.dfd[2].samples(), 19u * 75u);
    }
}

TEST(FieldMeasures, OfTheVectorsWorkedByHand) {
    const Frame picture(64, 16);
    const FieldMeasures measures = measure_field(
        field_of(4, {eighths(0, 0), eighths(24, 32), eighths(24, 32), eighths(24, -32)}), picture, picture);
    EXPECT_EQ(measures.blocks, 4);
    EXPECT_DOUBLE_EQ(measures.zero_share(), 0.25);
    EXPECT_DOUBLE_EQ(measures.mean_length(), 15.0 / 4) << "three of 5 pels";
    EXPECT_DOUBLE_EQ(measures.vector_entropy(), 1.5) << "1/4, 1/2, 1/4";
    // x: 0 24 0 0; y: 0 32 0 -64.
    EXPECT_DOUBLE_EQ(measures.vector_step_entropy(), -0.75 * std::log2(0.75) + 0.5 + 1.5);
}

TEST(FieldMeasures, TheFirstStepOfEachRowIsFromZero) {
    const Frame picture(32, 32);
    const FieldMeasures measures =
        measure_field(field_of(2, {eighths(0, 0), eighths(8, 16), eighths(8, 16), eighths(8, 16)}), picture, picture);
    // x: 0 8, then 8 0; y: 0 16, then 16 0.
    EXPECT_EQ(measures.steps[0], (std::map<int, std::int64_t>{{0, 2}, {8, 2}}));
    EXPECT_EQ(measures.steps[1], (std::map<int, std::int64_t>{{0, 2}, {16, 2}}));
    EXPECT_DOUBLE_EQ(measures.vector_step_entropy(), 2);
}

TEST(FieldMeasures, SymbolsAreWholeVectorsOfBothSigns) {
    const Frame picture(64, 16);
    const auto entropy = [&](const std::vector<Mv>& vectors) {
        return measure_field(field_of(4, vectors), picture, picture).vector_entropy();
    };
    EXPECT_DOUBLE_EQ(entropy({eighths(1, 0), eighths(0, 1), eighths(-1, 0), eighths(0, -1)}), 2);
    EXPECT_DOUBLE_EQ(entropy({eighths(-1, -1), eighths(-1, -1), eighths(-1, -1), eighths(-1, -1)}), 0);
}

TEST(FieldMeasures, AddUpToThoseOfAllTogether) {
    const PicturePair noise = make_pair(Content::noise, 64, 16, 1),
                      extreme = make_pair(Content::black_on_white, 64, 16, 2);
    FieldMeasures total =
        measure_field(field_of(4, std::vector<Mv>(4, eighths(8, 0))), *noise.current, *noise.reference);
    const double alone = total.mse(0);
    total.add(measure_field(field_of(4, std::vector<Mv>(4)), *extreme.current, *extreme.reference));
    EXPECT_EQ(total.pairs, 2);
    EXPECT_EQ(total.blocks, 8);
    EXPECT_DOUBLE_EQ(total.mse(0), (alone + 255 * 255) / 2);
    EXPECT_DOUBLE_EQ(total.vector_entropy(), 1) << "two vectors, four times each";
    EXPECT_DOUBLE_EQ(total.zero_share(), 0.5);
}

TEST(FieldMeasures, PositionsAreThoseOfRowsThatSomebodyCounted) {
    const Frame picture(64, 48);
    MotionField field(64, 48, 16, 16, 1);
    FieldMeasures all = measure_field(field, picture, picture); // A GPU's: nobody counted.
    EXPECT_TRUE(std::isnan(all.evaluated_per_block()));
    field.add_evaluated(1, 100);
    all.add(measure_field(field, picture, picture)); // One row was a CPU's.
    EXPECT_EQ(all.evaluated_per_block(), 25);
    field.add_evaluated(2, 60);
    all.add(measure_field(field, picture, picture));
    EXPECT_EQ(all.evaluated_per_block(), (100 + 100 + 60) / 12.0);
    field.add_evaluated(0, 0); // Counted, to none.
    all.add(measure_field(field, picture, picture));
    EXPECT_EQ(all.evaluated_per_block(), (100 + 2 * 160) / 24.0);
}

TEST(FieldMeasures, OfNothingAreNotNumbers) {
    const FieldMeasures nothing;
    for (const double figure :
         {nothing.psnr(0), nothing.absolute_psnr(), nothing.vector_entropy(), nothing.zero_share(),
          nothing.mean_length(), TruthErrors{}.end_point_error(), FieldDifferences{}.mean_cost()})
        EXPECT_TRUE(std::isnan(figure));
}

TEST(TruthErrors, WorkedByHand) {
    const MotionField field = field_of(4, {eighths(8, 0), eighths(24, 32), eighths(0, 0), eighths(0, 0)});
    MotionField truth = field_of(4, {eighths(0, 0), eighths(24, 32), eighths(0, 0), eighths(0, 12)});
    truth.block(2, 0)[0] = Candidate{};
    const TruthErrors errors = compare_with_truth(field, best_in_pels(truth));
    EXPECT_EQ(errors.known, 3);
    EXPECT_EQ(errors.unknown, 1);
    EXPECT_DOUBLE_EQ(errors.end_point_error(), 2.5 / 3);
    TruthErrors twice = errors;
    twice.add(errors);
    EXPECT_EQ(twice.known_share(), 0.75);
    EXPECT_DOUBLE_EQ(errors.share_within_one_pel(), 2.0 / 3);
    // (1, 0, 1) and (0, 0, 1): 45 degrees; (0, 0, 1) and (0, 1.5, 1): atan 1.5.
    EXPECT_NEAR(errors.angular_error(), (45 + std::atan(1.5) * 180 / std::numbers::pi) / 3, 1e-12);
    EXPECT_THROW(compare_with_truth(field, best_in_pels(field_of(2, std::vector<Mv>(2)))), InputError);
}

TEST(TruthErrors, OfATruthBetweenEighthsAreNotRounded) {
    const std::vector<Pels> truth{{1.03F, 0}, {2, -1}};
    const TruthErrors errors = compare_with_truth(field_of(2, {eighths(8, 0), eighths(16, 0)}), truth);
    EXPECT_NEAR(errors.end_point_error(), 1.03 / 2, 1e-6);
    EXPECT_EQ(errors.share_within_one_pel(), 1) << "1 is within 1";
    EXPECT_EQ(compare_with_truth(field_of(1, {eighths(8, 0)}), std::vector<Pels>{{2.01F, 0}}).within_one_pel, 0);
}

/// Pels that are no eighths stay what they are.
TEST(TruthErrors, OfVectorsThatAreNoFieldsAreNotRounded) {
    const float none = std::numeric_limits<float>::quiet_NaN();
    const std::vector<Pels> truth{{1, 0}, {1, 0}, {100, 0}, {1, 0}, {none, none}, {0, 0}};
    const std::vector<Pels> found{{1.03f, 0}, {1, 3.5f}, {104, 0}, {none, none}, {5, 5}, {0, 3}};
    const TruthErrors errors = compare_with_truth(found, truth);
    EXPECT_EQ(errors.known, 5);
    EXPECT_EQ(errors.compared, 4);
    EXPECT_NEAR(errors.end_point_error(), (0.03 + 3.5 + 4 + 3) / 4, 1e-6);
    EXPECT_EQ(errors.outliers, 1) << "4 pels are less than 5 % of 100, and 3 pels are none";
    EXPECT_EQ(errors.outlier_share(), 0.25);
    EXPECT_THROW(compare_with_truth(std::span(found).first(5), truth), InputError);
}

TEST(FieldMeasures, OfSamplesAreThoseOfBlocksOfOneSample) {
    const PicturePair pair = make_pair(Content::smooth, 37, 21, 5);
    std::vector<Pels> vectors(37 * 21, Pels{3, -4});
    vectors[0] = {};
    vectors[1] = {0, 0};
    const FieldMeasures measures = measure_samples(vectors, *pair.current, *pair.reference);
    EXPECT_EQ(measures.blocks, 37 * 21);
    EXPECT_EQ(measures.without_vector, 1);
    EXPECT_EQ(measures.zero_vectors, 1);
    EXPECT_DOUBLE_EQ(measures.mean_length(), 5.0 * (37 * 21 - 2) / (37 * 21 - 1));
    const FieldMeasures of_blocks = measure_field(MotionField(37, 21, 16, 16, 1), *pair.current, *pair.reference);
    EXPECT_EQ(measures.mse(0), of_blocks.mse(0));
    EXPECT_TRUE(std::isnan(measures.vector_entropy())) << "nobody codes a vector for each sample";
}

TEST(FieldMeasures, BlocksWithoutAVectorAreCountedAndInNoFigureOfVectors) {
    const Frame picture(64, 16);
    MotionField field = field_of(4, {eighths(24, 32), eighths(8, 8), eighths(24, 32), eighths(0, 0)});
    field.block(1, 0)[0] = Candidate{};
    FieldMeasures measures = measure_field(field, picture, picture);
    EXPECT_EQ(measures.blocks, 4);
    EXPECT_DOUBLE_EQ(measures.share_without_vector(), 0.25);
    EXPECT_DOUBLE_EQ(measures.zero_share(), 1.0 / 3);
    EXPECT_DOUBLE_EQ(measures.mean_length(), 10.0 / 3) << "two of 5 pels, and zero";
    EXPECT_EQ(measures.vectors.size(), 2u);
    // x: 24, from zero again 24, then -24; y: 32, 32, -32.
    EXPECT_EQ(measures.steps[0], (std::map<int, std::int64_t>{{24, 2}, {-24, 1}}));
    measures.add(measures);
    EXPECT_DOUBLE_EQ(measures.share_without_vector(), 0.25);

    const TruthErrors errors = compare_with_truth(field, std::vector<Pels>(4, Pels{0, 0}));
    EXPECT_EQ(errors.known, 4);
    EXPECT_DOUBLE_EQ(errors.end_point_error(), 10.0 / 3);
    const MotionField zero = field_of(4, std::vector<Mv>(4));
    EXPECT_EQ(compare_fields(field, zero, true).blocks, 3);
    EXPECT_EQ(compare_fields(zero, field, true).blocks, 3);
}

TEST(TruthErrors, AngleIsBarronsArcCosine) {
    std::mt19937 random(3);
    std::uniform_int_distribution<int> any(-300, 300);
    for (int i = 0; i < 200; ++i) {
        const Mv mv = eighths(any(random), any(random));
        const Mv truth = eighths(any(random), any(random));
        const double x = mv.x / 8.0, y = mv.y / 8.0, true_x = truth.x / 8.0, true_y = truth.y / 8.0;
        const double dot = x * true_x + y * true_y + 1;
        const double lengths = std::sqrt(x * x + y * y + 1) * std::sqrt(true_x * true_x + true_y * true_y + 1);
        const TruthErrors errors = compare_with_truth(field_of(1, {mv}), best_in_pels(field_of(1, {truth})));
        EXPECT_NEAR(errors.angular_error(), std::acos(std::min(1.0, dot / lengths)) * 180 / std::numbers::pi, 1e-5);
    }
}

TEST(FieldDifferences, FallIntoTheirBins) {
    const MotionField field = field_of(8, std::vector<Mv>(8));
    MotionField other = field_of(8, {eighths(0, 0), eighths(2, 0), eighths(0, -3), eighths(6, 8), eighths(16, 0),
                                     eighths(17, 0), eighths(256, 0), eighths(257, 0)});
    const std::vector<std::uint32_t> costs{0, 1, 4, 5, 16, 17, 262144, 262145};
    for (std::size_t i = 0; i < costs.size(); ++i)
        other.all()[i].cost = costs[i];
    const FieldDifferences differences = compare_fields(field, other, true);
    EXPECT_EQ(differences.lengths, (std::array<std::int64_t, 10>{1, 1, 1, 0, 2, 1, 0, 0, 1, 1}));
    EXPECT_EQ(differences.costs,
              (std::array<std::int64_t, 19>{0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 2, 1, 0, 0, 0, 0, 0, 2}));
    const FieldDifferences back = compare_fields(other, field, true);
    EXPECT_TRUE(std::equal(back.costs.begin(), back.costs.end(), differences.costs.rbegin()));
    EXPECT_DOUBLE_EQ(differences.equal_share(), 1.0 / 8);
    EXPECT_DOUBLE_EQ(differences.mean_cost(), (1 + 4 + 5 + 16 + 17 + 262144 + 262145) / 8.0);
    FieldDifferences twice = differences;
    twice.add(differences);
    EXPECT_EQ(twice.mean_cost(), differences.mean_cost());
    other.all()[7].cost = UINT32_MAX; // As a file may say.
    EXPECT_EQ(compare_fields(field, other, true).costs_known, 7);
    EXPECT_EQ(compare_fields(other, field, true).costs_known, 7);
    EXPECT_EQ(compare_fields(field, other, false).costs_known, 0);
    EXPECT_THROW(compare_fields(field, field_of(4, std::vector<Mv>(8)), true), InputError);
}

} // namespace
} // namespace tandem::test
