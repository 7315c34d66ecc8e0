// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/device/handles.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <mutex>
#include <vector>

namespace tandem::cuda {

void use_device(int ordinal) { check(cudaSetDevice(ordinal), "choosing the device"); }

Stream::Stream(Priority priority) {
    int least = 0, greatest = 0;
    check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "asking for the priorities of streams");
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, priority == Priority::urgent ? greatest : least),
          "making a stream");
    handle_.reset(stream);
}

Stream stream_on(int ordinal, Stream::Priority priority) {
    use_device(ordinal);
    return Stream(priority);
}

void Stream::wait_for(const Event& event) { check(cudaStreamWaitEvent(get(), event.get(), 0), "waiting for an event"); }

void Stream::synchronise() {
    check(injected_error(Fault::wait), "waiting for the device");
    check(cudaStreamSynchronize(get()), "waiting for the device");
}

void Stream::drain() noexcept {
    static_cast<void>(cudaStreamSynchronize(get()));
    static_cast<void>(cudaGetLastError());
}

namespace {

/// Patient events that nobody has, by device: while the driver makes or destroys one, all that other threads ask of it
/// waits. Lives as long as the process, as estimators may.
class SpareEvents {
  public:
    static SpareEvents& all() {
        static SpareEvents& only = *new SpareEvents;
        return only;
    }
    /// Null where there is none.
    cudaEvent_t take(int ordinal) {
        const std::lock_guard lock(mutex_);
        std::vector<cudaEvent_t>& spares = of_device(ordinal);
        if (spares.empty()) return nullptr;
        const cudaEvent_t event = spares.back();
        spares.pop_back();
        return event;
    }
    /// False where there are enough.
    bool keep(int ordinal, cudaEvent_t event) {
        const std::lock_guard lock(mutex_);
        std::vector<cudaEvent_t>& spares = of_device(ordinal);
        if (spares.size() == most) return false;
        spares.push_back(event);
        return true;
    }

  private:
    static constexpr std::size_t most = 256;

    /// It has its room from the start, so that giving back cannot fail.
    std::vector<cudaEvent_t>& of_device(int ordinal) {
        std::vector<cudaEvent_t>& spares = spares_[ordinal];
        spares.reserve(most);
        return spares;
    }

    std::mutex mutex_;
    std::map<int, std::vector<cudaEvent_t>> spares_;
};

} // namespace

Event::Event(Kind kind) {
    int ordinal = 0;
    check(cudaGetDevice(&ordinal), "asking for the device");
    cudaEvent_t event = kind == Kind::patient ? SpareEvents::all().take(ordinal) : nullptr;
    const unsigned flags = kind == Kind::timed ? cudaEventDefault : cudaEventDisableTiming | cudaEventBlockingSync;
    if (event == nullptr) check(cudaEventCreateWithFlags(&event, flags), "making an event");
    handle_ = std::unique_ptr<CUevent_st, LetGo>(event, LetGo{kind, ordinal});
}

void Event::LetGo::operator()(cudaEvent_t event) const noexcept {
    if (kind == Kind::patient && SpareEvents::all().keep(ordinal, event)) return;
    static_cast<void>(cudaEventDestroy(event));
}

void Event::record(const Stream& stream) { check(cudaEventRecord(get(), stream.get()), "recording an event"); }

void Event::synchronise() {
    check(injected_error(Fault::wait), "waiting for the device");
    check(cudaEventSynchronize(get()), "waiting for the device");
}

float elapsed_ms(const Event& begin, const Event& end) {
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()), "measuring time");
    return milliseconds;
}

namespace {

/// The pools of devices that keep what is freed. Lives as long as the process, as estimators may.
struct KeptPools {
    struct Pool {
        int holders = 0;
        std::uint64_t threshold = 0; ///< Before.
    };
    std::mutex mutex;
    std::map<int, Pool> of_devices;
};

KeptPools& kept_pools() {
    static KeptPools& all = *new KeptPools;
    return all;
}

/// Null where the device has none.
cudaMemPool_t pool_of(int ordinal) {
    cudaMemPool_t pool = nullptr;
    if (cudaDeviceGetDefaultMemPool(&pool, ordinal) != cudaSuccess) pool = nullptr;
    static_cast<void>(cudaGetLastError());
    return pool;
}

} // namespace

KeptMemory::KeptMemory(int ordinal) : ordinal_(ordinal) {
    const std::lock_guard lock(kept_pools().mutex);
    KeptPools::Pool& kept = kept_pools().of_devices[ordinal];
    const cudaMemPool_t pool = pool_of(ordinal);
    if (kept.holders++ > 0 || pool == nullptr) return;
    std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
    static_cast<void>(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept.threshold));
    static_cast<void>(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
    static_cast<void>(cudaGetLastError());
}

KeptMemory::~KeptMemory() {
    const std::lock_guard lock(kept_pools().mutex);
    KeptPools::Pool& kept = kept_pools().of_devices[ordinal_];
    const cudaMemPool_t pool = pool_of(ordinal_);
    if (--kept.holders > 0 || pool == nullptr) return;
    static_cast<void>(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept.threshold));
    static_cast<void>(cudaMemPoolTrimTo(pool, static_cast<std::size_t>(kept.threshold)));
    static_cast<void>(cudaGetLastError());
}

namespace {

/// From the device's pool, where it has one: many times as fast as fresh memory.
cudaError_t allocate(void** memory, std::size_t bytes) {
    cudaError_t result = cudaMallocAsync(memory, bytes, cudaStreamPerThread);
    if (result == cudaSuccess) result = cudaStreamSynchronize(cudaStreamPerThread);
    if (result != cudaErrorNotSupported) return result;
    static_cast<void>(cudaGetLastError());
    return cudaMalloc(memory, bytes);
}

} // namespace

DeviceMemory::DeviceMemory(std::size_t bytes) {
    check(injected_error(Fault::allocation), "allocating device memory");
    void* memory = nullptr;
    check(allocate(&memory, std::max<std::size_t>(bytes, 1)), "allocating device memory");
    memory_.reset(memory);
    bytes_ = bytes;
}

void copy_to_device(void* device, const void* host, std::size_t bytes, const Stream& stream) {
    check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream.get()), "copying to the device");
}

void copy_rows_to_device(void* device, std::size_t device_pitch, const void* host, std::size_t host_pitch,
                         std::size_t row_bytes, std::size_t rows, const Stream& stream) {
    if (device_pitch == host_pitch) return copy_to_device(device, host, device_pitch * (rows - 1) + row_bytes, stream);
    check(cudaMemcpy2DAsync(device, device_pitch, host, host_pitch, row_bytes, rows, cudaMemcpyHostToDevice,
                            stream.get()),
          "copying to the device");
}

void fill(void* device, int byte, std::size_t bytes, const Stream& stream) {
    check(cudaMemsetAsync(device, byte, bytes, stream.get()), "setting device memory");
}

void copy_to_host(void* host, const void* device, std::size_t bytes, const Stream& stream) {
    check(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream.get()), "copying from the device");
}

void copy_rows_to_host(void* host, std::size_t host_pitch, const void* device, std::size_t device_pitch,
                       std::size_t row_bytes, std::size_t rows, const Stream& stream) {
    if (device_pitch == row_bytes && host_pitch == row_bytes)
        return copy_to_host(host, device, row_bytes * rows, stream);
    check(cudaMemcpy2DAsync(host, host_pitch, device, device_pitch, row_bytes, rows, cudaMemcpyDeviceToHost,
                            stream.get()),
          "copying from the device");
}

} // namespace tandem::cuda
