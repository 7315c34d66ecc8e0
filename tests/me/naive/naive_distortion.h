// SPDX-License-Identifier: BSD-2-Clause
// How much two blocks differ, as plainly as the definitions of the metrics.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "me/search_params.h"
#include "naive_samples.h"

namespace tandem::test {

/// By Pearson's formula about the means, in extended precision.
template <class A, class B> std::uint32_t naive_correlation(int width, int height, A a, B b) {
    if (width * height == 0) return 0;
    long double mean_a = 0, mean_b = 0, aa = 0, bb = 0, ab = 0;
    for (int i = 0; i < width * height; ++i) {
        mean_a += static_cast<long double>(a(i % width, i / width)) / (width * height);
        mean_b += static_cast<long double>(b(i % width, i / width)) / (width * height);
    }
    bool flat_a = true, flat_b = true;
    for (int i = 0; i < width * height; ++i) {
        const long double of_a = static_cast<long double>(a(i % width, i / width)) - mean_a;
        const long double of_b = static_cast<long double>(b(i % width, i / width)) - mean_b;
        aa += of_a * of_a;
        bb += of_b * of_b;
        ab += of_a * of_b;
        flat_a = flat_a && a(i % width, i / width) == a(0, 0);
        flat_b = flat_b && b(i % width, i / width) == b(0, 0);
    }
    if (flat_a || flat_b) return flat_a && flat_b ? 0 : 65536;
    return static_cast<std::uint32_t>(std::floor(65536 * (1 - ab / std::sqrt(aa * bb)) + 0.5L));
}

/// By a metric of differences.
template <class Difference>
std::uint32_t naive_distortion(Metric metric, int width, int height, Difference difference) {
    std::uint32_t sum = 0;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const int d = difference(x, y);
            const bool transformed = metric == Metric::satd && x < width / 4 * 4 && y < height / 4 * 4;
            if (transformed && (x % 4 != 0 || y % 4 != 0)) continue;
            if (transformed) {
                int block[4][4];
                for (int i = 0; i < 16; ++i)
                    block[i / 4][i % 4] = difference(x + i % 4, y + i / 4);
                sum += hadamard4x4(block);
            } else {
                sum += static_cast<std::uint32_t>(metric == Metric::ssd ? d * d : std::abs(d));
            }
        }
    }
    return sum;
}

/// `a` and `b` give the samples of both blocks.
template <class A, class B> std::uint32_t naive_distortion(Metric metric, int width, int height, A a, B b) {
    if (metric == Metric::ncc) return naive_correlation(width, height, a, b);
    const auto plain = [&](int x, int y) { return static_cast<int>(a(x, y) - b(x, y)); };
    if (metric != Metric::zsad) return naive_distortion(metric, width, height, plain);
    double mean = 0;
    for (int i = 0; i < width * height; ++i)
        mean += plain(i % width, i / width);
    mean = std::floor(mean / std::max(width * height, 1) + 0.5);
    return naive_distortion(metric, width, height, [&](int x, int y) { return plain(x, y) - static_cast<int>(mean); });
}

} // namespace tandem::test
