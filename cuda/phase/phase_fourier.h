// SPDX-License-Identifier: BSD-2-Clause
// The discrete Fourier transform of many square windows at a time, by cuFFT. The library (hundreds of megabytes) is
// looked for when it is first used, as the driver is: programs start, and do everything else, without it.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>

namespace tandem::cuda {

/// True where this build knows cuFFT and the library is there. Thread-safe.
bool has_device_fourier();

/// Transforms for one size and number of windows at a time, on one stream; one thread at a time. Neither direction is
/// scaled. All of it throws RunError where the device or the library fails.
class DeviceFourier {
  public:
    DeviceFourier();
    ~DeviceFourier();
    DeviceFourier(const DeviceFourier&) = delete;
    DeviceFourier& operator=(const DeviceFourier&) = delete;

    /// Plans, unless it is what was planned last: 2 * batch windows of side x side samples forward, `batch` back.
    void plan(int side, int batch, cudaStream_t stream);
    /// Spectra have `side` rows of the frequencies 0 .. side / 2.
    void forward(float* samples, float2* spectra);
    /// The spectra's contents are lost.
    void inverse(float2* spectra, float* samples);

  private:
    struct Plans;
    std::unique_ptr<Plans> plans_;
};

} // namespace tandem::cuda
