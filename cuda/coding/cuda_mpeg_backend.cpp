// SPDX-License-Identifier: BSD-2-Clause
// One thread queues pictures on the device, in the order of their coming, since a stream can wait only for an event
// that is recorded already. A thread for each place waits for the picture there and hands it on. The one lock is not
// held while CUDA or a job's `done` is called. Each of these threads sleeps by a condition of its own: thousands of
// times a second one of them has something to do, and the others need not wake.
#include "cuda/coding/cuda_mpeg_backend.h"

#include <algorithm>
#include <future>
#include <utility>

#include "machine/errors.h"

namespace tandem::cuda {

CudaMpegBackend::CudaMpegBackend(const DeviceInfo& device, const MpegTools& tools)
    : device_(device), tools_(tools), freed_memory_(device.ordinal) {
    use_device(device_.ordinal);
    for (int i = 0; i < most_in_flight; ++i)
        places_.push_back(std::make_unique<Place>());
    places_.front()->picture = std::make_unique<PictureInFlight>(tools_, pool_);
    for (const auto& place : places_)
        place->thread = std::thread([this, &place = *place] { wait_for_pictures(place); });
    issuer_ = std::thread([this] { issue_pictures(); });
}

CudaMpegBackend::~CudaMpegBackend() {
    {
        const std::lock_guard lock(mutex_);
        stops_ = true;
    }
    issuable_.notify_one();
    issuer_.join();
    {
        const std::lock_guard lock(mutex_);
        is_over_ = true;
    }
    for (const auto& place : places_)
        place->queued.notify_one();
    for (const auto& place : places_)
        place->thread.join();
}

std::string CudaMpegBackend::name() const { return name_of(device_); }

bool CudaMpegBackend::supports(const MpegTools&) const { return true; }

void CudaMpegBackend::code(MpegCodingJob& job, Done done) {
    {
        const std::lock_guard lock(mutex_);
        queue_.push_back({&job, std::move(done)});
    }
    issuable_.notify_one();
}

CudaMpegBackend::Place* CudaMpegBackend::free_place() {
    const auto found = std::ranges::find_if(places_, [](const auto& place) { return place->is_free; });
    return found == places_.end() ? nullptr : found->get();
}

void CudaMpegBackend::issue_pictures() {
    std::unique_lock lock(mutex_);
    while (true) {
        Place* place = nullptr;
        issuable_.wait(lock, [&] { return queue_.empty() ? stops_ : (place = free_place()) != nullptr; });
        if (queue_.empty()) return;
        const Waiting waiting = std::move(queue_.front());
        queue_.pop_front();
        place->is_free = false;
        lock.unlock();
        std::exception_ptr error;
        try {
            issue(waiting, *place);
        } catch (...) {
            error = std::current_exception();
        }
        if (error) fail(waiting, error);
        lock.lock();
        if (error)
            place->is_free = true;
        else
            place->waiting = waiting;
        place->queued.notify_one();
    }
}

void CudaMpegBackend::issue(const Waiting& waiting, Place& place) {
    {
        const std::lock_guard lock(mutex_);
        if (has_failed_) throw RunError(name() + " has failed before");
    }
    use_device(device_.ordinal);
    if (!place.picture) place.picture = std::make_unique<PictureInFlight>(tools_, pool_);
    PictureInFlight& picture = *place.picture;
    const MpegCodingJob& job = *waiting.job;
    if (!tables_) tables_ = std::make_unique<StreamTables>(tools_, job.picture.slices, picture.stream());
    std::array<std::shared_ptr<DevicePicture>, 2> references;
    if (job.type != PictureType::intra) references[0] = reference_of(job.references.forward, picture.stream());
    if (job.type == PictureType::bidirectional) references[1] = reference_of(job.references.backward, picture.stream());
    auto made = std::make_shared<DevicePicture>(*pool_, tools_.columns, tools_.rows);
    picture.begin(job, *tables_, references, made);
    if (job.made) store_.add(job.made, std::move(made));
}

/// One that this device has not made is uploaded when it is whole.
std::shared_ptr<DevicePicture> CudaMpegBackend::reference_of(const ReferencePtr& reference, Stream& stream) {
    if (auto found = store_.find(reference.get())) return found;
    const auto whole = std::make_shared<std::promise<void>>();
    reference->rows.when_finished(tools_.rows - 1, [whole] { whole->set_value(); });
    whole->get_future().wait();
    auto uploaded = std::make_shared<DevicePicture>(*pool_, tools_.columns, tools_.rows);
    const DrainOnFailure drain(stream);
    upload_planes(*reference->reconstruction, uploaded->planes, stream);
    uploaded->has_counts = !reference->coded_since_intra.empty();
    if (uploaded->has_counts)
        copy_to_device(uploaded->coded_since_intra, reference->coded_since_intra.data(),
                       reference->coded_since_intra.size(), stream);
    uploaded->ready.record(stream);
    stream.synchronise(); // The reference may be gone before the device has read it.
    store_.add(reference, uploaded);
    return uploaded;
}

void CudaMpegBackend::wait_for_pictures(Place& place) {
    std::unique_lock lock(mutex_);
    while (true) {
        place.queued.wait(lock, [&] { return place.waiting.job != nullptr || is_over_; });
        if (place.waiting.job == nullptr) return;
        const Waiting waiting = std::exchange(place.waiting, Waiting{nullptr, nullptr});
        lock.unlock();
        std::exception_ptr error;
        try {
            use_device(device_.ordinal);
            place.picture->finish(*waiting.job);
            if (waiting.job->made) waiting.job->made->finish();
        } catch (...) {
            error = std::current_exception();
        }
        lock.lock();
        place.is_free = true;
        lock.unlock();
        issuable_.notify_one();
        if (error)
            fail(waiting, error);
        else
            waiting.done(nullptr);
        lock.lock();
    }
}

void CudaMpegBackend::fail(const Waiting& waiting, std::exception_ptr error) {
    {
        const std::lock_guard lock(mutex_);
        has_failed_ = true;
    }
    waiting.done(std::move(error));
}

} // namespace tandem::cuda
