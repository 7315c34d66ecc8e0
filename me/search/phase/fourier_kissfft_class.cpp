// SPDX-License-Identifier: BSD-2-Clause
// The Fourier transform by KissFFT's C++ class, which is a header: for programs that must not need KissFFT's shared
// library where they run (TANDEM_PORTABLE). Rows of real samples, then columns of coefficients.
#include "me/search/phase/fourier.h"

#include <cmath>
#include <vector>

#include <kissfft.hh>

namespace tandem {

namespace {

using Coefficient = std::complex<float>;

/// e^(i pi k / half) for k = 0 .. half - 1.
std::vector<Coefficient> half_turn(std::size_t half) {
    std::vector<Coefficient> turn(half);
    for (std::size_t k = 0; k < half; ++k)
        turn[k] = Coefficient(std::polar(1.0, std::acos(-1.0) * static_cast<double>(k) / static_cast<double>(half)));
    return turn;
}

} // namespace

struct FourierTransform::Plan {
    Plan(int size, int highest)
        : side(static_cast<std::size_t>(size)), wanted(static_cast<std::size_t>(highest) + 1),
          turn(half_turn(side / 2)), halves(side / 2), column(side), rows(side / 2, false), rows_back(side / 2, true),
          columns(side, false), columns_back(side, true) {}

    void transform_columns(const kissfft<float>& plan, Coefficient* spectrum) {
        const std::size_t length = row_length(static_cast<int>(side));
        for (std::size_t u = 0; u < wanted; ++u) {
            plan.transform(spectrum + u, column.data(), 0, 1, length);
            for (std::size_t v = 0; v < side; ++v)
                spectrum[v * length + u] = column[v];
        }
    }

    /// KissFFT packs the two real coefficients, those of frequencies 0 and side / 2, into one.
    void row(const float* samples, Coefficient* coefficients) const {
        rows.transform_real(samples, coefficients);
        coefficients[side / 2] = coefficients[0].imag();
        coefficients[0] = coefficients[0].real();
    }

    /// Even samples are the real parts and odd ones the imaginary parts of a complex transform of half the length.
    void row_back(const Coefficient* coefficients, float* samples) {
        const Coefficient i(0, 1);
        for (std::size_t k = 0; k < side / 2; ++k) {
            const Coefficient far = std::conj(coefficients[side / 2 - k]);
            halves[k] = coefficients[k] + far + i * (coefficients[k] - far) * turn[k];
        }
        rows_back.transform(halves.data(), reinterpret_cast<Coefficient*>(samples));
    }

    std::size_t side, wanted; ///< The latter: columns of a spectrum.
    std::vector<Coefficient> turn, halves, column;
    kissfft<float> rows, rows_back, columns, columns_back;
};

bool has_fourier_transform() { return true; }

FourierTransform::FourierTransform(int side, int highest) : plan_(std::make_unique<Plan>(side, highest)) {}

FourierTransform::~FourierTransform() = default;

void FourierTransform::forward(const float* samples, std::complex<float>* spectrum) {
    const std::size_t length = row_length(static_cast<int>(plan_->side));
    for (std::size_t y = 0; y < plan_->side; ++y)
        plan_->row(samples + y * plan_->side, spectrum + y * length);
    plan_->transform_columns(plan_->columns, spectrum);
}

void FourierTransform::inverse(std::complex<float>* spectrum, float* samples) {
    const std::size_t length = row_length(static_cast<int>(plan_->side));
    plan_->transform_columns(plan_->columns_back, spectrum);
    for (std::size_t y = 0; y < plan_->side; ++y)
        plan_->row_back(spectrum + y * length, samples + y * plan_->side);
}

} // namespace tandem
