// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/device/check.h"

#include <atomic>
#include <string>

namespace tandem::cuda {

namespace {

std::atomic<Fault> injected_fault{Fault::none};
std::atomic<int> calls_before_fault{0};
std::atomic<bool> fault_passes{false};

} // namespace

void check(cudaError_t result, const char* what) {
    if (result == cudaSuccess) return;
    static_cast<void>(cudaGetLastError());
    const std::string message = std::string(what) + ": " + cudaGetErrorString(result);
    if (result == cudaErrorMemoryAllocation) throw OutOfMemory(message);
    throw RunError(message);
}

void check_launch(const char* what) {
    check(injected_error(Fault::launch), what);
    check(cudaGetLastError(), what);
}

void inject_fault(Fault fault, int calls) {
    injected_fault = Fault::none;
    calls_before_fault = calls;
    fault_passes = false;
    injected_fault = fault;
}

void inject_fault_once(Fault fault, int calls) {
    inject_fault(Fault::none, calls);
    fault_passes = true;
    injected_fault = fault;
}

cudaError_t injected_error(Fault kind) {
    if (injected_fault != kind) return cudaSuccess;
    if (--calls_before_fault > 0) return cudaSuccess;
    if (fault_passes) injected_fault = Fault::none;
    switch (kind) {
    case Fault::allocation:
        return cudaErrorMemoryAllocation;
    case Fault::launch:
        return cudaErrorLaunchFailure;
    case Fault::wait:
        return cudaErrorDevicesUnavailable;
    case Fault::none:
        break;
    }
    return cudaSuccess;
}

} // namespace tandem::cuda
