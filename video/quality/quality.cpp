// SPDX-License-Identifier: BSD-2-Clause
#include "video/quality/quality.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "video/quality/quality_kernels.h"

namespace tandem {

namespace {

void add(SsimSums& to, const SsimSums& more) {
    to.a += more.a;
    to.b += more.b;
    to.squares += more.squares;
    to.product += more.product;
}

/// The sums of a cell of any size: of planes below 8 in a direction.
SsimSums sums_of(PlaneView a, PlaneView b, int left, int top, int width, int height) {
    SsimSums sums{};
    for (int y = top; y < top + height; ++y) {
        for (int x = left; x < left + width; ++x) {
            const std::int32_t p = a.at(x, y), q = b.at(x, y);
            add(sums, {p, q, p * p + q * q, p * q});
        }
    }
    return sums;
}

/// SSIM of windows of n samples from their sums. With sums in place of means, 2 sum_a sum_b etc. are n^2 times Wang's
/// terms, and n * squares - sum^2 is n (n - 1) times the unbiased variance. The constants are those that x264 and
/// FFmpeg's ssim filter use: c2 is Wang's, c1 is multiplied by n where n^2 would be Wang's.
struct WindowSsim {
    std::int32_t n;
    double c1 = 0.01 * 0.01 * 255 * 255 * n;
    double c2 = 0.03 * 0.03 * 255 * 255 * n * std::max(1, n - 1);

    double operator()(const SsimSums& sums) const {
        const std::int32_t variances = n * sums.squares - sums.a * sums.a - sums.b * sums.b;
        const std::int32_t covariance = n * sums.product - sums.a * sums.b;
        const double numerator = (2 * sums.a * sums.b + c1) * (2 * covariance + c2);
        const double denominator = (sums.a * sums.a + sums.b * sums.b + c1) * (variances + c2);
        return numerator / denominator;
    }
};

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
    const WindowSsim window_ssim{across.size * across.per_window * down.size * down.per_window};
    const QualityKernels& kernels = quality_kernels();
    std::vector<SsimSums> row_above(static_cast<std::size_t>(across.count)), this_row(row_above.size());
    double total = 0;
    for (int row = 0; row < down.count; ++row) {
        std::swap(row_above, this_row);
        const int top = row * down.size;
        if (across.size == 4 && down.size == 4) {
            kernels.ssim_cells(a.row(top), a.stride, b.row(top), b.stride, across.count, this_row.data());
        } else {
            for (int i = 0; i < across.count; ++i) {
                this_row[static_cast<std::size_t>(i)] = sums_of(a, b, i * across.size, top, across.size, down.size);
            }
        }
        if (row + 1 < down.per_window) continue;
        for (std::size_t i = 0; i < static_cast<std::size_t>(across.windows()); ++i) {
            SsimSums window = this_row[i];
            if (across.per_window == 2) add(window, this_row[i + 1]);
            if (down.per_window == 2) add(window, row_above[i]);
            if (across.per_window == 2 && down.per_window == 2) add(window, row_above[i + 1]);
            total += window_ssim(window);
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
