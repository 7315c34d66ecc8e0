// SPDX-License-Identifier: BSD-2-Clause
// Several block sizes in one call, against one call for each.
#include <gtest/gtest.h>

#include <random>

#include "machine/errors.h"
#include "machine/simd_level.h"
#include "me/estimator.h"
#include "me/kernels/distortion.h"
#include "me/kernels/distortion_rows.h"
#include "me/samples/resample.h"
#include "me/search/sizes.h"
#include "pictures.h"
#include "tests/me/naive/naive_search.h"

namespace tandem {
namespace {

const std::vector<BlockSize> h264_sizes{{16, 16}, {16, 8}, {8, 16}, {8, 8}, {8, 4}, {4, 8}, {4, 4}};

std::string text_of(std::span<const BlockSize> sizes) {
    std::string text;
    for (const BlockSize& size : sizes)
        text += std::to_string(size.width) + "x" + std::to_string(size.height) + " ";
    return text;
}

template <class Body> void at_every_simd_level(const Body& body) {
    const SimdLevel before = simd_level();
    for (const DistortionRowKernels* kernels : all_distortion_row_kernels()) {
        set_simd_level(kernels->level);
        SCOPED_TRACE(name_of(kernels->level));
        body();
    }
    set_simd_level(before);
}

MotionRequest of_size(const MotionRequest& request, const BlockSize& size) {
    MotionRequest one = request;
    one.params.block_width = size.width;
    one.params.block_height = size.height;
    if (request.hint) one.hint = std::make_shared<MotionField>(resample(*request.hint, size.width, size.height));
    return one;
}

void expect_as_one_by_one(const MotionRequest& request, std::span<const BlockSize> sizes, bool naive) {
    SCOPED_TRACE(text_of(sizes));
    std::vector<MotionField> expected;
    for (const BlockSize& size : sizes) {
        expected.push_back(naive ? test::naive_estimate(of_size(request, size))
                                 : make_cpu_estimator(1)->estimate(of_size(request, size)));
    }
    at_every_simd_level([&] {
        const std::vector<MotionField> found = make_cpu_estimator(2)->estimate_sizes(request, sizes);
        ASSERT_EQ(found.size(), sizes.size());
        for (std::size_t i = 0; i < sizes.size(); ++i)
            EXPECT_TRUE(found[i] == expected[i]) << sizes[i].width << "x" << sizes[i].height;
    });
}

std::vector<BlockSize> random_sizes(std::mt19937& random) {
    const std::vector<std::vector<BlockSize>> sets{h264_sizes,
                                                   {{8, 8}, {16, 16}},
                                                   {{32, 32}, {16, 16}, {32, 16}},
                                                   {{4, 4}, {128, 128}},
                                                   {{64, 32}, {32, 32}, {64, 64}},
                                                   {{12, 8}, {24, 24}},
                                                   {{16, 16}, {16, 16}},
                                                   {{16, 8}, {8, 16}}};
    return sets[random() % sets.size()];
}

TEST(Sizes, EqualThePlainSearchOfEachSize) {
    std::mt19937 random(5);
    const auto one_of = [&](std::initializer_list<int> values) { return values.begin()[random() % values.size()]; };
    for (int round = 0; round < 60 && !testing::Test::HasFailure(); ++round) {
        const auto contents = test::all_contents();
        const test::Content content = contents[random() % contents.size()];
        const int width = 1 + static_cast<int>(random() % 60), height = 1 + static_cast<int>(random() % 50);
        const test::PicturePair pair = test::make_pair(content, width, height, random());
        MotionRequest request{pair.current, pair.reference, {}, nullptr};
        SearchParams& p = request.params;
        p.range_x = one_of({0, 1, 3, 8, 15, 20});
        p.range_y = one_of({0, 1, 4, 7});
        p.metric = static_cast<Metric>(one_of({0, 0, 1, 2, 3}));
        p.boundary = static_cast<Boundary>(one_of({0, 1}));
        p.precision = one_of({1, 1, 2, 4});
        p.lambda_q8 = static_cast<std::uint32_t>(one_of({0, 0, 300, 5000, 1 << 24}));
        p.candidates = one_of({1, 1, 2, 5});
        p.null_threshold = static_cast<std::uint32_t>(one_of({0, 0, 500, 20000}));
        p.null_level = static_cast<std::uint32_t>(one_of({0, 0, 10}));
        p.null_gain = static_cast<std::uint32_t>(one_of({0, 0, 1}));
        p.predictor = static_cast<Predictor>(one_of({0, 1}));
        p.brute_force = one_of({0, 1}) != 0;
        if (random() % 2 == 0) {
            auto hint = std::make_shared<MotionField>(width, height, 8, 8, 1);
            for (Candidate& candidate : hint->all()) {
                candidate = {
                    {static_cast<std::int16_t>(random() % 200 - 100), static_cast<std::int16_t>(random() % 100 - 50)},
                    1,
                    1};
            }
            request.hint = hint;
        }
        SCOPED_TRACE(test::name_of(content) + " " + std::to_string(width) + "x" + std::to_string(height) + " round " +
                     std::to_string(round));
        expect_as_one_by_one(request, random_sizes(random), true);
    }
}

TEST(Sizes, EqualOneCallForEachOnLargerAndExtremePictures) {
    for (const test::Content content : test::all_contents()) {
        const test::PicturePair pair = test::make_pair(content, 197, 139, 9);
        MotionRequest request{pair.current, pair.reference, {}, nullptr};
        request.params.range_x = 33;
        request.params.range_y = 6;
        request.params.candidates = 3;
        SCOPED_TRACE(test::name_of(content));
        expect_as_one_by_one(request, h264_sizes, false);
        expect_as_one_by_one(request, std::vector<BlockSize>{{16, 32}, {16, 16}}, false);
        request.params.metric = Metric::ssd;
        request.params.lambda_q8 = 900;
        expect_as_one_by_one(request, std::vector<BlockSize>{{128, 128}, {32, 16}, {8, 8}}, false);
        request.params.metric = Metric::satd;
        expect_as_one_by_one(request, h264_sizes, false);
        expect_as_one_by_one(request, std::vector<BlockSize>{{64, 64}, {32, 16}, {8, 8}}, false);
    }
}

TEST(Sizes, EverySearchAndAnySizesAreAnswered) {
    const test::PicturePair pair = test::make_pair(test::Content::smooth, 70, 53, 2);
    for (const SearchRow& row : search_table()) {
        if (row.from_hint || !is_built(row)) continue;
        MotionRequest request{pair.current, pair.reference, {}, nullptr};
        request.params.algorithm = row.algorithm;
        request.params.predictor = Predictor::neighbours;
        request.params.lambda_q8 = 400;
        request.params.range_x = request.params.range_y = 5;
        expect_as_one_by_one(request, std::vector<BlockSize>{{16, 16}, {8, 8}, {11, 7}}, false);
        request.params.predictor = Predictor::zero;
        expect_as_one_by_one(request, std::vector<BlockSize>{{10, 16}, {8, 8}}, false);
    }
    EXPECT_TRUE(make_cpu_estimator(1)->estimate_sizes({pair.current, pair.reference, {}, nullptr}, {}).empty());
}

TEST(Sizes, WhatSharesDistortions) {
    SearchParams params;
    EXPECT_TRUE(sizes_share_distortions(params, h264_sizes));
    params.planes = Planes::all;
    EXPECT_FALSE(sizes_share_distortions(params, h264_sizes));
    params = {};
    params.algorithm = Algorithm::diamond;
    EXPECT_FALSE(sizes_share_distortions(params, h264_sizes));
    params = {};
    const std::vector<BlockSize> large{{32, 32}, {16, 16}};
    EXPECT_FALSE(sizes_share_distortions(params, large)) << "elimination is faster";
    params.brute_force = true;
    EXPECT_TRUE(sizes_share_distortions(params, large));
    EXPECT_FALSE(sizes_share_distortions({}, std::vector<BlockSize>{{8, 8}}));
    EXPECT_FALSE(sizes_share_distortions({}, std::vector<BlockSize>{{8, 8}, {12, 12}}));
    EXPECT_FALSE(sizes_share_distortions({}, std::vector<BlockSize>{{6, 6}, {12, 12}}));
}

TEST(Sizes, CountThePositionsOfEachBlock) {
    const test::PicturePair pair = test::make_pair(test::Content::noise, 64, 48, 2);
    MotionRequest request{pair.current, pair.reference, {}, nullptr};
    request.params.range_x = request.params.range_y = 3;
    for (const Boundary boundary : {Boundary::padded, Boundary::inside}) {
        request.params.boundary = boundary;
        const int forbidden = boundary == Boundary::inside ? 2 * 3 : 0; // To the first and the last block of a row.
        for (const MotionField& field : make_cpu_estimator(1)->estimate_sizes(request, h264_sizes)) {
            const int once_more = field.columns() * field.rows(); // Zero, at first.
            const int positions = (7 * field.columns() - forbidden) * (7 * field.rows() - forbidden);
            EXPECT_EQ(field.evaluated(), static_cast<std::uint64_t>(positions + once_more));
        }
    }
}

TEST(Sizes, RefuseBadSizesAndBands) {
    const FramePtr frame = std::make_shared<Frame>(48, 32);
    MotionRequest request{frame, frame, {}, nullptr};
    const auto estimator = make_cpu_estimator(1);
    for (const BlockSize bad : {BlockSize{0, 0}, BlockSize{3, 8}, BlockSize{8, 129}}) {
        const std::vector<BlockSize> sizes{{16, 16}, bad};
        EXPECT_THROW(estimator->estimate_sizes(request, sizes), InputError);
        request.hint = std::make_shared<MotionField>(48, 32, 16, 16, 1);
        EXPECT_THROW(estimator->estimate_sizes(request, sizes), InputError);
    }
    request.end_row = 1;
    EXPECT_THROW(estimator->estimate_sizes(request, h264_sizes), InputError);
}

/// Rows of random numbers below `most`, and each one's address.
template <class Number> struct RandomRows {
    std::vector<std::vector<Number>> rows;
    std::vector<const Number*> addresses;

    RandomRows(std::mt19937& random, int count, std::size_t size, std::uint32_t most) {
        for (int i = 0; i < count; ++i) {
            std::vector<Number>& row = rows.emplace_back(size);
            std::generate(row.begin(), row.end(), [&] { return static_cast<Number>(random() % most); });
        }
        for (const std::vector<Number>& row : rows)
            addresses.push_back(row.data());
    }
};

bool same(const auto& a, const auto& b, int count) { return std::equal(a.begin(), a.begin() + count, b.begin()); }

TEST(DistortionRows, ThereIsATableForEverySimdLevelOfTheMachine) {
    ASSERT_EQ(all_distortion_row_kernels().size(), static_cast<std::size_t>(best_simd_level()) + 1);
    for (std::size_t i = 0; i < all_distortion_row_kernels().size(); ++i)
        EXPECT_EQ(static_cast<std::size_t>(all_distortion_row_kernels()[i]->level), i);
}

TEST(DistortionRows, PositionsWithinAThresholdEqualTheScalarOnes) {
    std::mt19937 random(8);
    const DistortionRowKernels& plain = *all_distortion_row_kernels().front();
    for (int round = 0; round < 300; ++round) {
        const unsigned most = round % 10 == 0 ? 3 : 300; // Where there are few, all costs may need more than 16 bits.
        const int count = 1 + static_cast<int>(random() % most);
        const auto size = static_cast<std::size_t>(count + 32);
        const RandomRows<std::uint16_t> narrow(random, 1, size, 65536);
        const RandomRows<std::uint32_t> wide(random, 1, size, 130000);
        const RandomRows<std::uint32_t> rates(random, 1, static_cast<std::size_t>(count), 100000);
        std::vector<std::uint16_t> found(size), wanted(size);
        const std::uint32_t* const no_rates = nullptr;
        for (const DistortionRowKernels* kernels : all_distortion_row_kernels()) {
            SCOPED_TRACE(name_of(kernels->level));
            for (const std::uint32_t* rate : {no_rates, rates.addresses[0]}) {
                const std::uint32_t least = plain.least_narrow(narrow.addresses[0], rate, count);
                ASSERT_EQ(kernels->least_narrow(narrow.addresses[0], rate, count), least);
                ASSERT_GT(plain.within_narrow(narrow.addresses[0], rate, count, least, wanted.data()), 0);
                const std::uint32_t least_wide = plain.least_wide(wide.addresses[0], rate, count);
                ASSERT_EQ(kernels->least_wide(wide.addresses[0], rate, count), least_wide);
                ASSERT_GT(plain.within_wide(wide.addresses[0], rate, count, least_wide, wanted.data()), 0);
                if (least_wide > 0) {
                    ASSERT_EQ(plain.within_wide(wide.addresses[0], rate, count, least_wide - 1, wanted.data()), 0);
                }
                for (const std::uint32_t threshold : {0u, 3000u, 65534u, 65535u, 65536u, 90000u, UINT32_MAX}) {
                    const int n = plain.within_narrow(narrow.addresses[0], rate, count, threshold, wanted.data());
                    ASSERT_EQ(kernels->within_narrow(narrow.addresses[0], rate, count, threshold, found.data()), n);
                    ASSERT_TRUE(same(found, wanted, n));
                    const int m = plain.within_wide(wide.addresses[0], rate, count, threshold, wanted.data());
                    ASSERT_EQ(kernels->within_wide(wide.addresses[0], rate, count, threshold, found.data()), m);
                    ASSERT_TRUE(same(found, wanted, m));
                }
            }
        }
    }
}

TEST(DistortionRows, SumsEqualTheScalarOnes) {
    std::mt19937 random(9);
    const DistortionRowKernels& plain = *all_distortion_row_kernels().front();
    for (int round = 0; round < 300; ++round) {
        const int count = 1 + static_cast<int>(random() % 80), rows = 1 + static_cast<int>(random() % 16);
        const auto size = static_cast<std::size_t>(count + 32);
        const RandomRows<std::uint16_t> small(random, rows, size, 65536U / static_cast<unsigned>(rows));
        const RandomRows<std::uint16_t> narrow(random, rows, size, 65536);
        const RandomRows<std::uint32_t> wide(random, rows, size, 1U << 28);
        std::vector<std::uint16_t> sum(size), wanted_sum(size);
        std::vector<std::uint32_t> wide_sum(size), wanted_wide(size);
        for (const DistortionRowKernels* kernels : all_distortion_row_kernels()) {
            SCOPED_TRACE(name_of(kernels->level));
            plain.sum_narrow(small.addresses.data(), rows, count, wanted_sum.data());
            kernels->sum_narrow(small.addresses.data(), rows, count, sum.data());
            ASSERT_TRUE(same(sum, wanted_sum, count));
            plain.sum_widening(narrow.addresses.data(), rows, count, wanted_wide.data());
            kernels->sum_widening(narrow.addresses.data(), rows, count, wide_sum.data());
            ASSERT_TRUE(same(wide_sum, wanted_wide, count));
            plain.sum_wide(wide.addresses.data(), rows, count, wanted_wide.data());
            kernels->sum_wide(wide.addresses.data(), rows, count, wide_sum.data());
            ASSERT_TRUE(same(wide_sum, wanted_wide, count));
        }
    }
}

TEST(DistortionRows, ScalarSumsAreSums) {
    std::mt19937 random(10);
    const DistortionRowKernels& plain = *all_distortion_row_kernels().front();
    const RandomRows<std::uint16_t> rows(random, 3, 40, 20000);
    std::vector<std::uint16_t> sum(40);
    std::vector<std::uint32_t> wide_sum(40);
    plain.sum_narrow(rows.addresses.data(), 3, 40, sum.data());
    plain.sum_widening(rows.addresses.data(), 3, 40, wide_sum.data());
    for (std::size_t i = 0; i < sum.size(); ++i) {
        EXPECT_EQ(sum[i], rows.rows[0][i] + rows.rows[1][i] + rows.rows[2][i]);
        EXPECT_EQ(wide_sum[i], sum[i]);
    }
}

} // namespace
} // namespace tandem
