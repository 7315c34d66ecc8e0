// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/picture_costs.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace tandem {

namespace {

constexpr int side = 16;

/// Sum of |x - mean| over a macroblock.
std::uint32_t texture(const std::uint8_t* samples, std::ptrdiff_t stride) {
    unsigned sum = 0;
    for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x)
            sum += samples[y * stride + x];
    }
    const int mean = static_cast<int>((sum + side * side / 2) / (side * side));
    unsigned differences = 0;
    for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x)
            differences += static_cast<unsigned>(std::abs(samples[y * stride + x] - mean));
    }
    return differences;
}

/// What a distortion is in absolute differences. Differences of one picture have a Laplacian's shape, more or less:
/// their mean is the root of half their mean square.
std::uint32_t absolute(std::uint32_t distortion, Metric metric) {
    if (metric != Metric::ssd) return distortion;
    constexpr double samples = side * side;
    return static_cast<std::uint32_t>(samples * std::sqrt(distortion / samples / 2));
}

} // namespace

PictureCosts picture_costs(PlaneView luma, std::span<const MotionField> fields, Metric metric) {
    PictureCosts costs;
    for (int row = 0; row < luma.height / side; ++row) {
        for (int column = 0; column < luma.width / side; ++column) {
            const std::uint32_t intra = texture(luma.row(row * side) + column * side, luma.stride);
            std::uint32_t least = intra;
            for (const MotionField& field : fields) {
                const Candidate& best = field.best(column, row);
                if (has_vector(best)) least = std::min(least, absolute(best.distortion, metric));
            }
            costs.intra += intra;
            costs.inter += least;
        }
    }
    return costs;
}

} // namespace tandem
