// SPDX-License-Identifier: BSD-2-Clause
#include "me/search/phase/phase_correlation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace tandem {

namespace {

constexpr double pi = std::numbers::pi;

/// The frequencies that count, of 0 .. side / 2: real pictures have little but noise in the highest, and every phase
/// weighs the same (Takita 2003 calls this spectral weighting).
int highest_frequency(int side) { return 3 * side / 8; }

/// The closed form of the peak along one axis, at `t` samples from its centre, when `frequencies` of `side` (an odd
/// number, about zero) have the phase of a shift and the others are left out: 1 at 0.
struct PeakShape {
    int side;
    int frequencies;
    struct Value {
        double value, slope;
    };
    Value at(double t) const {
        const double a = pi * frequencies / side, b = pi / side;
        const double denominator = frequencies * std::sin(b * t);
        if (std::abs(denominator) < 1e-9) return {1, 0};
        const double value = std::sin(a * t) / denominator;
        return {value, (a * std::cos(a * t) - value * frequencies * b * std::cos(b * t)) / denominator};
    }
};

/// Height, x and y of a peak, and the least squares' equations for how they change.
using Unknowns = std::array<double, 3>;

class NormalEquations {
  public:
    void add(const Unknowns& slopes, double difference) {
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 3; ++j)
                matrix_[i][j] += slopes[i] * slopes[j];
            right_[i] += slopes[i] * difference;
        }
    }
    /// By Cramer's rule; no change where the equations do not tell.
    Unknowns solve() const {
        const double whole = determinant(matrix_);
        Unknowns solution{};
        if (!(std::abs(whole) > 1e-12)) return solution;
        for (std::size_t column = 0; column < 3; ++column) {
            auto replaced = matrix_;
            for (std::size_t row = 0; row < 3; ++row)
                replaced[row][column] = right_[row];
            solution[column] = determinant(replaced) / whole;
        }
        return solution;
    }

  private:
    using Matrix = std::array<std::array<double, 3>, 3>;
    static double determinant(const Matrix& m) {
        return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
               m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    }
    Matrix matrix_{};
    std::array<double, 3> right_{};
};

/// A product of coefficients smaller than this for each sample of the windows is rounding, of the samples to 8 bits or
/// of the transform, and has no phase.
constexpr float least_product = 1e-4F;

} // namespace

PhaseCorrelation::PhaseCorrelation(int side, bool hann)
    : side_(side), window_(static_cast<std::size_t>(side), 1.0F), samples_(window_.size() * window_.size()),
      current_(window_.size() * FourierTransform::row_length(side)), reference_(current_.size()),
      transform_(side, highest_frequency(side)) {
    if (!hann) return;
    for (int i = 0; i < side; ++i)
        window_[static_cast<std::size_t>(i)] = static_cast<float>(0.5 - 0.5 * std::cos(2 * pi * (i + 0.5) / side));
}

void PhaseCorrelation::load(PlaneView plane, Corner corner, std::vector<std::complex<float>>& spectrum) {
    const bool inside = corner.x >= 0 && corner.x + side_ <= plane.width;
    std::array<std::uint8_t, 256> extended;
    std::uint32_t sum = 0;
    float* out = samples_.data();
    for (int y = 0; y < side_; ++y) {
        const std::uint8_t* row = plane.row(std::clamp(corner.y + y, 0, plane.height - 1));
        for (int x = 0; x < side_ && !inside; ++x)
            extended[static_cast<std::size_t>(x)] = row[std::clamp(corner.x + x, 0, plane.width - 1)];
        row = inside ? row + corner.x : extended.data();
        for (std::size_t x = 0; x < window_.size(); ++x) {
            sum += row[x];
            *out++ = row[x];
        }
    }
    // Without its mean a flat window is nothing, and fading to the edges adds no pattern of its own.
    const float mean = static_cast<float>(sum) / static_cast<float>(samples_.size());
    out = samples_.data();
    for (const float down : window_) {
        for (const float across : window_) {
            *out = (*out - mean) * down * across;
            ++out;
        }
    }
    transform_.forward(samples_.data(), spectrum.data());
}

void PhaseCorrelation::correlate(PlaneView current, Corner current_corner, PlaneView reference,
                                 Corner reference_corner) {
    load(current, current_corner, current_);
    load(reference, reference_corner, reference_);
    const int band = highest_frequency(side_);
    const std::size_t length = FourierTransform::row_length(side_);
    const float least = least_product * static_cast<float>(samples_.size());
    const float scale = 1.0F / static_cast<float>((2 * band + 1) * (2 * band + 1));
    for (int v = 0; v < side_; ++v) {
        const std::span cross(reference_.data() + static_cast<std::size_t>(v) * length, length);
        const std::complex<float>* other = current_.data() + static_cast<std::size_t>(v) * length;
        const std::size_t counting = std::min(v, side_ - v) <= band ? static_cast<std::size_t>(band) + 1 : 0;
        for (std::size_t u = 0; u < counting; ++u) {
            const std::complex<float> product = cross[u] * std::conj(other[u]);
            const float size =
                std::sqrt(std::norm(product)); // std::abs() guards against overflow, at ten times the time.
            cross[u] = size > least ? product * (scale / size) : std::complex<float>{};
        }
        std::ranges::fill(cross.subspan(counting), std::complex<float>{});
    }
    transform_.inverse(reference_.data(), samples_.data());
}

bool PhaseCorrelation::is_peak(int x, int y) const {
    const float *above = row(y - 1), *here = row(y), *below = row(y + 1);
    const std::size_t left = cyclic(x - 1), middle = cyclic(x), right = cyclic(x + 1);
    const float height = here[middle];
    // Of equal neighbours the first in raster order is the peak.
    return here[left] < height && here[right] <= height && above[left] < height && above[middle] < height &&
           above[right] < height && below[left] <= height && below[middle] <= height && below[right] <= height;
}

int PhaseCorrelation::peaks(const Window& allowed, std::span<PhasePeak> found) const {
    std::size_t count = 0;
    float too_low = 0;
    const int half = side_ / 2;
    for (int y = std::max(allowed.min_y, -half); y <= std::min(allowed.max_y, half - 1); ++y) {
        for (int x = std::max(allowed.min_x, -half); x <= std::min(allowed.max_x, half - 1); ++x) {
            const float height = at(x, y);
            if (height <= too_low || !is_peak(x, y)) continue;
            std::size_t slot = count < found.size() ? count++ : count - 1;
            for (; slot > 0 && found[slot - 1].height < height; --slot)
                found[slot] = found[slot - 1];
            found[slot] = {x, y, height};
            if (count == found.size()) too_low = found.back().height;
        }
    }
    return static_cast<int>(count);
}

PhaseCorrelation::Displacement PhaseCorrelation::fit(const PhasePeak& peak) const {
    const PeakShape shape{side_, 2 * highest_frequency(side_) + 1};
    Unknowns unknowns{peak.height, 0, 0};
    // Gauss and Newton's steps on the 3x3 samples about the peak; they converge in three or four.
    for (int step = 0; step < 6; ++step) {
        NormalEquations equations;
        for (int y = -1; y <= 1; ++y) {
            for (int x = -1; x <= 1; ++x) {
                const auto across = shape.at(x - unknowns[1]), down = shape.at(y - unknowns[2]);
                const double height = unknowns[0];
                equations.add({across.value * down.value, -height * across.slope * down.value,
                               -height * across.value * down.slope},
                              double{at(peak.x + x, peak.y + y)} - height * across.value * down.value);
            }
        }
        const Unknowns change = equations.solve();
        unknowns[0] += change[0];
        for (std::size_t i = 1; i < 3; ++i)
            unknowns[i] = std::clamp(unknowns[i] + change[i], -0.75, 0.75);
    }
    return {peak.x + unknowns[1], peak.y + unknowns[2]};
}

} // namespace tandem
