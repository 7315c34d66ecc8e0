// SPDX-License-Identifier: BSD-2-Clause
// The Fourier transform by KissFFT: rows of real samples, then columns of coefficients. KissFFT's own transform of
// several dimensions (kiss_fftndr_alloc of release 131.1.0) refuses some sizes.
#include "me/search/phase/fourier.h"

#include <new>
#include <vector>

#include <kiss_fft.h>
#include <kiss_fftr.h>

namespace tandem {

namespace {

struct Release {
    void operator()(void* plan) const { kiss_fft_free(plan); }
};
using Rows = std::unique_ptr<kiss_fftr_state, Release>;
using Columns = std::unique_ptr<kiss_fft_state, Release>;

template <class Plan> Plan allocated(typename Plan::pointer plan) {
    if (plan == nullptr) throw std::bad_alloc();
    return Plan(plan);
}

/// std::complex<float> is laid out as two floats, and so is kiss_fft_cpx.
kiss_fft_cpx* kiss(std::complex<float>* value) { return reinterpret_cast<kiss_fft_cpx*>(value); }

} // namespace

struct FourierTransform::Plan {
    Plan(int size, int highest)
        : side(static_cast<std::size_t>(size)), wanted(static_cast<std::size_t>(highest) + 1), column(side),
          rows(allocated<Rows>(kiss_fftr_alloc(size, 0, nullptr, nullptr))),
          rows_back(allocated<Rows>(kiss_fftr_alloc(size, 1, nullptr, nullptr))),
          columns(allocated<Columns>(kiss_fft_alloc(size, 0, nullptr, nullptr))),
          columns_back(allocated<Columns>(kiss_fft_alloc(size, 1, nullptr, nullptr))) {}

    void transform_columns(kiss_fft_cfg plan, std::complex<float>* spectrum) {
        const std::size_t length = row_length(static_cast<int>(side));
        for (std::size_t u = 0; u < wanted; ++u) {
            kiss_fft_stride(plan, kiss(spectrum + u), kiss(column.data()), static_cast<int>(length));
            for (std::size_t v = 0; v < side; ++v)
                spectrum[v * length + u] = column[v];
        }
    }

    std::size_t side, wanted; ///< The latter: columns of a spectrum.
    std::vector<std::complex<float>> column;
    Rows rows, rows_back;
    Columns columns, columns_back;
};

bool has_fourier_transform() { return true; }

FourierTransform::FourierTransform(int side, int highest) : plan_(std::make_unique<Plan>(side, highest)) {}

FourierTransform::~FourierTransform() = default;

void FourierTransform::forward(const float* samples, std::complex<float>* spectrum) {
    const std::size_t length = row_length(static_cast<int>(plan_->side));
    for (std::size_t y = 0; y < plan_->side; ++y)
        kiss_fftr(plan_->rows.get(), samples + y * plan_->side, kiss(spectrum + y * length));
    plan_->transform_columns(plan_->columns.get(), spectrum);
}

void FourierTransform::inverse(std::complex<float>* spectrum, float* samples) {
    const std::size_t length = row_length(static_cast<int>(plan_->side));
    plan_->transform_columns(plan_->columns_back.get(), spectrum);
    for (std::size_t y = 0; y < plan_->side; ++y)
        kiss_fftri(plan_->rows_back.get(), kiss(spectrum + y * length), samples + y * plan_->side);
}

} // namespace tandem
