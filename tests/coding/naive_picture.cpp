// SPDX-License-Identifier: BSD-2-Clause
#include "tests/coding/naive_picture.h"

#include <algorithm>
#include <cmath>

namespace tandem::test {

namespace {

/// 13818-2 clause 7.6.4, at a position in half samples.
int half_pel_sample(PlaneView plane, int x, int y) {
    const int left = x >> 1, top = y >> 1;
    const bool half_x = (x & 1) != 0, half_y = (y & 1) != 0;
    const auto at = [&](int dx, int dy) { return int{plane.at(left + dx, top + dy)}; };
    if (half_x && half_y) return (at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1) + 2) / 4;
    if (half_x) return (at(0, 0) + at(1, 0) + 1) / 2;
    if (half_y) return (at(0, 0) + at(0, 1) + 1) / 2;
    return at(0, 0);
}

int one_direction(const Reference& reference, Mv mv, int plane, int x, int y) {
    const int divisor = plane == 0 ? 1 : 2; // Clause 7.6.3.7: "/" cuts toward zero.
    const int half_x = mv.x / eighths_per_half_pel / divisor;
    const int half_y = mv.y / eighths_per_half_pel / divisor;
    return half_pel_sample(reference.reconstruction->plane(plane).view(), 2 * x + half_x, 2 * y + half_y);
}

} // namespace

int draw(std::mt19937& random, int low, int high) {
    return low + static_cast<int>(random() % static_cast<std::uint32_t>(high - low + 1));
}

std::shared_ptr<Frame> random_frame(int width, int height, std::uint32_t seed, int noise) {
    std::mt19937 random(seed);
    auto frame = std::make_shared<Frame>(width, height);
    for (int p = 0; p < 3; ++p) {
        const MutablePlaneView plane = frame->plane(p).view();
        const double frequency_x = draw(random, 5, 40) / 100.0, frequency_y = draw(random, 5, 40) / 100.0;
        for (int y = 0; y < plane.height; ++y) {
            for (int x = 0; x < plane.width; ++x) {
                const double wave = 128 + 60 * std::sin(frequency_x * x + p) + 50 * std::cos(frequency_y * y);
                const int value = static_cast<int>(wave) + draw(random, -noise, noise);
                plane.at(x, y) = static_cast<std::uint8_t>(std::clamp(value, 0, 255));
            }
        }
    }
    return frame;
}

std::shared_ptr<Frame> moved_frame(const Frame& frame, int move_x, int move_y, std::uint32_t seed, int noise) {
    std::mt19937 random(seed);
    auto moved = std::make_shared<Frame>(frame.width(), frame.height());
    for (int p = 0; p < 3; ++p) {
        const PlaneView from = frame.plane(p).view();
        const MutablePlaneView to = moved->plane(p).view();
        const int shift = p == 0 ? 0 : 1;
        for (int y = 0; y < to.height; ++y) {
            for (int x = 0; x < to.width; ++x) {
                const int source_x = std::clamp(x + (move_x >> shift), 0, to.width - 1);
                const int source_y = std::clamp(y + (move_y >> shift), 0, to.height - 1);
                const int value = from.at(source_x, source_y) + draw(random, -noise, noise);
                to.at(x, y) = static_cast<std::uint8_t>(std::clamp(value, 0, 255));
            }
        }
    }
    return moved;
}

Mv random_vector(std::mt19937& random, int x, int y, int width, int height, int reach) {
    const auto component = [&](int position, int size) {
        const int low = std::max(-reach, -2 * position), high = std::min(reach, 2 * (size - 16 - position));
        return static_cast<std::int16_t>(draw(random, low, high) * eighths_per_half_pel);
    };
    return {component(x, width), component(y, height)};
}

int predicted_sample(const References& references, std::uint8_t flags, Mv forward, Mv backward, int plane, int x,
                     int y) {
    const bool uses_backward = (flags & mb_backward) != 0;
    const bool uses_forward = (flags & mb_forward) != 0 || !uses_backward;
    const int a = uses_forward ? one_direction(*references.forward, forward, plane, x, y) : 0;
    const int b = uses_backward ? one_direction(*references.backward, backward, plane, x, y) : 0;
    return uses_forward && uses_backward ? (a + b + 1) / 2 : a + b;
}

} // namespace tandem::test
