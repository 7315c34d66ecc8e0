// SPDX-License-Identifier: BSD-2-Clause
// Owners of what the CUDA runtime gives out. Each belongs to the device that was current when it was made; making one
// throws RunError when the device cannot, giving one back never throws.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <exception>
#include <memory>
#include <utility>

#include "cuda/device/check.h"
#include "cuda/device/locked_pages.h"

namespace tandem::cuda {

/// Makes this device the calling thread's.
void use_device(int ordinal);

/// While one lives, memory of the device that is freed stays with this process, and is soon allocated again. The last
/// one of a device gives it back, and leaves the device's pool as the first found it.
class KeptMemory {
  public:
    explicit KeptMemory(int ordinal);
    ~KeptMemory();
    KeptMemory(const KeptMemory&) = delete;
    KeptMemory& operator=(const KeptMemory&) = delete;

  private:
    int ordinal_;
};

class Event;

/// Work queued on it runs in order. urgent: its kernels go before those of other streams.
class Stream {
  public:
    enum class Priority { usual, urgent };
    explicit Stream(Priority priority = Priority::usual);
    cudaStream_t get() const { return handle_.get(); }
    /// What is queued from now on waits for the event.
    void wait_for(const Event& event);
    /// Waits until all that is queued is done; throws what went wrong with it.
    void synchronise();
    /// The same, for when something has gone wrong already: throws nothing.
    void drain() noexcept;

  private:
    struct Destroy {
        void operator()(cudaStream_t stream) const { static_cast<void>(cudaStreamDestroy(stream)); }
    };
    std::unique_ptr<CUstream_st, Destroy> handle_;
};

/// A stream of a device, which becomes the calling thread's.
Stream stream_on(int ordinal, Stream::Priority priority = Stream::Priority::usual);

/// Where an exception leaves its block, waits until the stream is done with the memory that is let go then. Declared
/// after that memory.
class DrainOnFailure {
  public:
    explicit DrainOnFailure(Stream& stream) : stream_(stream) {}
    ~DrainOnFailure() {
        if (std::uncaught_exceptions() > exceptions_) stream_.drain();
    }
    DrainOnFailure(const DrainOnFailure&) = delete;
    DrainOnFailure& operator=(const DrainOnFailure&) = delete;

  private:
    Stream& stream_;
    int exceptions_ = std::uncaught_exceptions();
};

/// A patient one may have been recorded by an owner before, whose work its first waiters wait for too.
class Event {
  public:
    /// timed: for elapsed_ms(). patient: a thread that waits for it sleeps instead of polling.
    enum class Kind { patient, timed };
    explicit Event(Kind kind = Kind::patient);
    cudaEvent_t get() const { return handle_.get(); }
    void record(const Stream& stream);
    void synchronise();

  private:
    struct LetGo {
        Kind kind;
        int ordinal; ///< Of the device.
        void operator()(cudaEvent_t event) const noexcept;
    };
    std::unique_ptr<CUevent_st, LetGo> handle_;
};

/// Milliseconds between two timed events that are done.
float elapsed_ms(const Event& begin, const Event& end);

/// Bytes of device memory.
class DeviceMemory {
  public:
    DeviceMemory() = default;
    explicit DeviceMemory(std::size_t bytes);
    std::size_t bytes() const { return bytes_; }
    void* data() const { return memory_.get(); }

  private:
    struct Free {
        void operator()(void* memory) const { static_cast<void>(cudaFree(memory)); }
    };
    std::unique_ptr<void, Free> memory_;
    std::size_t bytes_ = 0;
};

/// Room for elements in either kind of memory; grows, and forgets what it held when it does.
template <class Element, class Memory> class GrowingBuffer {
  public:
    Element* reserve(std::size_t count) {
        if (count * sizeof(Element) > memory_.bytes()) {
            memory_ = Memory();
            memory_ = Memory(count * sizeof(Element));
        }
        return data();
    }
    Element* data() const { return static_cast<Element*>(memory_.data()); }

  private:
    Memory memory_;
};
template <class Element> using DeviceBuffer = GrowingBuffer<Element, DeviceMemory>;
template <class Element> using PinnedBuffer = GrowingBuffer<Element, LockedPages>;

/// Queue copies between pinned host memory and the device. Rows of the same pitch go to the device with what stands
/// between them, which takes the driver half as long.
void copy_to_device(void* device, const void* host, std::size_t bytes, const Stream& stream);
void copy_rows_to_device(void* device, std::size_t device_pitch, const void* host, std::size_t host_pitch,
                         std::size_t row_bytes, std::size_t rows, const Stream& stream);
void copy_to_host(void* host, const void* device, std::size_t bytes, const Stream& stream);
void copy_rows_to_host(void* host, std::size_t host_pitch, const void* device, std::size_t device_pitch,
                       std::size_t row_bytes, std::size_t rows, const Stream& stream);

/// Queues setting each byte.
void fill(void* device, int byte, std::size_t bytes, const Stream& stream);

} // namespace tandem::cuda
