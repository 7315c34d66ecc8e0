// SPDX-License-Identifier: BSD-2-Clause
// PSNR and SSIM between pictures.
#pragma once

#include <array>
#include <cstdint>

#include "video/frame.h"

namespace tandem {

/// Sum of squared differences over the width x height of `a`; `b` must be at least as large (std::invalid_argument).
std::uint64_t sum_of_squared_errors(PlaneView a, PlaneView b);

/// 10 log10(255^2 samples / squared_error); infinity when the error is 0.
double psnr(std::uint64_t squared_error, std::uint64_t samples);

/// Mean SSIM (Wang et al. 2004) over overlapping 8x8 windows at every fourth sample in both directions, from (0, 0) on,
/// with unbiased variances and the constants of x264 and of FFmpeg's ssim filter, so that figures can be compared: C1 =
/// (0.01 * 255)^2 / 64 (Wang's without the 64), C2 = (0.03 * 255)^2. 1 for identical planes. The last columns and rows
/// beyond a multiple of 4 count in no window. In a direction shorter than 8 there is one window, as long as the plane.
/// The sums are integers, so the result is the same on every machine.
double ssim(PlaneView a, PlaneView b);

/// Squared errors of the three planes, added up over pictures so that PSNR is global (from the mean MSE).
///
///     SquaredErrors errors;
///     errors.add(squared_errors(source, decoded, 352, 288)); // each picture
///     const double luma = errors.psnr(0);                    // dB
struct SquaredErrors {
    std::array<std::uint64_t, 3> error{};
    std::array<std::uint64_t, 3> samples{};
    void add(const SquaredErrors& other);
    double psnr(int plane) const;
};

/// Compares the top left width x height samples (luma size) of two frames; either may be larger, neither smaller
/// (std::invalid_argument).
SquaredErrors squared_errors(const Frame& a, const Frame& b, int width, int height);

} // namespace tandem
