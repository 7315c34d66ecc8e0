// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/adaptive_quantiser.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "encoder/rate/portable_powers.h"

namespace tandem {

namespace {

constexpr int side = 16, block = 8;
constexpr double half_c2 = 0.03 * 255 * 0.03 * 255 / 2;
/// The exponent of the variance at strength 1. Measured: docs/plan.md.
constexpr double exponent = 0.2;
/// The mean activity of usual video: a standard deviation of about 10 in a block.
constexpr double usual_activity = 7;
constexpr double largest_factor = 4;

double variance(PlaneView luma, int x, int y) {
    std::uint32_t sum = 0, squares = 0;
    for (int row = 0; row < block; ++row) {
        const std::uint8_t* samples = &luma.at(x, y + row);
        for (int column = 0; column < block; ++column) {
            sum += samples[column];
            squares += std::uint32_t{samples[column]} * samples[column];
        }
    }
    constexpr double samples = block * block;
    const double mean = sum / samples;
    return std::max(squares / samples - mean * mean, 0.0);
}

double activity(PlaneView luma, int x, int y) {
    double sum = 0;
    for (const int down : {0, block})
        for (const int right : {0, block})
            sum += log2_of(variance(luma, x + right, y + down) + half_c2);
    return sum / 4;
}

} // namespace

AdaptiveFactors adaptive_factors(PlaneView luma, AqMode mode, double strength, Workers& workers) {
    const int columns = luma.width / side, rows = luma.height / side;
    std::vector<double> activities(static_cast<std::size_t>(columns * rows));
    workers.for_each(rows, [&](int row, int) {
        for (int column = 0; column < columns; ++column)
            activities[static_cast<std::size_t>(row * columns + column)] = activity(luma, column * side, row * side);
    });
    const double mean =
        std::accumulate(activities.begin(), activities.end(), 0.0) / static_cast<double>(activities.size());
    const double middle = mode == AqMode::picture ? mean : usual_activity;
    AdaptiveFactors factors;
    for (const double each : activities) {
        const double factor = power_of_two(exponent * strength * (each - middle));
        factors.factor.push_back(static_cast<float>(std::clamp(factor, 1 / largest_factor, largest_factor)));
    }
    return factors;
}

} // namespace tandem
