// SPDX-License-Identifier: BSD-2-Clause
#include "video/quality/bd_rate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string_view>

namespace tandem {
namespace {

/// Less overlap than this says nothing about the curves.
constexpr double least_overlap_percent = 5;
/// A fit that goes so far beyond its points, in shares of their range, does not describe them.
constexpr double most_excursion = 0.25;

/// Points by rising x, no two of one x, and the function through them.
struct Curve {
    std::vector<double> x, y;
    std::function<double(double)> value;
};

std::size_t piece_of(const std::vector<double>& x, double position) {
    const auto after = std::upper_bound(x.begin() + 1, x.end() - 1, position);
    return static_cast<std::size_t>(after - x.begin()) - 1;
}

/// Cubic Hermite pieces with the given slopes at the points.
std::function<double(double)> hermite(const std::vector<double>& x, const std::vector<double>& y,
                                      const std::vector<double>& slopes) {
    return [x, y, slopes](double position) {
        const std::size_t k = piece_of(x, position);
        const double h = x[k + 1] - x[k], t = (position - x[k]) / h, s = 1 - t;
        return s * s * ((1 + 2 * t) * y[k] + t * h * slopes[k]) +
               t * t * ((1 + 2 * s) * y[k + 1] - s * h * slopes[k + 1]);
    };
}

std::vector<double> secants_of(const std::vector<double>& x, const std::vector<double>& y) {
    std::vector<double> secants;
    for (std::size_t k = 0; k + 1 < x.size(); ++k)
        secants.push_back((y[k + 1] - y[k]) / (x[k + 1] - x[k]));
    return secants;
}

/// Three-point derivative at the end of the interval h0, limited so that the curve keeps its direction.
double end_slope(double h0, double h1, double s0, double s1) {
    const double slope = ((2 * h0 + h1) * s0 - h0 * s1) / (h0 + h1);
    if (slope * s0 <= 0) return 0;
    if (s0 * s1 < 0 && std::abs(slope) > 3 * std::abs(s0)) return 3 * s0;
    return slope;
}

/// Fritsch and Butland, SIAM J. Sci. Stat. Comput. 5(2), 1984: the weighted harmonic mean of the neighbouring secants.
std::vector<double> pchip_slopes(const std::vector<double>& x, const std::vector<double>& y) {
    const std::vector<double> s = secants_of(x, y);
    const std::size_t last = x.size() - 1;
    std::vector<double> slopes(x.size(), 0.0);
    const auto step = [&](std::size_t k) { return x[k + 1] - x[k]; };
    for (std::size_t k = 1; k < last; ++k) {
        if (s[k - 1] * s[k] <= 0) continue;
        const double before = 2 * step(k) + step(k - 1), after = step(k) + 2 * step(k - 1);
        slopes[k] = (before + after) / (before / s[k - 1] + after / s[k]);
    }
    slopes[0] = end_slope(step(0), step(1), s[0], s[1]);
    slopes[last] = end_slope(step(last - 1), step(last - 2), s[last - 1], s[last - 2]);
    return slopes;
}

/// Akima, J. ACM 17(4), 1970, equation 1; two secants beyond each end continue those inside in a straight line.
std::vector<double> akima_slopes(const std::vector<double>& x, const std::vector<double>& y) {
    std::vector<double> m = secants_of(x, y);
    for (int i = 0; i < 2; ++i) {
        m.insert(m.begin(), 2 * m[0] - m[1]);
        m.push_back(2 * m[m.size() - 1] - m[m.size() - 2]);
    }
    std::vector<double> slopes;
    for (std::size_t k = 0; k < x.size(); ++k) {
        const double before = std::abs(m[k + 3] - m[k + 2]), after = std::abs(m[k + 1] - m[k]);
        const double sum = before + after;
        slopes.push_back(sum > 0 ? (before * m[k + 1] + after * m[k + 2]) / sum : (m[k + 1] + m[k + 2]) / 2);
    }
    return slopes;
}

/// The polynomial of third degree by least squares, from polynomials orthogonal over the points (Forsythe, J. SIAM
/// 5(2), 1957): p(k+1) = (x - a(k)) p(k) - b(k) p(k-1).
std::function<double(double)> cubic_fit(const std::vector<double>& x, const std::vector<double>& y) {
    constexpr int degree = 3;
    std::array<double, degree + 1> a{}, b{}, weight{};
    std::vector<double> before(x.size(), 0.0), current(x.size(), 1.0);
    double norm_before = 1;
    for (std::size_t k = 0; k <= degree; ++k) {
        double norm = 0, moment = 0, product = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            norm += current[i] * current[i];
            moment += x[i] * current[i] * current[i];
            product += y[i] * current[i];
        }
        a[k] = moment / norm;
        b[k] = k > 0 ? norm / norm_before : 0;
        weight[k] = product / norm;
        norm_before = norm;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double next = (x[i] - a[k]) * current[i] - b[k] * before[i];
            before[i] = current[i];
            current[i] = next;
        }
    }
    return [a, b, weight](double position) {
        double previous = 0, polynomial = 1, sum = 0;
        for (std::size_t k = 0; k <= degree; ++k) {
            sum += weight[k] * polynomial;
            const double next = (position - a[k]) * polynomial - b[k] * previous;
            previous = polynomial;
            polynomial = next;
        }
        return sum;
    };
}

std::function<double(double)> fitted(const std::vector<double>& x, const std::vector<double>& y, CurveFit fit) {
    if (fit == CurveFit::cubic) return cubic_fit(x, y);
    return hermite(x, y, fit == CurveFit::pchip ? pchip_slopes(x, y) : akima_slopes(x, y));
}

/// Calls with the ends of each part of [low, high] that has no point of the curve inside.
template <class Take> void for_each_part(const Curve& curve, double low, double high, const Take& take) {
    for (std::size_t k = 0; k + 1 < curve.x.size(); ++k) {
        const double begin = std::max(low, curve.x[k]), end = std::min(high, curve.x[k + 1]);
        if (end > begin) take(begin, end);
    }
}

/// Simpson's rule, which is exact for polynomials of third degree.
double integral(const Curve& curve, double low, double high) {
    double sum = 0;
    for_each_part(curve, low, high, [&](double begin, double end) {
        sum += (end - begin) / 6 * (curve.value(begin) + 4 * curve.value((begin + end) / 2) + curve.value(end));
    });
    return sum;
}

/// How far the fit goes beyond its points between low and high, in shares of the range of y.
double excursion(const Curve& curve, double low, double high) {
    const auto points = std::ranges::minmax(curve.y);
    double beyond = 0;
    for_each_part(curve, low, high, [&](double begin, double end) {
        constexpr int steps = 16;
        for (int i = 0; i <= steps; ++i) {
            const double y = curve.value(begin + (end - begin) * i / steps);
            beyond = std::max({beyond, points.min - y, y - points.max});
        }
    });
    return beyond / std::max(points.max - points.min, 1e-12);
}

bool usable(const RatePoint& point) {
    return std::isfinite(point.rate) && point.rate > 0 && std::isfinite(point.quality);
}

/// Why no curve can be drawn through the points; empty: it can.
std::string refusal_of(std::string_view name, const std::vector<RatePoint>& points) {
    if (points.size() < least_bd_points)
        return "the " + std::string(name) + " has " + std::to_string(points.size()) + " points, at least " +
               std::to_string(least_bd_points) + " are needed";
    if (!std::ranges::all_of(points, usable))
        return "the " + std::string(name) + " has a point without a finite quality (lossless?) or without a rate";
    return "";
}

using Axis = double (*)(const RatePoint&);
double log_rate(const RatePoint& point) { return std::log10(point.rate); }
double quality(const RatePoint& point) { return point.quality; }

Curve sorted_curve(const std::vector<RatePoint>& points, Axis x, Axis y) {
    std::vector<RatePoint> sorted = points;
    std::ranges::sort(sorted, {}, x);
    Curve curve;
    for (const RatePoint& point : sorted) {
        curve.x.push_back(x(point));
        curve.y.push_back(y(point));
    }
    return curve;
}

bool has_equal(const std::vector<double>& sorted) { return std::ranges::adjacent_find(sorted) != sorted.end(); }

bool rises(const std::vector<double>& y) {
    return std::ranges::adjacent_find(y, std::ranges::greater_equal()) == y.end();
}

/// With so many digits after the point.
std::string rounded(double value, int digits) {
    std::array<char, 400> text{}; // The largest double has 309 digits.
    const int length = std::snprintf(text.data(), text.size(), "%.*f", digits, value);
    return {text.data(), static_cast<std::size_t>(length)};
}

std::string_view name_of(CurveFit fit) {
    return fit == CurveFit::pchip ? "PCHIP" : fit == CurveFit::akima ? "Akima" : "cubic";
}

/// The mean of test - anchor over the overlap, in the unit of y; `axis` names x.
BdResult average_difference(Curve anchor, Curve test, CurveFit fit, std::string_view axis) {
    BdResult result;
    for (const auto& [curve, name] : {std::pair(&anchor, "anchor"), std::pair(&test, "test")}) {
        if (has_equal(curve->x)) {
            result.refusal = "two points of the " + std::string(name) + " have the same " + std::string(axis);
            return result;
        }
        curve->value = fitted(curve->x, curve->y, fit);
        if (!rises(curve->y)) result.warnings.push_back("the " + std::string(name) + "'s curve is not monotone");
    }
    const double low = std::max(anchor.x.front(), test.x.front()), high = std::min(anchor.x.back(), test.x.back());
    const double whole = std::max(anchor.x.back(), test.x.back()) - std::min(anchor.x.front(), test.x.front());
    const double overlap = 100 * (high - low) / whole;
    if (high <= low) {
        result.refusal = "the curves have no " + std::string(axis) + " in common";
    } else if (overlap < least_overlap_percent) {
        result.refusal = "the curves have only " + rounded(overlap, 1) + " % of " + std::string(axis) + " in common";
    } else if (const double out = std::max(excursion(anchor, low, high), excursion(test, low, high));
               !(out <= most_excursion)) {
        result.refusal = "the " + std::string(name_of(fit)) + " fit leaves its points by " + rounded(100 * out, 0) +
                         " % of their range";
    } else {
        if (overlap < little_overlap_percent)
            result.warnings.push_back("only " + rounded(overlap, 0) + " % of " + std::string(axis) + " in common");
        const double mean = (integral(test, low, high) - integral(anchor, low, high)) / (high - low);
        result.difference = AverageDifference{mean, low, high, overlap};
    }
    return result;
}

BdResult compared(const std::vector<RatePoint>& anchor, const std::vector<RatePoint>& test, CurveFit fit, Axis x,
                  Axis y, std::string_view axis) {
    for (const auto& [points, name] : {std::pair(&anchor, "anchor"), std::pair(&test, "test")})
        if (std::string refusal = refusal_of(name, *points); !refusal.empty()) return {{}, std::move(refusal), {}};
    return average_difference(sorted_curve(anchor, x, y), sorted_curve(test, x, y), fit, axis);
}

} // namespace

BdResult bd_rate(const std::vector<RatePoint>& anchor, const std::vector<RatePoint>& test, CurveFit fit) {
    BdResult result = compared(anchor, test, fit, quality, log_rate, "quality");
    if (result.difference) result.difference->value = (std::pow(10.0, result.difference->value) - 1) * 100;
    return result;
}

BdResult bd_quality(const std::vector<RatePoint>& anchor, const std::vector<RatePoint>& test, CurveFit fit) {
    return compared(anchor, test, fit, log_rate, quality, "rate");
}

} // namespace tandem
