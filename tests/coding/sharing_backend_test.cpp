// SPDX-License-Identifier: BSD-2-Clause
// Who gets which picture where several backends share a stream.
#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <thread>

#include "coding/mpeg/sharing_backend.h"
#include "machine/errors.h"

namespace tandem {
namespace {

/// Keeps what it gets until it is told to finish it.
class PatientBackend final : public MpegBackend {
  public:
    struct Held {
        MpegCodingJob* job;
        Done done;
    };

    explicit PatientBackend(std::string name) : name_(std::move(name)) {}
    std::string name() const override { return name_; }
    bool supports(const MpegTools& tools) const override { return tools.decision != Decision::sm3; }
    int pictures_at_once() const override { return 3; }
    void code(MpegCodingJob& job, Done done) override {
        got.push_back(job.rank);
        held.push_back({&job, std::move(done)});
    }
    void finish_one(std::exception_ptr error = nullptr) {
        const Held first = std::move(held.front());
        held.pop_front();
        if (first.job->made && !error) first.job->made->finish();
        first.done(std::move(error));
    }

    std::vector<std::int64_t> got;
    std::deque<Held> held;

  private:
    std::string name_;
};

class SharedPictures : public testing::Test {
  protected:
    using Pictures = std::vector<std::int64_t>;

    SharedPictures() {
        tools_.columns = tools_.rows = 2;
        std::vector<std::unique_ptr<MpegBackend>> backends;
        for (PatientBackend*& member : members_) {
            auto made = std::make_unique<PatientBackend>("gpu:" + std::to_string(backends.size()));
            member = made.get();
            backends.push_back(std::move(made));
        }
        shared_ = make_sharing_backend(tools_, std::move(backends));
    }
    /// The number of the picture, in coding order.
    std::size_t code(PictureType type, std::vector<std::size_t> references = {}) {
        jobs_.emplace_back();
        MpegCodingJob& job = jobs_.back();
        job.type = type;
        job.rank = static_cast<std::int64_t>(jobs_.size()) - 1;
        if (type != PictureType::bidirectional) job.made = Reference::in_the_making(std::make_shared<Frame>(32, 32));
        if (!references.empty()) job.references.forward = jobs_[references[0]].made;
        if (references.size() > 1) job.references.backward = jobs_[references[1]].made;
        shared_->code(job, [this](std::exception_ptr error) { ++(error ? failed_ : finished_); });
        return jobs_.size() - 1;
    }
    std::size_t code_intra() { return code(PictureType::intra); }

    MpegTools tools_;
    std::deque<MpegCodingJob> jobs_;
    std::array<PatientBackend*, 2> members_{};
    std::unique_ptr<MpegBackend> shared_;
    int finished_ = 0, failed_ = 0;
};

TEST_F(SharedPictures, GoByGroups) {
    const std::size_t first = code_intra(), second = code_intra();
    const std::size_t next = code(PictureType::predicted, {first});
    code(PictureType::predicted, {next});
    code(PictureType::predicted, {second});
    EXPECT_EQ(members_[0]->got, (Pictures{0, 2, 3}));
    EXPECT_EQ(members_[1]->got, (Pictures{1, 4}));
    code_intra();
    EXPECT_EQ(members_[1]->got.back(), 5) << "the one with less in hand";
}

TEST_F(SharedPictures, BPicturesGoToTheIdleOnceTheirReferencesAreThere) {
    const std::size_t intra = code_intra();
    const std::size_t predicted = code(PictureType::predicted, {intra});
    code(PictureType::bidirectional, {intra, predicted});
    EXPECT_EQ(members_[0]->got, (Pictures{0, 1}));
    EXPECT_TRUE(members_[1]->got.empty()) << "its references are not whole";
    members_[0]->finish_one();
    EXPECT_TRUE(members_[1]->got.empty()) << "one of its references is not whole";
    members_[0]->finish_one();
    EXPECT_EQ(members_[1]->got, (Pictures{2}));
    members_[1]->finish_one();
    EXPECT_EQ(finished_, 3);
}

TEST_F(SharedPictures, WaitForNothingWhereTheirReferencesAreMade) {
    const std::size_t intra = code_intra();
    for (int i = 0; i < 4; ++i) // The other one has more in hand.
        code(PictureType::predicted, {code_intra()});
    const std::size_t here = members_[0]->got.size();
    const std::size_t predicted = code(PictureType::predicted, {intra});
    EXPECT_EQ(members_[0]->got.size(), here + 1);
    EXPECT_EQ(members_[0]->got.back(), static_cast<std::int64_t>(predicted));
}

/// As the CPU makes references before a device has come. A member that was told of the later picture first would wait
/// for the earlier one, and that one for it.
TEST_F(SharedPictures, GoBehindTheirReferencesWhereTheFirstOneIsMadeElsewhere) {
    jobs_.emplace_back(); // Nobody is told of it.
    jobs_[0].made = Reference::in_the_making(std::make_shared<Frame>(32, 32));
    const std::size_t first = code(PictureType::predicted, {0});
    const std::size_t second = code(PictureType::predicted, {first});
    EXPECT_TRUE(members_[0]->got.empty() && members_[1]->got.empty());
    jobs_[0].made->finish();
    EXPECT_EQ(members_[0]->got.front(), static_cast<std::int64_t>(first));
    members_[0]->finish_one();
    EXPECT_EQ(members_[0]->got, (Pictures{1, 2}));
    const std::size_t third = code(PictureType::predicted, {second});
    EXPECT_EQ(members_[0]->got.back(), static_cast<std::int64_t>(third)) << "it waits for nothing";
}

TEST_F(SharedPictures, GoMostlyToTheFaster) {
    code_intra();
    code_intra();
    members_[0]->finish_one(); // In no time.
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    members_[1]->finish_one();
    for (int i = 0; i < 4; ++i)
        code_intra();
    EXPECT_EQ(members_[0]->got, (Pictures{0, 2, 3, 4, 5}));
}

TEST_F(SharedPictures, AreNotSlowWhileTheyWaitForReferences) {
    const std::size_t intra = code_intra();
    code(PictureType::bidirectional, {intra, code(PictureType::predicted, {intra})});
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    members_[0]->finish_one();
    members_[0]->finish_one();
    members_[1]->finish_one(); // As soon as it could be begun.
    for (int i = 0; i < 4; ++i)
        code_intra();
    EXPECT_EQ(members_[1]->got, (Pictures{2, 3, 4, 5, 6}));
}

TEST_F(SharedPictures, TellWhatWentWrong) {
    code_intra();
    members_[0]->finish_one(std::make_exception_ptr(RunError("lost")));
    EXPECT_EQ(failed_, 1);
    EXPECT_EQ(finished_, 0);
    code_intra();
    EXPECT_EQ(members_[0]->held.size() + members_[1]->held.size(), 1u);
}

TEST_F(SharedPictures, AnswerForAllMembers) {
    EXPECT_EQ(shared_->name(), "gpu:0, gpu:1");
    EXPECT_EQ(shared_->pictures_at_once(), 6);
    EXPECT_TRUE(shared_->supports(tools_));
    tools_.decision = Decision::sm3;
    EXPECT_FALSE(shared_->supports(tools_));
}

} // namespace
} // namespace tandem
