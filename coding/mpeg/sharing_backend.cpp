// SPDX-License-Identifier: BSD-2-Clause
// One lock guards what is known of the members; no member is called while it is held.
#include "coding/mpeg/sharing_backend.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <utility>

namespace tandem {

namespace {

using Clock = std::chrono::steady_clock;

/// How fast one member is, and what it has still to do.
class Load {
  public:
    void took_one(Clock::time_point now) {
        if (in_hand_++ == 0) busy_since_ = now;
    }
    void finished_one(Clock::time_point now) {
        const double seconds = std::chrono::duration<double>(now - busy_since_).count();
        seconds_ = seconds_ == 0 ? seconds : seconds_ + (seconds - seconds_) / memory;
        busy_since_ = now;
        --in_hand_;
    }
    /// Between two pictures that it finishes; 0: it has finished none yet.
    double seconds() const { return seconds_; }
    /// Until a picture more would be done, where each takes so long.
    double until_done(double seconds_each) const { return (in_hand_ + 1) * seconds_each; }

  private:
    static constexpr double memory = 16; ///< Pictures that the mean speed is of, roughly.
    int in_hand_ = 0;
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
    void serve_the_cpu() override {
        for (const Member& member : members_)
            member.backend->serve_the_cpu();
    }
    void code(MpegCodingJob& job, Done done) override;

  private:
    /// Who makes a reference.
    struct Maker {
        std::weak_ptr<const Reference> reference;
        std::size_t member;
    };

    std::size_t choose(const MpegCodingJob& job) const;
    std::size_t first_to_be_done() const;
    const Maker* maker_of(const ReferencePtr& reference) const;
    bool makes_references_of(std::size_t member, const MpegCodingJob& job) const;
    void remember_maker(const MpegCodingJob& job, std::size_t member);

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

bool SharingBackend::makes_references_of(std::size_t member, const MpegCodingJob& job) const {
    const auto makes = [&](const ReferencePtr& reference) {
        const Maker* maker = maker_of(reference);
        return reference == nullptr || (maker != nullptr && maker->member == member);
    };
    return makes(job.references.forward) && makes(job.references.backward);
}

void SharingBackend::remember_maker(const MpegCodingJob& job, std::size_t member) {
    std::erase_if(makers_, [](const Maker& maker) { return maker.reference.expired(); });
    if (job.made) makers_.push_back({job.made, member});
}

void SharingBackend::code(MpegCodingJob& job, Done done) {
    std::size_t chosen = 0;
    bool has_references = false;
    {
        const std::lock_guard lock(mutex_);
        chosen = choose(job);
        has_references = makes_references_of(chosen, job);
        remember_maker(job, chosen);
        members_[chosen].load.took_one(Clock::now());
    }
    MpegBackend& backend = *members_[chosen].backend;
    auto begin = [this, &backend, &job, chosen, done = std::move(done)] {
        backend.code(job, [this, chosen, done](std::exception_ptr error) {
            {
                const std::lock_guard lock(mutex_);
                members_[chosen].load.finished_one(Clock::now());
            }
            done(std::move(error));
        });
    };
    if (has_references || job.type == PictureType::intra) return begin();
    // A member that waited for them would keep what comes after them waiting, too.
    const auto when_whole = [last = last_row_](const ReferencePtr& reference, RowProgress::Body body) {
        if (reference == nullptr) return body();
        reference->samples.when_finished(last, std::move(body));
    };
    const ReferencePtr backward = job.references.backward;
    when_whole(job.references.forward,
               [when_whole, backward, begin = std::move(begin)]() mutable { when_whole(backward, std::move(begin)); });
}

} // namespace

std::unique_ptr<MpegBackend> make_sharing_backend(const MpegTools& tools,
                                                  std::vector<std::unique_ptr<MpegBackend>> backends) {
    return std::make_unique<SharingBackend>(tools, std::move(backends));
}

} // namespace tandem
