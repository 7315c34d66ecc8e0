// SPDX-License-Identifier: BSD-2-Clause
// Every call of the CUDA runtime is checked here, and here a test can make one fail.
#pragma once

#include <cuda_runtime_api.h>

#include "machine/errors.h"

namespace tandem::cuda {

/// There is no memory left, on the device or page-locked.
class OutOfMemory : public RunError {
  public:
    using RunError::RunError;
};

/// Throws RunError "what: reason" unless the result is success; OutOfMemory where that is the reason. Clears the
/// runtime's last error.
void check(cudaError_t result, const char* what);
/// The same for the launch just made.
void check_launch(const char* what);

/// What a test can make fail.
enum class Fault { none, allocation, launch, wait };

/// For tests: the `calls`-th call of this kind from now on (1: the next) and all that follow fail as if the device had
/// run out of memory, refused the launch, or been lost. Fault::none ends it. Process-wide, thread-safe.
void inject_fault(Fault fault, int calls = 1);
/// The same, and the calls after that one are as ever.
void inject_fault_once(Fault fault, int calls);
/// The error that a call of this kind is to fail with now; cudaSuccess without an injected fault.
cudaError_t injected_error(Fault kind);

} // namespace tandem::cuda
