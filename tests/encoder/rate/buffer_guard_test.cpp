// SPDX-License-Identifier: BSD-2-Clause
// What the guard of a buffer makes of the pictures that the lookahead knows.
#include "encoder/rate/buffer_guard.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace tandem::test {
namespace {

constexpr int macroblocks = 396;
constexpr double wanted = 4; ///< A quantiser.

/// 25 pictures a second at 1000 kbit/s, so 40,000 bits each, and a buffer of half a second, which is full.
class GuardOfABuffer : public testing::Test {
  protected:
    /// The size that the model foresees for a P picture of this cost at the quantiser wanted is `bits`.
    double cost_of_bits(double bits) const {
        const double none = model_.bits(PictureType::predicted, 0, wanted);
        const double one = model_.bits(PictureType::predicted, 1, wanted) - none;
        return (bits - none) / one;
    }
    /// P pictures went before that took so many bits, the one at hand included.
    void remember(int pictures, double bits) {
        PictureCosts costs;
        costs.intra = costs.inter = static_cast<std::uint64_t>(cost_of_bits(bits));
        for (int i = 0; i < pictures; ++i)
            outlook_.add(PictureType::predicted, costs);
    }
    /// The picture at hand and those behind it, P pictures of so many bits.
    void foresee(const std::vector<double>& bits, bool is_to_the_end = false) {
        auto known = std::make_shared<std::vector<ForeseenPicture>>();
        for (const double each : bits)
            known->push_back({PictureType::predicted, static_cast<std::uint64_t>(cost_of_bits(each))});
        foresight_.add(predicted(bits.front()), {known, 0, is_to_the_end, true});
    }
    double bounded(double bits_at_hand) const {
        const BufferGuard guard({1'000'000, 500'000, 500'000, {25, 1}}, 31, false);
        return guard.bounded(predicted(bits_at_hand), wanted, {outlook_, outlook_, model_, foresight_});
    }
    ExpectedPicture predicted(double bits) const {
        return {PictureType::predicted, cost_of_bits(bits), PictureType::predicted};
    }

    SizeModel model_{macroblocks};
    Outlook outlook_{{250, 0, macroblocks, 25}};
    Foresight foresight_{macroblocks};
};

TEST_F(GuardOfABuffer, WhereNothingIsForeseenPicturesAreThoughtToGoOnLikeTheLast) {
    remember(20, 80'000);
    EXPECT_GT(bounded(80'000), wanted);
}

TEST_F(GuardOfABuffer, WhatIsForeseenCountsMoreThanWhatWas) {
    remember(20, 80'000);
    foresee(std::vector<double>(70, 30'000));
    EXPECT_EQ(bounded(60'000), wanted);
    foresee(std::vector<double>(70, 80'000));
    EXPECT_GT(bounded(60'000), wanted) << "dear pictures are foreseen";
}

TEST_F(GuardOfABuffer, BehindWhatIsForeseenPicturesAreThoughtToGoOnLikeTheLast) {
    remember(20, 80'000);
    foresee(std::vector<double>(5, 60'000));
    EXPECT_GT(bounded(60'000), wanted);
    foresee(std::vector<double>(5, 60'000), true);
    EXPECT_EQ(bounded(60'000), wanted) << "nothing comes behind them";
}

/// It finds a full buffer in any case.
TEST_F(GuardOfABuffer, WhatComesWhenTheBufferIsFullAgainIsNoMatter) {
    remember(20, 80'000);
    std::vector<double> bits(20, 10'000);
    bits.push_back(600'000);
    foresee(bits, true);
    EXPECT_EQ(bounded(80'000), wanted);
    bits.assign(20, 45'000);
    bits.push_back(600'000);
    foresee(bits, true);
    EXPECT_GT(bounded(80'000), wanted) << "the buffer does not fill before";
}

} // namespace
} // namespace tandem::test
