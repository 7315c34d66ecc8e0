// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/pictures/picture_costs.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

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

PictureCosts costs_of_macroblock(PlaneView luma, std::span<const MotionField> fields, Metric metric, int column,
                                 int row) {
    const std::uint32_t intra = texture(luma.row(row * side) + column * side, luma.stride);
    std::uint32_t least = intra;
    for (const MotionField& field : fields) {
        const Candidate& best = field.best(column, row);
        if (has_vector(best)) least = std::min(least, absolute(best.distortion, metric));
    }
    return {intra, least};
}

PictureCosts costs_of_row(PlaneView luma, std::span<const MotionField> fields, Metric metric, int row) {
    PictureCosts costs;
    for (int column = 0; column < luma.width / side; ++column) {
        const PictureCosts each = costs_of_macroblock(luma, fields, metric, column, row);
        costs.intra += each.intra;
        costs.inter += each.inter;
    }
    return costs;
}

} // namespace

PictureCosts picture_costs(PlaneView luma, std::span<const MotionField> fields, Metric metric, Workers& workers) {
    std::vector<PictureCosts> rows(static_cast<std::size_t>(luma.height / side));
    workers.for_each(static_cast<int>(rows.size()), [&](int row, int) {
        rows[static_cast<std::size_t>(row)] = costs_of_row(luma, fields, metric, row);
    });
    PictureCosts costs;
    for (const PictureCosts& row : rows) {
        costs.intra += row.intra;
        costs.inter += row.inter;
    }
    return costs;
}

std::vector<float> macroblock_residuals(PlaneView luma, std::span<const MotionField> fields, Metric metric,
                                        Workers& workers) {
    const int columns = luma.width / side;
    std::vector<float> residuals(static_cast<std::size_t>(columns * (luma.height / side)));
    workers.for_each(luma.height / side, [&](int row, int) {
        for (int column = 0; column < columns; ++column) {
            const PictureCosts costs = costs_of_macroblock(luma, fields, metric, column, row);
            residuals[static_cast<std::size_t>(row * columns + column)] = static_cast<float>(costs.inter) / 2;
        }
    });
    return residuals;
}

} // namespace tandem
