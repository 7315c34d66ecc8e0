// SPDX-License-Identifier: BSD-2-Clause
// The GPU behind coding's MpegBackend.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "coding/mpeg/mpeg_backend.h"
#include "cuda/coding/picture_in_flight.h"
#include "cuda/device/devices.h"

namespace tandem::cuda {

/// One device. Pictures are queued on it in the order of their coming, each in a stream of its own, and wait there for
/// their references alone. After a failure every picture fails at once, and the host can read all references that are
/// whole (Reference::rows), so that the CPU goes on from there.
class CudaMpegBackend final : public MpegBackend {
  public:
    /// Throws RunError where the device cannot be used.
    CudaMpegBackend(const DeviceInfo& device, const MpegTools& tools);
    /// When all pictures are done.
    ~CudaMpegBackend() override;

    std::string name() const override;
    /// All.
    bool supports(const MpegTools& tools) const override;
    int pictures_at_once() const override { return most_in_flight; }
    void code(MpegCodingJob& job, Done done) override;

    /// More than a group of a dozen pictures: a chain of them, each predicted from the one before, leaves most of a
    /// device idle.
    static constexpr int most_in_flight = 16;

  private:
    struct Waiting {
        MpegCodingJob* job;
        Done done;
    };
    /// A picture under way and the thread that waits for it.
    struct Place {
        std::unique_ptr<PictureInFlight> picture; ///< Made when it is first needed.
        Waiting waiting{nullptr, nullptr};        ///< A job: its work is queued on the device.
        bool is_free = true;
        std::condition_variable queued; ///< `waiting` has a job, or no more will come.
        std::thread thread;
    };

    void issue_pictures();
    void wait_for_pictures(Place& place);
    void issue(const Waiting& waiting, Place& place);
    std::shared_ptr<DevicePicture> reference_of(const ReferencePtr& reference, Stream& stream);
    void fail(const Waiting& waiting, std::exception_ptr error);
    Place* free_place();

    const DeviceInfo device_;
    const MpegTools tools_;
    KeptMemory freed_memory_;
    std::shared_ptr<MemoryPool<DeviceMemory>> pool_ = std::make_shared<MemoryPool<DeviceMemory>>();
    PictureStore store_;
    std::unique_ptr<StreamTables> tables_; ///< Made with the first picture, by the thread that issues.

    std::mutex mutex_; ///< Guards what follows but the pictures, which belong to the thread whose turn it is.
    std::condition_variable issuable_; ///< `queue_` has a picture, a place is free, or no more will come.
    std::deque<Waiting> queue_;
    std::vector<std::unique_ptr<Place>> places_;
    bool has_failed_ = false;
    bool stops_ = false;   ///< Nothing more comes into the queue,
    bool is_over_ = false; ///< nor to a place.
    std::thread issuer_;
};

} // namespace tandem::cuda
