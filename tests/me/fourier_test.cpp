// SPDX-License-Identifier: BSD-2-Clause
// The Fourier transform of the build, whichever library it has, against the definition.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "me/search/phase/fourier.h"

namespace tandem {
namespace {

using Complex = std::complex<double>;

/// Even sides with each of KissFFT's radices (2, 3, 4, 5) and one beyond them.
constexpr int sides[] = {2, 4, 6, 10, 14, 16, 22, 32, 48, 60, 64};

std::vector<float> random_samples(int side) {
    std::mt19937 random(static_cast<unsigned>(side));
    std::vector<float> samples(static_cast<std::size_t>(side) * static_cast<std::size_t>(side));
    for (float& sample : samples)
        sample = static_cast<float>(random() % 256) - 128;
    return samples;
}

/// The sum over all samples of sample * e^(-2 pi i (u x + v y) / side).
Complex coefficient(const std::vector<float>& samples, int side, int u, int v) {
    Complex sum = 0;
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x)
            sum += static_cast<double>(samples[static_cast<std::size_t>(y * side + x)]) *
                   std::polar(1.0, -2 * std::acos(-1.0) * ((u * x + v * y) % side) / side);
    return sum;
}

TEST(Fourier, ForwardIsTheDefinition) {
    if (!has_fourier_transform()) GTEST_SKIP() << "built without a Fourier transform";
    for (const int side : sides) {
        const std::vector<float> samples = random_samples(side);
        const int highest = side / 4, length = static_cast<int>(FourierTransform::row_length(side));
        std::vector<std::complex<float>> spectrum(static_cast<std::size_t>(side * length), {1e9F, -1e9F});
        FourierTransform(side, highest).forward(samples.data(), spectrum.data());
        // At most 13 frequencies each way: each costs a pass over all samples.
        for (int v = 0; v < side; v += 1 + side / 13)
            for (int u = 0; u <= highest; u += 1 + side / 26) {
                const Complex found = spectrum[static_cast<std::size_t>(v * length + u)];
                EXPECT_LT(std::abs(found - coefficient(samples, side, u, v)), 1e-4 * 128 * side)
                    << "side " << side << ", frequency " << u << ", " << v;
            }
    }
}

TEST(Fourier, BackAndForthMultipliesByTheNumberOfSamples) {
    if (!has_fourier_transform()) GTEST_SKIP() << "built without a Fourier transform";
    for (const int side : sides) {
        const std::vector<float> samples = random_samples(side);
        std::vector<std::complex<float>> spectrum(static_cast<std::size_t>(side) * FourierTransform::row_length(side));
        std::vector<float> found(samples.size(), NAN);
        FourierTransform transform(side, side / 2);
        transform.forward(samples.data(), spectrum.data());
        transform.inverse(spectrum.data(), found.data());
        for (std::size_t i = 0; i < samples.size(); ++i)
            EXPECT_NEAR(found[i] / static_cast<float>(samples.size()), samples[i], 1e-2)
                << "side " << side << ", sample " << i;
    }
}

} // namespace
} // namespace tandem
