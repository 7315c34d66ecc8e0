// SPDX-License-Identifier: BSD-2-Clause
#include "video/quality.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "video/quality_kernels.h"

namespace tandem {

namespace {

/// Sums over the samples of both planes in some area; all exact.
struct AreaSums {
    std::int64_t a = 0, b = 0;
    std::int64_t squares = 0; ///< Of a and b together: SSIM needs only the sum of both variances.
    std::int64_t product = 0;

    void add(const AreaSums& other) {
        a += other.a;
        b += other.b;
        squares += other.squares;
        product += other.product;
    }
};

AreaSums sums_of(PlaneView a, PlaneView b, int left, int top, int width, int height) {
    std::int32_t sum_a = 0, sum_b = 0, squares = 0, product = 0;
    for (int y = top; y < top + height; ++y) {
        const std::uint8_t* row_a = a.row(y) + left;
        const std::uint8_t* row_b = b.row(y) + left;
        for (int x = 0; x < width; ++x) {
            const std::int32_t p = row_a[x], q = row_b[x];
            sum_a += p;
            sum_b += q;
            squares += p * p + q * q;
            product += p * q;
        }
    }
    return {sum_a, sum_b, squares, product};
}

/// SSIM of one window of n samples from its sums. With sums in place of means, 2 sum_a sum_b etc. are n^2 times Wang's
/// terms, and n * squares - sum^2 is n (n - 1) times the unbiased variance. The constants are those that x264 and
/// FFmpeg's ssim filter use: c2 is Wang's, c1 is multiplied by n where n^2 would be Wang's.
double window_ssim(const AreaSums& sums, std::int64_t n) {
    const double c1 = 0.01 * 0.01 * 255 * 255 * static_cast<double>(n);
    const double c2 = 0.03 * 0.03 * 255 * 255 * static_cast<double>(n * std::max<std::int64_t>(1, n - 1));
    const std::int64_t variances = n * sums.squares - sums.a * sums.a - sums.b * sums.b;
    const std::int64_t covariance = n * sums.product - sums.a * sums.b;
    const double numerator =
        (static_cast<double>(2 * sums.a * sums.b) + c1) * (static_cast<double>(2 * covariance) + c2);
    const double denominator =
        (static_cast<double>(sums.a * sums.a + sums.b * sums.b) + c1) * (static_cast<double>(variances) + c2);
    return numerator / denominator;
}

/// How a direction is cut: cells of which two neighbours make a window, or one window where the plane is too small.
struct Cells {
    int size;       ///< Samples of one cell.
    int count;      ///< Cells that fit.
    int per_window; ///< 2, or 1 for a plane below 8.
    explicit Cells(int length) : size(length < 8 ? length : 4), count(length / size), per_window(length < 8 ? 1 : 2) {}
    int windows() const { return count - per_window + 1; }
};

} // namespace

std::uint64_t sum_of_squared_errors(PlaneView a, PlaneView b) {
    if (b.width < a.width || b.height < a.height)
        throw std::invalid_argument("the second plane is smaller than the first");
    return quality_kernels().squared_error(a.data, a.stride, b.data, b.stride, a.width, a.height);
}

double psnr(std::uint64_t squared_error, std::uint64_t samples) {
    if (squared_error == 0) return std::numeric_limits<double>::infinity();
    return 10.0 * std::log10(255.0 * 255.0 * static_cast<double>(samples) / static_cast<double>(squared_error));
}

double ssim(PlaneView a, PlaneView b) {
    if (b.width < a.width || b.height < a.height)
        throw std::invalid_argument("the second plane is smaller than the first");
    const Cells across(a.width), down(a.height);
    const auto cells = static_cast<std::size_t>(across.count);
    const std::int64_t samples =
        static_cast<std::int64_t>(across.size * across.per_window) * (down.size * down.per_window);
    std::vector<AreaSums> above(cells), here(cells);
    double total = 0;
    for (int row = 0; row < down.count; ++row) {
        std::swap(above, here);
        for (int i = 0; i < across.count; ++i) {
            here[static_cast<std::size_t>(i)] = sums_of(a, b, i * across.size, row * down.size, across.size, down.size);
        }
        if (row + 1 < down.per_window) continue;
        for (std::size_t i = 0; i < static_cast<std::size_t>(across.windows()); ++i) {
            AreaSums window = here[i];
            if (across.per_window == 2) window.add(here[i + 1]);
            if (down.per_window == 2) window.add(above[i]);
            if (across.per_window == 2 && down.per_window == 2) window.add(above[i + 1]);
            total += window_ssim(window, samples);
        }
    }
    return total / (static_cast<double>(across.windows()) * static_cast<double>(down.windows()));
}

void SquaredErrors::add(const SquaredErrors& other) {
    for (std::size_t i = 0; i < error.size(); ++i) {
        error[i] += other.error[i];
        samples[i] += other.samples[i];
    }
}

double SquaredErrors::psnr(int plane) const {
    const auto i = static_cast<std::size_t>(plane);
    return tandem::psnr(error[i], samples[i]);
}

SquaredErrors squared_errors(const Frame& a, const Frame& b, int width, int height) {
    SquaredErrors result;
    for (int i = 0; i < 3; ++i) {
        PlaneView first = a.plane(i).view(), second = b.plane(i).view();
        const int w = i == 0 ? width : chroma_size(width);
        const int h = i == 0 ? height : chroma_size(height);
        if (w > first.width || h > first.height) throw std::invalid_argument("the area is larger than the frame");
        first.width = w;
        first.height = h;
        const auto plane = static_cast<std::size_t>(i);
        result.error[plane] = sum_of_squared_errors(first, second);
        result.samples[plane] = static_cast<std::uint64_t>(w) * static_cast<std::uint64_t>(h);
    }
    return result;
}

} // namespace tandem
