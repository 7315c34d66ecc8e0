// SPDX-License-Identifier: BSD-2-Clause
// Bjontegaard's average differences between two rate-distortion curves (ITU-T VCEG-M33, 2001).
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tandem {

struct RatePoint {
    double rate = 0;    ///< In any unit, the same for both curves; above 0.
    double quality = 0; ///< PSNR in dB, or another measure that rises with quality.
};

/// What goes through the points of a curve.
enum class CurveFit {
    pchip, ///< Monotone cubic Hermite pieces (Fritsch and Butland 1984): never overshoots. The one to trust.
    akima, ///< Akima's pieces (J. ACM 17, 1970).
    cubic, ///< One polynomial of third degree by least squares, as in VCEG-M33; may swing wildly.
};

struct AverageDifference {
    double value = 0;           ///< Per cent of rate (negative: fewer bits), or dB (positive: better).
    double low = 0, high = 0;   ///< Of the overlap: in quality for the rate, in log10(rate) for the quality.
    double overlap_percent = 0; ///< Of the range that both curves together span.
};

/// Either a difference or the reason why there is none; warnings are for the reader of either.
struct BdResult {
    std::optional<AverageDifference> difference;
    std::string refusal;
    std::vector<std::string> warnings;
};

/// At least so many points a curve.
inline constexpr int least_bd_points = 4;
/// Below this share of overlap a warning says that little is compared.
inline constexpr double little_overlap_percent = 50;

/// Average difference of rate at equal quality: 10^(mean of log10(test) - log10(anchor)) - 1. Refused: fewer than 4
/// points, points that are not finite or have no rate, two points of one quality, curves that do not overlap, a result
/// that is not finite or so far from what the points can mean that the fit has left them.
BdResult bd_rate(const std::vector<RatePoint>& anchor, const std::vector<RatePoint>& test, CurveFit fit);

/// Average difference of quality at equal rate, over log10(rate); refused for the like reasons.
BdResult bd_quality(const std::vector<RatePoint>& anchor, const std::vector<RatePoint>& test, CurveFit fit);

} // namespace tandem
