// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/benchmark/scene.h"

#include <algorithm>
#include <cmath>

namespace tandem::cuda {

namespace {

std::uint32_t hashed(std::uint32_t value) {
    value ^= value >> 16;
    value *= 0x7FEB352Du;
    value ^= value >> 15;
    value *= 0x846CA68Bu;
    return value ^ value >> 16;
}

/// A row of waves, long enough for every shift.
std::vector<int> waves(int count, double length) {
    std::vector<int> row(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i)
        row[static_cast<std::size_t>(i)] = static_cast<int>(48 * std::sin(i / length));
    return row;
}

} // namespace

FramePtr moving_picture(int width, int height, int number) {
    const int shift_x = number * 3 % 512, shift_y = number * 2 % 512;
    const std::vector<int> across = waves(width + 512, 9.7), down = waves(height + 512, 6.1);
    auto frame = std::make_shared<Frame>(width, height);
    const MutablePlaneView luma = frame->plane(0).view();
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const auto ux = static_cast<std::uint32_t>(x + shift_x), uy = static_cast<std::uint32_t>(y + shift_y);
            const auto grain = static_cast<int>(hashed(ux * 0x9E3779B1u ^ uy * 0x85EBCA77u) & 31u);
            const auto own =
                static_cast<int>(hashed(static_cast<std::uint32_t>(number * 0x1000193 + y * width + x)) & 7u);
            luma.at(x, y) = static_cast<std::uint8_t>(100 + across[ux] + down[uy] / 2 + grain + own);
        }
    }
    return frame;
}

std::vector<FramePtr> new_pictures(int width, int height, int count) {
    std::vector<FramePtr> drawn, pictures;
    for (int i = 0; i < std::min(count, 12); ++i)
        drawn.push_back(moving_picture(width, height, i));
    for (int i = 0; i < count; ++i) {
        auto copy = std::make_shared<Frame>(width, height);
        copy_and_extend(drawn[static_cast<std::size_t>(i) % drawn.size()]->luma().view(), copy->plane(0).view());
        pictures.push_back(std::move(copy));
    }
    return pictures;
}

} // namespace tandem::cuda
