// SPDX-License-Identifier: BSD-2-Clause
#include "naive_samples.h"

#include <algorithm>
#include <cstdlib>

namespace tandem::test {

namespace {

int clamped(PlaneView plane, int x, int y) {
    return plane.at(std::clamp(x, 0, plane.width - 1), std::clamp(y, 0, plane.height - 1));
}

/// A position of the half-pel grid.
int half_grid(PlaneView plane, int x2, int y2) {
    constexpr int weight[] = {1, -5, 20, 20, -5, 1};
    const int x = (x2 + 20000) / 2 - 10000, y = (y2 + 20000) / 2 - 10000;
    const bool between_x = x2 % 2 != 0, between_y = y2 % 2 != 0;
    if (!between_x && !between_y) return clamped(plane, x, y);
    int sum = 0;
    for (int j = 0; j < 6; ++j) {
        for (int i = 0; i < 6; ++i) {
            if (between_x && between_y)
                sum += weight[j] * weight[i] * clamped(plane, x - 2 + i, y - 2 + j);
            else if (between_x && j == 0)
                sum += weight[i] * clamped(plane, x - 2 + i, y);
            else if (between_y && i == 0)
                sum += weight[j] * clamped(plane, x, y - 2 + j);
        }
    }
    return std::clamp(between_x && between_y ? (sum + 512) >> 10 : (sum + 16) >> 5, 0, 255);
}

} // namespace

int sample_at(PlaneView plane, int x, int y, Mv mv) {
    const int eighths_x = 8 * x + mv.x + 8 * 10000, eighths_y = 8 * y + mv.y + 8 * 10000;
    const int x0 = eighths_x / 8 - 10000, y0 = eighths_y / 8 - 10000, ax = eighths_x % 8, ay = eighths_y % 8;
    const int a = clamped(plane, x0, y0), b = clamped(plane, x0 + 1, y0);
    const int c = clamped(plane, x0, y0 + 1), d = clamped(plane, x0 + 1, y0 + 1);
    return ((8 - ax) * (8 - ay) * a + ax * (8 - ay) * b + (8 - ax) * ay * c + ax * ay * d + 32) / 64;
}

int chroma_sample_at(PlaneView plane, int x, int y, Mv mv) {
    const int sixteenths_x = 16 * (x + 10000) + mv.x, sixteenths_y = 16 * (y + 10000) + mv.y;
    const int x0 = sixteenths_x / 16 - 10000, y0 = sixteenths_y / 16 - 10000;
    const double ax = sixteenths_x % 16 / 16.0, ay = sixteenths_y % 16 / 16.0;
    const double above = (1 - ax) * clamped(plane, x0, y0) + ax * clamped(plane, x0 + 1, y0);
    const double below = (1 - ax) * clamped(plane, x0, y0 + 1) + ax * clamped(plane, x0 + 1, y0 + 1);
    return static_cast<int>((1 - ay) * above + ay * below + 0.5); // All exact in binary.
}

int six_tap_sample_at(PlaneView plane, int x, int y, Mv mv) {
    const int qx = 4 * x + mv.x / 2, qy = 4 * y + mv.y / 2;
    const auto half = [&](int x4, int y4) { return half_grid(plane, x4 / 2, y4 / 2); };
    if (qx % 2 == 0 && qy % 2 == 0) return half(qx, qy);
    if (qy % 2 == 0) return (half(qx - 1, qy) + half(qx + 1, qy) + 1) / 2;
    if (qx % 2 == 0) return (half(qx, qy - 1) + half(qx, qy + 1) + 1) / 2;
    // Of the four nearest, the one between samples in x alone and the one between samples in y alone.
    const int whole_x = (qx + 40001) / 4 * 4 - 40000, whole_y = (qy + 40001) / 4 * 4 - 40000;
    const int middle_x = whole_x < qx ? whole_x + 2 : whole_x - 2, middle_y = whole_y < qy ? whole_y + 2 : whole_y - 2;
    return (half(middle_x, whole_y) + half(whole_x, middle_y) + 1) / 2;
}

int code_length(int difference, int unit) {
    int magnitude = std::abs(difference) / unit;
    int length = 1;
    for (; magnitude > 0; magnitude /= 2)
        length += 2;
    return length;
}

std::uint32_t hadamard4x4(const int (&d)[4][4]) {
    constexpr int h[4][4] = {{1, 1, 1, 1}, {1, -1, 1, -1}, {1, 1, -1, -1}, {1, -1, -1, 1}};
    int sum = 0;
    for (int u = 0; u < 4; ++u) {
        for (int v = 0; v < 4; ++v) {
            int coefficient = 0;
            for (int y = 0; y < 4; ++y) {
                for (int x = 0; x < 4; ++x)
                    coefficient += h[u][y] * h[v][x] * d[y][x];
            }
            sum += std::abs(coefficient);
        }
    }
    return static_cast<std::uint32_t>((sum + 1) / 2);
}

Samples half_size(const Samples& from) {
    const int width = static_cast<int>(from[0].size()), height = static_cast<int>(from.size());
    Samples to(static_cast<std::size_t>((height + 1) / 2), std::vector<int>(static_cast<std::size_t>((width + 1) / 2)));
    constexpr int weight[] = {1, 3, 3, 1};
    for (int y = 0; y < (height + 1) / 2; ++y) {
        for (int x = 0; x < (width + 1) / 2; ++x) {
            int sum = 32;
            for (int j = 0; j < 4; ++j) {
                for (int i = 0; i < 4; ++i) {
                    const int sy = std::clamp(2 * y - 1 + j, 0, height - 1),
                              sx = std::clamp(2 * x - 1 + i, 0, width - 1);
                    sum += weight[j] * weight[i] * from[static_cast<std::size_t>(sy)][static_cast<std::size_t>(sx)];
                }
            }
            to[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] = sum / 64;
        }
    }
    return to;
}

Samples samples_of(PlaneView plane) {
    Samples samples(static_cast<std::size_t>(plane.height));
    for (int y = 0; y < plane.height; ++y)
        samples[static_cast<std::size_t>(y)].assign(plane.row(y), plane.row(y) + plane.width);
    return samples;
}

FramePtr frame_of(const Samples& samples) {
    auto frame = std::make_shared<Frame>(static_cast<int>(samples[0].size()), static_cast<int>(samples.size()));
    for (int y = 0; y < frame->height(); ++y) {
        for (int x = 0; x < frame->width(); ++x) {
            frame->plane(0).view().at(x, y) =
                static_cast<std::uint8_t>(samples[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)]);
        }
    }
    return frame;
}

} // namespace tandem::test
