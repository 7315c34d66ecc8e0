// SPDX-License-Identifier: BSD-2-Clause
// A device that takes over from the CPU in mid-stream, and gives the stream back.
#include <gtest/gtest.h>

#include <future>

#include "coding/mpeg/device_backend.h"
#include "machine/errors.h"

namespace tandem {
namespace {

/// Puts the picture's number in coding order, or an error, where the first vector belongs.
class NumberingBackend final : public MpegBackend {
  public:
    NumberingBackend(std::vector<std::int64_t>& pictures, std::int64_t fails_at)
        : pictures_(pictures), fails_at_(fails_at) {}
    std::string name() const override { return "gpu:0 Fake"; }
    bool supports(const MpegTools& tools) const override { return tools.decision != Decision::sm3; }
    int pictures_at_once() const override { return 1; }
    void code(MpegCodingJob& job, Done done) override {
        pictures_.push_back(job.rank);
        if (job.rank == fails_at_) return done(std::make_exception_ptr(RunError("the launch was refused")));
        done(nullptr);
    }

  private:
    std::vector<std::int64_t>& pictures_;
    const std::int64_t fails_at_;
};

class DeviceBackends : public testing::Test {
  protected:
    void SetUp() override {
        tools_.columns = 2;
        tools_.rows = 2;
        tools_.codec = Codec::mpeg1;
        tools_.intra_matrix.fill(16);
        tools_.non_intra_matrix.fill(16);
    }
    /// A device that is there from the question of this number (from 0) on.
    CodingDevices device_after(int questions) {
        CodingDevices devices;
        devices.on_warning = [this](const std::string& warning) { warnings_.push_back(warning); };
        devices.make_mpeg = [this, questions](const MpegTools&) -> std::optional<std::unique_ptr<MpegBackend>> {
            if (asked_++ < questions) return std::nullopt;
            if (is_none_) return nullptr;
            return std::make_unique<NumberingBackend>(by_device_, fails_at_);
        };
        return devices;
    }
    void code(MpegBackend& backend, std::int64_t number) {
        MpegCodingJob job;
        job.rank = number;
        job.source = std::make_shared<Frame>(32, 32);
        job.reconstruction = std::make_shared<Frame>(32, 32);
        job.quality.quantiser = 4;
        job.picture.resize(2, 2);
        job.picture.slices = {{0, 4}};
        job.picture.type = PictureType::intra;
        std::promise<void> done;
        backend.code(job, [&](std::exception_ptr error) { error ? done.set_exception(error) : done.set_value(); });
        done.get_future().get();
        const bool by_cpu = (job.picture.flags[0] & mb_intra) != 0;
        if (by_cpu) by_cpu_.push_back(number);
    }

    using Pictures = std::vector<std::int64_t>;
    MpegTools tools_;
    TaskPool pool_{1};
    int asked_ = 0;
    bool is_none_ = false;
    std::int64_t fails_at_ = -1;
    std::vector<std::string> warnings_;
    Pictures by_device_, by_cpu_;
};

TEST_F(DeviceBackends, TakeOverWithTheFirstPictureAfterTheyAreThere) {
    const auto backend = make_mpeg_backend(tools_, pool_, nullptr, device_after(3));
    EXPECT_EQ(backend->name(), "cpu");
    for (int number = 0; number < 6; ++number)
        code(*backend, number);
    EXPECT_EQ(by_cpu_, (Pictures{0, 1}));
    EXPECT_EQ(by_device_, (Pictures{2, 3, 4, 5}));
    EXPECT_EQ(asked_, 4) << "once at the start, then with each picture until it is there";
    EXPECT_EQ(backend->name(), "gpu:0 Fake");
}

TEST_F(DeviceBackends, AreNotAskedAgainWhereThereIsNone) {
    is_none_ = true;
    const auto backend = make_mpeg_backend(tools_, pool_, nullptr, device_after(2));
    for (int number = 0; number < 5; ++number)
        code(*backend, number);
    EXPECT_EQ(asked_, 3);
    EXPECT_EQ(by_cpu_.size(), 5u);
}

TEST_F(DeviceBackends, DoNotTakeOverWhatTheyDoNotSupport) {
    tools_.decision = Decision::sm3;
    const auto backend = make_mpeg_backend(tools_, pool_, nullptr, device_after(1));
    for (int number = 0; number < 3; ++number)
        code(*backend, number);
    EXPECT_EQ(by_cpu_, (Pictures{0, 1, 2}));
    EXPECT_EQ(asked_, 2);
}

TEST_F(DeviceBackends, GiveTheStreamBackWhereTheyFail) {
    fails_at_ = 3;
    const auto backend = make_mpeg_backend(tools_, pool_, nullptr, device_after(2));
    for (int number = 0; number < 6; ++number)
        code(*backend, number);
    EXPECT_EQ(by_cpu_, (Pictures{0, 3, 4, 5}));
    EXPECT_EQ(by_device_, (Pictures{1, 2, 3}));
    EXPECT_EQ(warnings_,
              std::vector<std::string>{"gpu:0 Fake no longer codes pictures (the launch was refused); the CPU does"});
}

} // namespace
} // namespace tandem
