// SPDX-License-Identifier: BSD-2-Clause
// One lock guards what is known of the members; no member is called while it is held.
#include "coding/mpeg/sharing_backend.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <mutex>
#include <utility>

namespace tandem {

namespace {

using Clock = std::chrono::steady_clock;

/// How fast one member is, and what it has still to do.
class Load {
  public:
    void took_one() { ++in_hand_; }
    /// Of those that it took: the picture's references are there.
    void began_one(Clock::time_point now) {
        if (begun_++ == 0) busy_since_ = now;
    }
    void finished_one(Clock::time_point now) {
        const double seconds = std::chrono::duration<double>(now - busy_since_).count();
        seconds_ = seconds_ == 0 ? seconds : seconds_ + (seconds - seconds_) / memory;
        busy_since_ = now;
        --begun_;
        --in_hand_;
    }
    /// Between two pictures that it finishes; 0: it has finished none yet.
    double seconds() const { return seconds_; }
    /// Until a picture more would be done, where each takes so long.
    double until_done(double seconds_each) const { return (in_hand_ + 1) * seconds_each; }

  private:
    static constexpr double memory = 16; ///< Pictures that the mean speed is of, roughly.
    int in_hand_ = 0;
    int begun_ = 0; ///< Of them.
    double seconds_ = 0;
    Clock::time_point busy_since_; ///< Since it finished the last one, or began after a rest.
};

struct Member {
    std::unique_ptr<MpegBackend> backend;
    Load load;
};

class SharingBackend final : public MpegBackend {
  public:
    SharingBackend(const MpegTools& tools, std::vector<std::unique_ptr<MpegBackend>> backends)
        : last_row_(tools.rows - 1) {
        for (auto& backend : backends)
            members_.push_back({std::move(backend), {}});
    }

    std::string name() const override {
        std::string names;
        for (const Member& member : members_)
            names += (names.empty() ? "" : ", ") + member.backend->name();
        return names;
    }
    bool supports(const MpegTools& tools) const override {
        return std::ranges::all_of(members_, [&](const Member& member) { return member.backend->supports(tools); });
    }
    int pictures_at_once() const override {
        int sum = 0;
        for (const Member& member : members_)
            sum += member.backend->pictures_at_once();
        return sum;
    }
    void code(MpegCodingJob& job, Done done) override;

  private:
    /// Who makes a reference.
    struct Maker {
        std::weak_ptr<const Reference> reference;
        std::size_t member;
        std::shared_ptr<RowProgress> told; ///< Of one row: finished when the member was told of the picture.
    };
    /// What calls its body when a reference can be read.
    using Wait = std::function<void(RowProgress::Body)>;

    std::size_t choose(const MpegCodingJob& job) const;
    std::size_t first_to_be_done() const;
    const Maker* maker_of(const ReferencePtr& reference) const;
    Wait wait_for(const ReferencePtr& reference, std::size_t member) const;
    void remember_maker(const MpegCodingJob& job, const Maker& maker);

    const int last_row_;
    std::mutex mutex_; ///< Guards what follows but the members' backends.
    std::vector<Member> members_;
    std::vector<Maker> makers_;
};

const SharingBackend::Maker* SharingBackend::maker_of(const ReferencePtr& reference) const {
    const auto found =
        std::ranges::find_if(makers_, [&](const Maker& maker) { return maker.reference.lock() == reference; });
    return reference == nullptr || found == makers_.end() ? nullptr : &*found;
}

/// What one has not finished, the others are measured by who has.
std::size_t SharingBackend::first_to_be_done() const {
    double fastest = 0;
    for (const Member& member : members_) {
        const double seconds = member.load.seconds();
        if (seconds > 0 && (fastest == 0 || seconds < fastest)) fastest = seconds;
    }
    if (fastest == 0) fastest = 1;
    std::size_t first = 0;
    double least = 0;
    for (std::size_t i = 0; i < members_.size(); ++i) {
        const double seconds = members_[i].load.seconds();
        const double until = members_[i].load.until_done(seconds > 0 ? seconds : fastest);
        if (i > 0 && until >= least) continue;
        least = until;
        first = i;
    }
    return first;
}

std::size_t SharingBackend::choose(const MpegCodingJob& job) const {
    const Maker* maker = job.type == PictureType::predicted ? maker_of(job.references.forward) : nullptr;
    return maker != nullptr ? maker->member : first_to_be_done();
}

/// A member that makes it finds it when it is told of a picture behind it. Any other one is told when it is whole: one
/// that waited for it would keep what comes after it waiting, too.
SharingBackend::Wait SharingBackend::wait_for(const ReferencePtr& reference, std::size_t member) const {
    if (reference == nullptr) return [](const RowProgress::Body& body) { body(); };
    if (const Maker* maker = maker_of(reference); maker != nullptr && maker->member == member)
        return [told = maker->told](RowProgress::Body body) { told->when_finished(0, std::move(body)); };
    return
        [reference, last = last_row_](RowProgress::Body body) { reference->rows.when_finished(last, std::move(body)); };
}

void SharingBackend::remember_maker(const MpegCodingJob& job, const Maker& maker) {
    std::erase_if(makers_, [](const Maker& each) { return each.reference.expired(); });
    if (job.made) makers_.push_back(maker);
}

void SharingBackend::code(MpegCodingJob& job, Done done) {
    std::size_t chosen = 0;
    Wait forward, backward;
    const auto told = std::make_shared<RowProgress>(1);
    {
        const std::lock_guard lock(mutex_);
        chosen = choose(job);
        forward = wait_for(job.references.forward, chosen);
        backward = wait_for(job.references.backward, chosen);
        remember_maker(job, {job.made, chosen, told});
        members_[chosen].load.took_one();
    }
    MpegBackend& backend = *members_[chosen].backend;
    auto begin = [this, &backend, &job, chosen, told, done = std::move(done)] {
        {
            const std::lock_guard lock(mutex_);
            members_[chosen].load.began_one(Clock::now());
        }
        backend.code(job, [this, chosen, done](std::exception_ptr error) {
            {
                const std::lock_guard lock(mutex_);
                members_[chosen].load.finished_one(Clock::now());
            }
            done(std::move(error));
        });
        told->finish(0); // Where nothing waits for it, the encoder may be gone by now, and this backend with it.
    };
    forward([backward, begin = std::move(begin)]() mutable { backward(std::move(begin)); });
}

} // namespace

std::unique_ptr<MpegBackend> make_sharing_backend(const MpegTools& tools,
                                                  std::vector<std::unique_ptr<MpegBackend>> backends) {
    return std::make_unique<SharingBackend>(tools, std::move(backends));
}

} // namespace tandem
