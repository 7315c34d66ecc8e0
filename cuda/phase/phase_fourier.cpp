// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/phase/phase_fourier.h"

#include <cufft.h>
#include <dlfcn.h>

#include <string>

#include "cuda/device/check.h"
#include "machine/errors.h"

namespace tandem::cuda {

namespace {

/// What is used of the library, whose interface is the same within a major version.
struct Library {
    decltype(&cufftPlanMany) plan_many = nullptr;
    decltype(&cufftSetStream) set_stream = nullptr;
    decltype(&cufftExecR2C) forward = nullptr;
    decltype(&cufftExecC2R) inverse = nullptr;
    decltype(&cufftDestroy) destroy = nullptr;
    bool complete = false;

    Library() {
        void* handle = dlopen(("libcufft.so." + std::to_string(CUFFT_VERSION / 1000)).c_str(), RTLD_NOW | RTLD_LOCAL);
        // The toolkit that the program was built with.
        if (handle == nullptr) handle = dlopen(TANDEM_CUFFT_LIBRARY, RTLD_NOW | RTLD_LOCAL);
        if (handle == nullptr) return;
        complete = find(handle, "cufftPlanMany", plan_many) && find(handle, "cufftSetStream", set_stream) &&
                   find(handle, "cufftExecR2C", forward) && find(handle, "cufftExecC2R", inverse) &&
                   find(handle, "cufftDestroy", destroy);
    }

  private:
    template <class Function> static bool find(void* handle, const char* name, Function& function) {
        function = reinterpret_cast<Function>(dlsym(handle, name));
        return function != nullptr;
    }
};

/// Loaded once and kept.
const Library& library() {
    static const Library loaded;
    return loaded;
}

void check_fourier(cufftResult result, const char* what) {
    if (result == CUFFT_SUCCESS) return;
    const std::string message = std::string(what) + ": cuFFT's error " + std::to_string(static_cast<int>(result));
    if (result == CUFFT_ALLOC_FAILED) throw OutOfMemory(message);
    throw RunError(message);
}

/// A cuFFT plan; none until it is made.
class Plan {
  public:
    Plan() = default;
    ~Plan() { reset(); }
    Plan(const Plan&) = delete;
    Plan& operator=(const Plan&) = delete;

    void make(int side, int batch, cufftType type, cudaStream_t stream) {
        reset();
        int sides[2] = {side, side};
        check_fourier(library().plan_many(&handle_, 2, sides, nullptr, 1, 0, nullptr, 1, 0, type, batch),
                      "planning Fourier transforms");
        made_ = true;
        check_fourier(library().set_stream(handle_, stream), "planning Fourier transforms");
    }
    void reset() {
        if (made_) static_cast<void>(library().destroy(handle_));
        made_ = false;
    }
    cufftHandle get() const { return handle_; }

  private:
    cufftHandle handle_ = 0;
    bool made_ = false;
};

} // namespace

struct DeviceFourier::Plans {
    Plan forward, inverse;
    int side = 0, batch = 0; ///< 0: nothing is planned.
};

bool has_device_fourier() { return library().complete; }

DeviceFourier::DeviceFourier() : plans_(std::make_unique<Plans>()) {}
DeviceFourier::~DeviceFourier() = default;

void DeviceFourier::plan(int side, int batch, cudaStream_t stream) {
    if (!has_device_fourier()) throw RunError("cuFFT was not found");
    if (plans_->side == side && plans_->batch == batch) return;
    plans_->side = 0;
    plans_->forward.make(side, 2 * batch, CUFFT_R2C, stream);
    plans_->inverse.make(side, batch, CUFFT_C2R, stream);
    plans_->side = side;
    plans_->batch = batch;
}

void DeviceFourier::forward(float* samples, float2* spectra) {
    check_fourier(library().forward(plans_->forward.get(), samples, spectra), "Fourier transforms");
}

void DeviceFourier::inverse(float2* spectra, float* samples) {
    check_fourier(library().inverse(plans_->inverse.get(), spectra, samples), "Fourier transforms");
}

} // namespace tandem::cuda
