// SPDX-License-Identifier: BSD-2-Clause
// For a toolkit without cuFFT.
#include "cuda/phase/phase_fourier.h"
#include "machine/errors.h"

namespace tandem::cuda {

struct DeviceFourier::Plans {};

bool has_device_fourier() { return false; }

DeviceFourier::DeviceFourier() = default;
DeviceFourier::~DeviceFourier() = default;
void DeviceFourier::plan(int, int, cudaStream_t) { throw RunError("this build lacks cuFFT"); }
void DeviceFourier::forward(float*, float2*) { throw RunError("this build lacks cuFFT"); }
void DeviceFourier::inverse(float2*, float*) { throw RunError("this build lacks cuFFT"); }

} // namespace tandem::cuda
