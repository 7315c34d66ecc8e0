// SPDX-License-Identifier: BSD-2-Clause
// No Fourier transform: the build found no library for it.
#include "me/search/phase/fourier.h"

#include "machine/errors.h"

namespace tandem {

struct FourierTransform::Plan {};

bool has_fourier_transform() { return false; }

FourierTransform::FourierTransform(int, int) { throw InputError("phase correlation: this build lacks KissFFT"); }

FourierTransform::~FourierTransform() = default;

void FourierTransform::forward(const float*, std::complex<float>*) {}

void FourierTransform::inverse(std::complex<float>*, float*) {}

} // namespace tandem
