// SPDX-License-Identifier: BSD-2-Clause
// A device that measures macroblocks in the CPU's place, fails, or is wrong.
#include "coding/costs/device_costs.h"

#include <gtest/gtest.h>

#include "machine/errors.h"
#include "tests/coding/random_cost_work.h"

namespace tandem {
namespace {

using test::RandomCosts;

struct Faults {
    bool is_none = false, fails = false, lies = false;
};

/// The CPU under another name.
class FakeMeter final : public CostMeter {
  public:
    FakeMeter(int& pieces, const Faults& faults) : pieces_(pieces), faults_(faults) {}
    std::string name() const override { return "gpu:0 Fake"; }
    void measure(const CostWork& work) override {
        ++pieces_;
        if (faults_.fails) throw RunError("the launch was refused");
        RandomCosts::measured_by_cpu(work);
        if (faults_.lies) ++(*work.intra.front().costs)[0];
    }

  private:
    int& pieces_;
    const Faults& faults_;
};

class DeviceCostsTest : public testing::Test {
  protected:
    CodingDevices device_after(int questions) {
        CodingDevices devices;
        devices.on_warning = [this](const std::string& warning) { warnings_.push_back(warning); };
        devices.make_costs = [this, questions]() -> std::optional<std::unique_ptr<CostMeter>> {
            if (asked_++ < questions) return std::nullopt;
            if (faults_.is_none) return nullptr;
            return std::make_unique<FakeMeter>(pieces_, faults_);
        };
        return devices;
    }
    /// The next piece.
    void measure(DeviceCosts& costs) {
        const CostWork work = pictures_.next();
        costs.measure(work);
        const std::vector<std::uint32_t> found = RandomCosts::measured(work);
        EXPECT_EQ(found, RandomCosts::measured_by_cpu(work));
    }

    std::mt19937 random_{5};
    RandomCosts pictures_{random_};
    Workers workers_{3};
    int asked_ = 0, pieces_ = 0;
    Faults faults_;
    std::vector<std::string> warnings_;
};

TEST_F(DeviceCostsTest, TheCpuMeasuresWhereNobodyElseDoes) {
    DeviceCosts costs(workers_, {});
    for (int i = 0; i < 3; ++i)
        measure(costs);
}

TEST_F(DeviceCostsTest, WithoutWorkNobodyIsAsked) {
    DeviceCosts costs(workers_, device_after(0));
    costs.measure({});
    EXPECT_EQ(asked_, 0);
}

TEST_F(DeviceCostsTest, ADeviceTakesOverWhenItIsThere) {
    DeviceCosts costs(workers_, device_after(2));
    for (int i = 0; i < 5; ++i)
        measure(costs);
    EXPECT_EQ(asked_, 3);
    EXPECT_EQ(pieces_, 3);
}

TEST_F(DeviceCostsTest, NoneIsNotAskedForAgain) {
    faults_.is_none = true;
    DeviceCosts costs(workers_, device_after(1));
    for (int i = 0; i < 4; ++i)
        measure(costs);
    EXPECT_EQ(asked_, 2);
}

TEST_F(DeviceCostsTest, TheCpuGoesOnWhereItFails) {
    DeviceCosts costs(workers_, device_after(0));
    measure(costs);
    faults_.fails = true;
    for (int i = 0; i < 3; ++i)
        measure(costs);
    EXPECT_EQ(pieces_, 2);
    EXPECT_EQ(warnings_, std::vector<std::string>{
                             "gpu:0 Fake no longer measures macroblocks (the launch was refused); the CPU does"});
}

TEST_F(DeviceCostsTest, AreVerified) {
    CodingDevices devices = device_after(0);
    devices.verify = true;
    DeviceCosts costs(workers_, devices);
    measure(costs);
    faults_.lies = true;
    const CostWork work = pictures_.next();
    EXPECT_THROW(costs.measure(work), RunError);
}

} // namespace
} // namespace tandem
