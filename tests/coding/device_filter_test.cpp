// SPDX-License-Identifier: BSD-2-Clause
// A device that filters in the CPU's place, fails, or is wrong.
#include "coding/filter/device_filter.h"

#include <gtest/gtest.h>

#include <random>

#include "coding/sample_difference.h"
#include "machine/errors.h"
#include "tests/coding/random_filter_input.h"

namespace tandem {
namespace {

/// Counts pictures, and gives back the picture itself, the CPU's or an error.
class CountingFilter final : public PictureFilter {
  public:
    CountingFilter(int& pictures, int fails_at, bool is_right)
        : pictures_(pictures), fails_at_(fails_at), is_right_(is_right) {}
    std::string name() const override { return "gpu:0 Fake"; }
    FramePtr filtered(const FilterInput& input) override {
        if (pictures_++ == fails_at_) throw RunError("the launch was refused");
        if (!is_right_) return input.picture;
        Workers workers(1);
        return temporally_filtered(input, workers);
    }

  private:
    int& pictures_;
    const int fails_at_;
    const bool is_right_;
};

class DeviceFilters : public testing::Test {
  protected:
    void SetUp() override {
        std::mt19937 random(11);
        do
            input_ = test::random_filter_input(random);
        while (sample_difference(*cpu(), *input_.picture).empty());
    }
    FramePtr cpu() { return temporally_filtered(input_, workers_); }
    /// One that is there from the question of this number (from 0) on.
    CodingDevices device_after(int questions) {
        CodingDevices devices;
        devices.on_warning = [this](const std::string& warning) { warnings_.push_back(warning); };
        devices.make_filter = [this, questions]() -> std::optional<std::unique_ptr<PictureFilter>> {
            if (asked_++ < questions) return std::nullopt;
            if (is_none_) return nullptr;
            return std::make_unique<CountingFilter>(pictures_, fails_at_, is_right_);
        };
        return devices;
    }
    /// Whether each of some pictures was filtered by the device, which leaves it as it is, or by the CPU.
    std::string who_filtered(DeviceFilter& filter, int pictures) {
        std::string who;
        for (int i = 0; i < pictures; ++i) {
            const FramePtr filtered = filter.filtered(input_);
            const bool by_device = filtered == input_.picture;
            if (!by_device) {
                EXPECT_EQ(sample_difference(*filtered, *cpu()), "");
            }
            who += by_device ? 'd' : 'c';
        }
        return who;
    }

    Workers workers_{2};
    FilterInput input_;
    int asked_ = 0, pictures_ = 0, fails_at_ = -1;
    bool is_none_ = false, is_right_ = false;
    std::vector<std::string> warnings_;
};

TEST_F(DeviceFilters, TheCpuFiltersWhereNobodyElseDoes) {
    DeviceFilter filter(workers_, {});
    EXPECT_EQ(who_filtered(filter, 2), "cc");
}

TEST_F(DeviceFilters, TakeOverWhenTheyAreThere) {
    DeviceFilter filter(workers_, device_after(2));
    EXPECT_EQ(who_filtered(filter, 5), "ccddd");
    EXPECT_EQ(asked_, 3);
}

TEST_F(DeviceFilters, AreNotAskedAgainWhereThereIsNone) {
    is_none_ = true;
    DeviceFilter filter(workers_, device_after(1));
    EXPECT_EQ(who_filtered(filter, 4), "cccc");
    EXPECT_EQ(asked_, 2);
}

TEST_F(DeviceFilters, LeaveItToTheCpuWhereTheyFail) {
    fails_at_ = 1;
    DeviceFilter filter(workers_, device_after(0));
    EXPECT_EQ(who_filtered(filter, 4), "dccc");
    EXPECT_EQ(pictures_, 2);
    EXPECT_EQ(warnings_,
              std::vector<std::string>{"gpu:0 Fake no longer filters pictures (the launch was refused); the CPU does"});
}

TEST_F(DeviceFilters, AreVerified) {
    CodingDevices devices = device_after(0);
    devices.verify = true;
    is_right_ = true;
    DeviceFilter right(workers_, devices);
    EXPECT_EQ(sample_difference(*right.filtered(input_), *cpu()), "");
    is_right_ = false;
    DeviceFilter wrong(workers_, devices);
    try {
        wrong.filtered(input_);
        FAIL() << "no difference was found";
    } catch (const RunError& error) {
        EXPECT_EQ(std::string(error.what()), "--verify-gpu: gpu:0 Fake filtered a picture to another " +
                                                 sample_difference(*cpu(), *input_.picture) + " than the CPU");
    }
}

} // namespace
} // namespace tandem
