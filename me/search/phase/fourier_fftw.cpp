// SPDX-License-Identifier: BSD-2-Clause
// The Fourier transform by FFTW. This file is under the BSD licence, FFTW under the GPL, and so is a program that has
// both: it is compiled only where a builder asks for it (TANDEM_FFTW=ON).
#include "me/search/phase/fourier.h"

#include <mutex>
#include <new>
#include <vector>

#include <fftw3.h>

namespace tandem {

namespace {

/// FFTW's planner is not thread-safe; everything but the execution of plans is done under this lock.
std::mutex planner;

} // namespace

struct FourierTransform::Plan {
    explicit Plan(int side)
        : samples(static_cast<std::size_t>(side) * static_cast<std::size_t>(side)),
          spectrum(static_cast<std::size_t>(side) * row_length(side)) {
        const std::lock_guard lock(planner);
        auto* const coefficients = reinterpret_cast<fftwf_complex*>(spectrum.data());
        // Estimated plans depend on the size alone, measured ones would depend on a clock. Unaligned: the callers'
        // arrays.
        constexpr unsigned flags = FFTW_ESTIMATE | FFTW_UNALIGNED;
        forward = fftwf_plan_dft_r2c_2d(side, side, samples.data(), coefficients, flags);
        inverse = fftwf_plan_dft_c2r_2d(side, side, coefficients, samples.data(), flags);
        if (forward == nullptr || inverse == nullptr) throw std::bad_alloc();
    }
    ~Plan() {
        const std::lock_guard lock(planner);
        fftwf_destroy_plan(forward);
        fftwf_destroy_plan(inverse);
    }
    std::vector<float> samples; ///< What the plans are made for; they run on the callers' arrays.
    std::vector<std::complex<float>> spectrum;
    fftwf_plan forward = nullptr, inverse = nullptr;
};

bool has_fourier_transform() { return true; }

FourierTransform::FourierTransform(int side, int) : plan_(std::make_unique<Plan>(side)) {}

FourierTransform::~FourierTransform() = default;

// std::complex<float> is laid out as two floats, and so is fftwf_complex. A transform from real samples keeps them.
void FourierTransform::forward(const float* samples, std::complex<float>* spectrum) {
    fftwf_execute_dft_r2c(plan_->forward, const_cast<float*>(samples), reinterpret_cast<fftwf_complex*>(spectrum));
}

void FourierTransform::inverse(std::complex<float>* spectrum, float* samples) {
    fftwf_execute_dft_c2r(plan_->inverse, reinterpret_cast<fftwf_complex*>(spectrum), samples);
}

} // namespace tandem
