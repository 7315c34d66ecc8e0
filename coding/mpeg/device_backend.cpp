// SPDX-License-Identifier: BSD-2-Clause
#include "coding/mpeg/device_backend.h"

#include <atomic>
#include <utility>

#include "coding/mpeg/sharing_backend.h"
#include "coding/sample_difference.h"
#include "machine/errors.h"

namespace tandem {

namespace {

template <class Array> std::string array_difference(const char* name, const Array& cpu, const Array& device) {
    for (std::size_t i = 0; i < cpu.size(); ++i) {
        if (!(cpu[i] == device[i])) return std::string(name) + " " + std::to_string(i);
    }
    return "";
}

/// Of levels that are not zero and DCs of intra blocks: nothing else is defined.
std::string level_difference(const MpegPicture& cpu, const MpegPicture& device) {
    for (std::size_t block = 0; block < cpu.nonzero.size(); ++block) {
        const bool intra = (cpu.flags[block / 6] & mb_intra) != 0;
        const std::uint64_t defined = cpu.nonzero[block] | (intra ? 1 : 0);
        for (std::size_t position = 0; position < 64; ++position) {
            const std::size_t i = block * 64 + position;
            if ((defined >> position & 1) != 0 && cpu.levels[i] != device.levels[i])
                return "level " + std::to_string(position) + " of block " + std::to_string(block);
        }
    }
    return "";
}

/// The CPU's coding of a picture that a device has coded.
struct Repetition {
    MpegCodingJob job;

    explicit Repetition(const MpegCodingJob& of) {
        job.type = of.type;
        job.rank = of.rank;
        job.display = of.display;
        job.source = of.source;
        job.references = of.references;
        job.fields = of.fields;
        job.f_codes = of.f_codes;
        job.refinement = of.refinement;
        job.quality = of.quality;
        job.reconstruction = std::make_shared<Frame>(of.reconstruction->width(), of.reconstruction->height());
        job.made = of.made ? Reference::in_the_making(job.reconstruction) : nullptr;
        job.picture = of.picture;
    }
};

class DeviceBackend : public MpegBackend {
  public:
    DeviceBackend(const MpegTools& tools, TaskPool& pool, Trace* trace, const CodingDevices& devices)
        : tools_(tools), pool_(pool), trace_(trace), devices_(devices),
          cpu_(make_cpu_mpeg_backend(tools, pool, trace)) {
        look_for_device();
    }

    std::string name() const override { return device_ ? device_->name() : cpu_->name(); }
    bool supports(const MpegTools& tools) const override { return cpu_->supports(tools); }
    int pictures_at_once() const override {
        return by_device() ? device_->pictures_at_once() : cpu_->pictures_at_once();
    }

    void code(MpegCodingJob& job, Done done) override {
        if (may_come_) look_for_device();
        if (!by_device()) return cpu_->code(job, std::move(done));
        device_->code(job, [this, &job, done = std::move(done)](std::exception_ptr error) {
            if (error) {
                retire(error);
                cpu_->code(job, done);
            } else if (devices_.verify) {
                verify(job, done);
            } else {
                done(nullptr);
            }
        });
    }

  private:
    bool by_device() const { return device_ != nullptr && !is_retired_; }

    void look_for_device() {
        auto device = devices_.make_mpeg(tools_);
        may_come_ = !device;
        if (!device || !*device || !(*device)->supports(tools_)) return;
        device_ = *std::move(device);
        if (devices_.cpu_shares) device_ = beside_the_cpu(std::move(device_));
    }

    std::unique_ptr<MpegBackend> beside_the_cpu(std::unique_ptr<MpegBackend> device) {
        std::vector<std::unique_ptr<MpegBackend>> both;
        both.push_back(std::move(device));
        both.push_back(make_cpu_mpeg_backend(tools_, pool_, trace_));
        return make_sharing_backend(tools_, std::move(both));
    }

    void retire(const std::exception_ptr& error) {
        if (is_retired_.exchange(true)) return;
        std::string why;
        try {
            std::rethrow_exception(error);
        } catch (const std::exception& what) {
            why = what.what();
        }
        if (devices_.on_warning)
            devices_.on_warning(device_->name() + " no longer codes pictures (" + why + "); the CPU does");
    }

    void verify(const MpegCodingJob& job, const Done& done) {
        const auto again = std::make_shared<Repetition>(job);
        cpu_->code(again->job, [this, &job, again, done](std::exception_ptr error) {
            if (error) return done(error);
            const std::string difference = first_difference(again->job, job);
            if (difference.empty()) return done(nullptr);
            done(std::make_exception_ptr(RunError("--verify-gpu: picture " + std::to_string(job.display) +
                                                  " (in display order): " + device_->name() + " coded another " +
                                                  difference + " than the CPU")));
        });
    }

    const MpegTools tools_;
    TaskPool& pool_;
    Trace* const trace_;
    const CodingDevices devices_;
    const std::unique_ptr<MpegBackend> cpu_; ///< Goes after the device, whose threads may ask it.
    std::unique_ptr<MpegBackend> device_;    ///< Null: there is none, or not yet. Stays once it is there.
    bool may_come_ = true;
    std::atomic<bool> is_retired_{false};
};

} // namespace

std::string first_difference(const MpegCodingJob& cpu, const MpegCodingJob& device) {
    const MpegPicture &a = cpu.picture, &b = device.picture;
    std::string text = array_difference("forward vector", a.forward, b.forward);
    if (text.empty()) text = array_difference("backward vector", a.backward, b.backward);
    if (text.empty()) text = array_difference("flags", a.flags, b.flags);
    if (text.empty()) text = array_difference("quantiser", a.quantiser_scale_code, b.quantiser_scale_code);
    if (text.empty()) text = array_difference("mask of levels", a.nonzero, b.nonzero);
    if (text.empty()) text = array_difference("pattern", a.pattern, b.pattern);
    if (text.empty()) text = level_difference(a, b);
    if (text.empty()) text = sample_difference(*cpu.reconstruction, *device.reconstruction);
    if (text.empty() && cpu.made)
        text = array_difference("count of codings", cpu.made->coded_since_intra, device.made->coded_since_intra);
    return text;
}

std::unique_ptr<MpegBackend> make_mpeg_backend(const MpegTools& tools, TaskPool& pool, Trace* trace,
                                               const CodingDevices& devices) {
    if (!devices.make_mpeg) return make_cpu_mpeg_backend(tools, pool, trace);
    return std::make_unique<DeviceBackend>(tools, pool, trace, devices);
}

} // namespace tandem
