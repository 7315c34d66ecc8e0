// SPDX-License-Identifier: BSD-2-Clause
#include "pictures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace tandem::test {

namespace {

template <class Sample> FramePtr make_frame(int width, int height, Sample sample) {
    auto frame = std::make_shared<Frame>(width, height);
    frame->plane(1).fill(128);
    frame->plane(2).fill(128);
    const MutablePlaneView luma = frame->plane(0).view();
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x)
            luma.at(x, y) = static_cast<std::uint8_t>(sample(x, y));
    }
    return frame;
}

/// A texture defined for every integer position, the same on each call.
int texture(int x, int y, std::uint32_t seed) {
    std::uint32_t hash =
        static_cast<std::uint32_t>(x) * 0x9E3779B1u ^ static_cast<std::uint32_t>(y) * 0x85EBCA77u ^ seed;
    hash ^= hash >> 15;
    hash *= 0x2C1B3C6Du;
    hash ^= hash >> 12;
    return static_cast<int>(hash >> 24);
}

int waves(double x, double y) { return static_cast<int>(128 + 60 * std::sin(x / 7) + 50 * std::cos(y / 5 + x / 31)); }

} // namespace

bool bent(int x, int y) { return ((x >> 1 & x & 1) ^ (y >> 1 & y & 1)) != 0; }

std::vector<Content> all_contents() {
    return {Content::noise,        Content::smooth,         Content::black, Content::white,
            Content::checkerboard, Content::black_on_white, Content::bent,  Content::dots};
}

std::string name_of(Content content) {
    constexpr const char* names[] = {"noise",        "smooth",         "black", "white",
                                     "checkerboard", "black_on_white", "bent",  "dots"};
    return names[static_cast<int>(content)];
}

PicturePair make_pair(Content content, int width, int height, std::uint32_t seed) {
    std::mt19937 random(seed);
    const auto both = [&](auto sample) {
        return PicturePair{make_frame(width, height, sample), make_frame(width, height, sample)};
    };
    switch (content) {
    case Content::noise:
        return both([&](int, int) { return random() >> 24; });
    case Content::smooth:
        return {make_frame(width, height, [](int x, int y) { return waves(x + 2.5, y - 1.25); }),
                make_frame(width, height, [](int x, int y) { return waves(x, y); })};
    case Content::black:
        return both([](int, int) { return 0; });
    case Content::white:
        return both([](int, int) { return 255; });
    case Content::checkerboard:
        return both([](int x, int y) { return ((x ^ y) & 1) * 255; });
    case Content::bent:
        return {make_frame(width, height, [](int x, int y) { return bent(x, y) ? 0 : 255; }),
                make_frame(width, height, [](int x, int y) { return bent(x, y) ? 255 : 0; })};
    case Content::dots:
        return {make_frame(width, height, [&](int, int) { return random() % 64 == 0 ? 106 : 105; }),
                make_frame(width, height, [&](int, int) { return random() % 64 == 0 ? 101 : 100; })};
    case Content::black_on_white:
        break;
    }
    return {make_frame(width, height, [](int, int) { return 0; }),
            make_frame(width, height, [](int, int) { return 255; })};
}

PicturePair make_pan(int width, int height, int move_x, int move_y, std::uint32_t seed) {
    return {make_frame(width, height, [&](int x, int y) { return texture(x + move_x, y + move_y, seed); }),
            make_frame(width, height, [&](int x, int y) { return texture(x, y, seed); })};
}

PicturePair make_shuffled_drawing(int width, int height, const ShuffledDrawing& drawing, std::uint32_t seed) {
    constexpr int side = 16;
    std::mt19937 random(seed);
    const auto among = [&](int of_100) { return static_cast<int>(random() % 100) < of_100; };
    auto current = std::make_shared<Frame>(width, height), reference = std::make_shared<Frame>(width, height);
    const MutablePlaneView to = current->plane(0).view(), from = reference->plane(0).view();
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x)
            from.at(x, y) = static_cast<std::uint8_t>(40 + (among(drawing.bright) ? drawing.contrast : 0));
    }
    const auto moved = [&](int at, int size, int length) {
        const int farthest = drawing.farthest;
        return std::clamp(at + static_cast<int>(random() % static_cast<unsigned>(2 * farthest + 1)) - farthest, 0,
                          size - length);
    };
    for (int y = 0; y < height; y += side) {
        for (int x = 0; x < width; x += side) {
            const int columns = std::min(side, width - x), rows = std::min(side, height - y);
            const int from_x = moved(x, width, columns), from_y = moved(y, height, rows);
            for (int i = 0; i < columns * rows; ++i) {
                const int sample = from.at(from_x + i % columns, from_y + i / columns);
                to.at(x + i % columns, y + i / columns) =
                    static_cast<std::uint8_t>(sample + (among(drawing.noisy) ? 1 : 0));
            }
        }
    }
    return {current, reference};
}

PicturePair in_colour(const PicturePair& pair) {
    const auto coloured = [](const Frame& from) {
        auto frame = std::make_shared<Frame>(from.width(), from.height());
        copy_and_extend(from.luma().view(), frame->plane(0).view());
        for (int plane = 1; plane < 3; ++plane) {
            const MutablePlaneView chroma = frame->plane(plane).view();
            for (int y = 0; y < chroma.height; ++y) {
                for (int x = 0; x < chroma.width; ++x)
                    chroma.at(x, y) =
                        static_cast<std::uint8_t>(from.luma().view().at(2 * x, 2 * y) ^ (plane == 1 ? 0 : 85));
            }
        }
        return frame;
    };
    return {coloured(*pair.current), coloured(*pair.reference)};
}

int any_side(std::mt19937& random, int most) {
    const auto from = [&](int least, int end) { return std::uniform_int_distribution(least, end)(random); };
    if (most < 64 || from(0, 1) == 0) return from(1, most);
    return std::min(64 * from(1, most / 64) + from(-2, 5), most);
}

std::mt19937 cases_of(std::uint32_t seed) {
    return std::mt19937(seed + 7919 * static_cast<std::uint32_t>(testing::GTEST_FLAG(random_seed)));
}

} // namespace tandem::test
