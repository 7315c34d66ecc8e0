// SPDX-License-Identifier: BSD-2-Clause
// Costs that are measured ahead: the order in which they come, and what comes after a failure.
#include "encoder/lookahead/cost_measurer.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>

#include "machine/errors.h"

namespace tandem {
namespace {

constexpr int half_width = 48, half_height = 32,
              macroblocks = half_width / half_macroblock * (half_height / half_macroblock);
constexpr int most_b = 2, furthest = 3;

class CostMeasurerTest : public testing::Test {
  protected:
    using Search = std::promise<MotionResult>;

    HalfPicturePtr noise() {
        Frame picture(2 * half_width, 2 * half_height, 0);
        picture.plane(0).fill(128);
        const MutablePlaneView luma = picture.plane(0).view();
        for (int y = 0; y < luma.height; ++y) {
            for (int x = 0; x < luma.width; ++x)
                luma.row(y)[x] = static_cast<std::uint8_t>(random_());
        }
        return std::make_shared<const HalfPicture>(half_picture_of(picture));
    }

    /// Vectors that stay in the picture.
    MotionField field() {
        MotionField field(half_width, half_height, half_macroblock, half_macroblock, 1);
        const auto component = [&](int place, int places) {
            const int least = place == 0 ? 0 : -2, most = place == places - 1 ? 0 : 2;
            return least + static_cast<int>(random_() % static_cast<unsigned>(most - least + 1));
        };
        for (int row = 0; row < field.rows(); ++row) {
            for (int column = 0; column < field.columns(); ++column)
                field.block(column, row)[0] = {
                    mv_from_pels(component(column, field.columns()), component(row, field.rows())), 0, 0};
        }
        return field;
    }

    /// The searches of a picture with so many before it, forward ones first, whose answers are the caller's to give.
    std::vector<Search> push(CostMeasurer& measurer, const HalfPicturePtr& half, int before) {
        SearchedPicture picture{half, {}, {}};
        std::vector<Search> searches(static_cast<std::size_t>(std::min(before, furthest) + std::min(before, most_b)));
        for (std::size_t i = 0; i < searches.size(); ++i)
            (static_cast<int>(i) < std::min(before, furthest) ? picture.forward : picture.backward)
                .push_back(searches[i].get_future());
        measurer.push(std::move(picture));
        return searches;
    }

    std::mt19937 random_{3};
    Workers workers_{2};
};

// Searches that end in whatever order: pictures come in theirs, with the costs that the CPU measures of each alone.
TEST_F(CostMeasurerTest, PicturesComeInOrderWithTheirOwnCosts) {
    CostMeasurer measurer(most_b, furthest, workers_, {}, nullptr);
    std::vector<HalfPicturePtr> halves;
    std::vector<std::vector<Search>> searches;
    std::vector<std::vector<MotionField>> fields;
    for (int at = 0; at < 12; ++at) {
        halves.push_back(noise());
        searches.push_back(push(measurer, halves.back(), at));
        std::vector<MotionField>& own = fields.emplace_back();
        while (own.size() < searches.back().size())
            own.push_back(field());
    }
    for (std::size_t at = searches.size(); at-- > 0;) {
        for (std::size_t i = 0; i < searches[at].size(); ++i)
            searches[at][i].set_value({fields[at][i], {}, "", {}});
    }
    std::vector<std::vector<PredictedCostsPtr>> forward_of; // By picture.
    for (int at = 0; at < 12; ++at) {
        const auto place = static_cast<std::size_t>(at);
        const MeasuredPicture measured = measurer.next();
        CostWork work;
        Costs intra(macroblocks);
        work.intra.push_back({halves[place].get(), &intra});
        const std::size_t forward = static_cast<std::size_t>(std::min(at, furthest));
        ASSERT_EQ(measured.forward.size(), forward);
        ASSERT_EQ(measured.backward.size(), static_cast<std::size_t>(std::min(at, most_b)));
        std::deque<PredictedCosts> predicted;
        for (std::size_t i = 0; i < fields[place].size(); ++i) {
            const bool is_forward = i < forward;
            const std::size_t distance = is_forward ? i + 1 : i - forward + 1;
            const HalfPicture* const other = halves[place - distance].get();
            work.predicted.push_back({is_forward ? halves[place].get() : other,
                                      is_forward ? other : halves[place].get(), fields[place][i],
                                      &predicted.emplace_back(macroblocks)});
        }
        std::deque<Costs> both;
        for (std::size_t i = 0; i < measured.both.size(); ++i) {
            const auto [before, after, costs] = measured.both[i];
            const std::size_t between = place - static_cast<std::size_t>(after);
            work.both.push_back({halves[between].get(), halves[between - static_cast<std::size_t>(before)].get(),
                                 halves[place].get(), forward_of[between][static_cast<std::size_t>(before - 1)].get(),
                                 &predicted[forward + static_cast<std::size_t>(after - 1)],
                                 &both.emplace_back(macroblocks)});
        }
        for (int row = 0; row < half_height / half_macroblock; ++row)
            measure_row(work, row);
        EXPECT_EQ(*measured.intra, intra) << at;
        for (std::size_t i = 0; i < predicted.size(); ++i)
            EXPECT_EQ(i < forward ? *measured.forward[i] : *measured.backward[i - forward], predicted[i])
                << "search " << i << " of picture " << at;
        // Of B pictures between two others there are `most_b` at most.
        EXPECT_EQ(both.size(), at < 2 ? 0U : at == 2 ? 1U : 3U) << at;
        for (std::size_t i = 0; i < both.size(); ++i)
            EXPECT_EQ(*measured.both[i].costs, both[i]) << "mean " << i << " of picture " << at;
        forward_of.push_back(measured.forward);
    }
}

TEST_F(CostMeasurerTest, AfterASearchThatFailedEveryPictureThrowsTheSame) {
    CostMeasurer measurer(most_b, furthest, workers_, {}, nullptr);
    push(measurer, noise(), 0);
    EXPECT_EQ(measurer.next().intra->size(), static_cast<std::size_t>(macroblocks));
    for (int at = 1; at < 8; ++at) {
        std::vector<Search> searches = push(measurer, noise(), at);
        for (Search& search : searches) {
            if (at == 1)
                search.set_exception(std::make_exception_ptr(RunError("the device is lost")));
            else
                search.set_value({field(), {}, "", {}});
        }
    }
    for (int at = 1; at < 8; ++at) {
        try {
            measurer.next();
            FAIL() << "picture " << at;
        } catch (const RunError& error) {
            EXPECT_STREQ(error.what(), "the device is lost");
        }
    }
}

} // namespace
} // namespace tandem
