// SPDX-License-Identifier: BSD-2-Clause
// The discrete Fourier transform of square windows of real samples, by the library that the build was given:
// fourier_kissfft.cpp (KissFFT, BSD licence, the default), fourier_kissfft_class.cpp (KissFFT compiled in, with
// TANDEM_PORTABLE=ON), fourier_fftw.cpp (FFTW, only with TANDEM_FFTW=ON: its licence is the GPL, and what is linked
// with it falls under it), or fourier_none.cpp.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>

namespace tandem {

/// True where the build has a library for it.
bool has_fourier_transform();

/// Plans and scratch memory for one size; one thread at a time. Neither direction is scaled: back and forth multiplies
/// by side * side.
class FourierTransform {
  public:
    /// `side` is even. Of each row of a spectrum only frequencies 0 .. `highest` count: forward() leaves the others
    /// undefined, for inverse() they have to be 0. Throws InputError where the build has no library.
    FourierTransform(int side, int highest);
    ~FourierTransform();

    /// Coefficients of one row of a spectrum: frequencies 0 .. side / 2; the others are their conjugates. A spectrum
    /// has `side` rows, frequencies 0 .. side - 1.
    static constexpr std::size_t row_length(int side) { return static_cast<std::size_t>(side) / 2 + 1; }

    /// `samples` has side x side values, `spectrum` side x row_length().
    void forward(const float* samples, std::complex<float>* spectrum);
    /// The real samples of a spectrum, whose contents are lost.
    void inverse(std::complex<float>* spectrum, float* samples);

  private:
    struct Plan;
    std::unique_ptr<Plan> plan_;
};

} // namespace tandem
