// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "video/sources/source_kinds.h"

namespace tandem {
namespace {

/// Pictures that are flat, each in the grey of its number, at given times.
class FakeSource final : public FrameSource {
  public:
    FakeSource(Rational rate, std::vector<PictureTime> times, int pictures)
        : times_(std::move(times)), left_(pictures) {
        format_.width = format_.height = 16;
        format_.frame_rate = rate;
    }
    const VideoFormat& format() const override { return format_; }
    std::unique_ptr<Frame> read() override {
        if (given_ == left_) return nullptr;
        auto frame = std::make_unique<Frame>(16, 16);
        for (int i = 0; i < 3; ++i) {
            const MutablePlaneView plane = frame->plane(i).view();
            for (int y = 0; y < plane.height; ++y)
                std::fill_n(plane.row(y), plane.width, static_cast<std::uint8_t>(given_));
        }
        ++given_;
        return frame;
    }
    std::optional<PictureTime> last_time() const override {
        if (times_.empty()) return std::nullopt;
        return times_[static_cast<std::size_t>(given_ - 1)];
    }
    std::optional<std::int64_t> frame_count() const override { return left_; }

  private:
    VideoFormat format_;
    std::vector<PictureTime> times_;
    int left_, given_ = 0;
};

/// The numbers of the pictures that come out.
std::vector<int> resampled(Rational from, std::vector<PictureTime> times, int pictures, Rational to,
                           std::string* note = nullptr) {
    const auto source = at_constant_rate(std::make_unique<FakeSource>(from, std::move(times), pictures), to);
    EXPECT_EQ(source->format().frame_rate, to);
    std::vector<int> numbers;
    while (const auto frame = source->read()) {
        numbers.push_back(frame->luma().view().at(15, 15));
        EXPECT_EQ(frame->plane(2).view().at(7, 7), numbers.back());
    }
    EXPECT_FALSE(source->read());
    if (note != nullptr) *note = source->conversion_note();
    return numbers;
}

using Numbers = std::vector<int>;

TEST(ConstantRate, EvenPicturesStayAsTheyAre) {
    std::string note;
    EXPECT_EQ(resampled({25, 1}, {}, 4, {25, 1}, &note), (Numbers{0, 1, 2, 3}));
    EXPECT_EQ(note, "");
    // Time stamps of milliseconds.
    const std::vector<PictureTime> rounded{{0, 0.017}, {0.017, 0.016}, {0.033, 0.017}, {0.05, 0.017}};
    EXPECT_EQ(resampled({60, 1}, rounded, 4, {60, 1}, &note), (Numbers{0, 1, 2, 3}));
    EXPECT_EQ(note, "");
}

TEST(ConstantRate, TwiceTheRateRepeatsAndHalfLeavesOut) {
    std::string note;
    EXPECT_EQ(resampled({25, 1}, {}, 3, {50, 1}, &note), (Numbers{0, 0, 1, 1, 2, 2}));
    EXPECT_NE(note.find("of its 3 pictures 3 are repeated and 0 left out, to come at 50 a second"), std::string::npos)
        << note;
    EXPECT_EQ(resampled({60, 1}, {}, 8, {30, 1}, &note).size(), 4U);
    EXPECT_NE(note.find("0 are repeated and 4 left out"), std::string::npos) << note;
    EXPECT_EQ(resampled({24, 1}, {}, 24, {30, 1}).size(), 30U);
    EXPECT_EQ(resampled({30, 1}, {}, 300, {30000, 1001}).size(), 300U);
    EXPECT_EQ(resampled({117, 4}, {}, 117, {30, 1}).size(), 120U) << "four seconds stay four";
}

TEST(ConstantRate, AGapIsFilledWithThePictureBeforeIt) {
    const std::vector<PictureTime> gap{{0, 0.04}, {0.04, 0.12}, {0.16, 0.04}};
    EXPECT_EQ(resampled({25, 1}, gap, 3, {25, 1}), (Numbers{0, 1, 1, 1, 2}));
}

TEST(ConstantRate, TheLastPictureStaysAsLongAsItSays) {
    const std::vector<PictureTime> still{{0, 0.04}, {0.04, 0.2}};
    EXPECT_EQ(resampled({25, 1}, still, 2, {25, 1}), (Numbers{0, 1, 1, 1, 1, 1}));
    EXPECT_EQ(resampled({25, 1}, {{0, 1.0}}, 1, {25, 1}).size(), 25U);
}

TEST(ConstantRate, PicturesOfOnePlaceAreLeftOutAndTheFirstStays) {
    const std::vector<PictureTime> burst{{0, 0.04}, {0.001, 0.04}, {0.002, 0.04}, {0.04, 0.04}};
    EXPECT_EQ(resampled({25, 1}, burst, 4, {25, 1}), (Numbers{0, 3}));
    // Times that go back are no reason to stop.
    const std::vector<PictureTime> back{{0, 0.04}, {0.04, 0.04}, {0.01, 0.04}, {0.08, 0.04}};
    EXPECT_EQ(resampled({25, 1}, back, 4, {25, 1}), (Numbers{0, 1, 3}));
}

TEST(ConstantRate, CountsWhatWillCome) {
    const auto source = at_constant_rate(std::make_unique<FakeSource>(Rational{25, 1}, std::vector<PictureTime>{}, 10),
                                         Rational{50, 1});
    EXPECT_EQ(source->frame_count(), 20);
}

} // namespace
} // namespace tandem
