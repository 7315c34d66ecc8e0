// SPDX-License-Identifier: BSD-2-Clause
// Linked in place of cuda/: GPUs that are the CPU under another name, and that are missing, fail or lie as the
// environment says.
//   TANDEM_FAKE_GPUS=2      so many GPUs (1)
//   TANDEM_FAKE_LANES=4     searches at a time on each (1)
//   TANDEM_FAKE_WHY=...     why there is none, where there is none
//   TANDEM_FAKE_UNUSABLE=1  this one is there and cannot be used
//   TANDEM_FAKE_FAILURE=3   the search of this number (from 0) on each GPU, and all that follow, fail
//   TANDEM_FAKE_LIE=4       the search of this number finds another vector for the block in column 2, row 1
//   TANDEM_FAKE_LIE_ROW=4   or in this row
//   TANDEM_FAKE_MEETING=1   the first search of each GPU waits for the first of every other, so that all have a part
//   TANDEM_FAKE_OPENING=30  opening the GPUs takes so many milliseconds; never: it does not end
// What is static must not be destroyed while a thread opens GPUs: the process aborts then.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <latch>
#include <memory>
#include <string>
#include <thread>

#include "cuda/device/devices.h"
#include "cuda/gpu_coding_devices.h"
#include "machine/errors.h"
#include "me/estimator.h"

namespace tandem {
namespace {

int number_of(const char* variable, int otherwise) {
    const char* text = std::getenv(variable);
    return text != nullptr ? std::atoi(text) : otherwise;
}

void wait_for_opening() {
    const char* text = std::getenv("TANDEM_FAKE_OPENING");
    const bool never = text != nullptr && std::string(text) == "never";
    std::this_thread::sleep_for(never ? std::chrono::hours(24)
                                      : std::chrono::milliseconds(number_of("TANDEM_FAKE_OPENING", 0)));
}

/// Threads that open GPUs.
class Openers {
  public:
    ~Openers() {
        if (count > 0) std::abort();
    }
    std::atomic<int> count{0};
};
Openers openers;

class FakeGpu final : public Estimator {
  public:
    FakeGpu(int ordinal, std::shared_ptr<std::latch> meeting) : ordinal_(ordinal), meeting_(std::move(meeting)) {}
    std::string name() const override { return "gpu:" + std::to_string(ordinal_) + " Fake"; }
    bool supports(const SearchParams& params) const override {
        return params.validate().empty() && params.algorithm != Algorithm::hierarchical;
    }
    int concurrency() const override { return number_of("TANDEM_FAKE_LANES", 1); }
    MotionField estimate(const MotionRequest& request) override {
        const int search = searches_++;
        if (search == 0 && meeting_) meeting_->arrive_and_wait();
        const int failure = number_of("TANDEM_FAKE_FAILURE", -1);
        if (failure >= 0 && search >= failure) throw RunError("the launch was refused");
        MotionField field = make_cpu_estimator(1)->estimate(request);
        if (search == number_of("TANDEM_FAKE_LIE", -1))
            field.block(2, number_of("TANDEM_FAKE_LIE_ROW", 1))[0].mv = mv_from_pels(3, -2);
        return field;
    }

  private:
    int ordinal_;
    std::shared_ptr<std::latch> meeting_; ///< Null where nobody waits.
    std::atomic<int> searches_{0};
};

} // namespace

/// They search motion alone.
std::unique_ptr<MpegBackend> make_gpu_mpeg_backend(const MpegTools&, const std::vector<int>&) { return nullptr; }
std::unique_ptr<CostMeter> make_gpu_cost_meter(const std::vector<int>&) { return nullptr; }
std::unique_ptr<PictureFilter> make_gpu_picture_filter(const std::vector<int>&) { return nullptr; }

std::vector<std::unique_ptr<Estimator>> make_gpu_estimators(std::string* why_not, const std::vector<int>& wanted) {
    ++openers.count;
    wait_for_opening();
    --openers.count;
    std::vector<std::unique_ptr<Estimator>> gpus;
    const cuda::DeviceList list = cuda::list_devices();
    std::string reason = list.devices.empty() ? list.why_none : "";
    std::shared_ptr<std::latch> meeting; // Of all, so that all are to be wanted and usable.
    if (number_of("TANDEM_FAKE_MEETING", 0) != 0) meeting = std::make_shared<std::latch>(std::ssize(list.devices));
    for (const cuda::DeviceInfo& device : list.devices) {
        bool is_wanted = wanted.empty();
        for (const int ordinal : wanted)
            is_wanted |= ordinal == device.ordinal;
        if (!is_wanted) continue;
        const std::string why = cuda::why_unusable(device);
        if (why.empty())
            gpus.push_back(std::make_unique<FakeGpu>(device.ordinal, meeting));
        else
            reason = "gpu:" + std::to_string(device.ordinal) + " Fake: " + why;
    }
    if (why_not != nullptr) *why_not = reason;
    return gpus;
}

namespace cuda {

DeviceList list_devices() {
    DeviceList list;
    for (int ordinal = 0; ordinal < number_of("TANDEM_FAKE_GPUS", 1); ++ordinal) {
        DeviceInfo info;
        info.ordinal = ordinal;
        info.name = "Fake";
        info.memory = std::size_t{3} << 29;
        info.major = 8;
        info.minor = 6;
        list.devices.push_back(info);
    }
    list.driver_version = list.runtime_version = 13000;
    const char* why = std::getenv("TANDEM_FAKE_WHY");
    if (list.devices.empty()) list.why_none = why != nullptr ? why : "none was asked for";
    return list;
}

std::string why_unusable(const DeviceInfo& device) {
    return device.ordinal == number_of("TANDEM_FAKE_UNUSABLE", -1) ? "no code for it" : "";
}

} // namespace cuda
} // namespace tandem
