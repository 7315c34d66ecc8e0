// SPDX-License-Identifier: BSD-2-Clause
#include "tests/coding/random_filter_input.h"

#include <cmath>

#include "sequences/scene.h"

namespace tandem::test {

namespace {

int number(std::mt19937& random, int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
}

FramePtr noise(int width, int height, std::mt19937& random) {
    auto frame = std::make_shared<Frame>(width, height);
    for (int p = 0; p < 3; ++p) {
        const MutablePlaneView plane = frame->plane(p).view();
        for (int y = 0; y < plane.height; ++y)
            for (int x = 0; x < plane.width; ++x)
                plane.at(x, y) = static_cast<std::uint8_t>(number(random, 0, 1) == 0 ? random() : 255 * (random() % 2));
    }
    return frame;
}

/// Of a scene, about its true motion between two pictures.
std::vector<PredictedCost> motion_about(double right, double down, const std::vector<std::uint32_t>& intra,
                                        std::mt19937& random) {
    std::vector<PredictedCost> motion;
    for (const std::uint32_t cost : intra) {
        const bool is_wild = number(random, 0, 7) == 0;
        const int off = is_wild ? 400 : number(random, 0, 12);
        const auto eighths = [&](double pels) {
            return static_cast<std::int16_t>(std::lround(8 * pels) + number(random, -off, off));
        };
        motion.push_back({static_cast<std::uint32_t>(number(random, 0, static_cast<int>(cost) + 20)),
                          {eighths(right), eighths(down)}});
    }
    return motion;
}

} // namespace

FilterInput random_filter_input(std::mt19937& random) {
    SceneParams params;
    params.width = 16 * number(random, 2, 7);
    params.height = 16 * number(random, 2, 5);
    const Point speed{number(random, -24, 24) / 8.0, number(random, -24, 24) / 8.0};
    params.speed = speed;
    params.noise = static_cast<double>(number(random, 0, 8));
    params.seed = static_cast<std::uint32_t>(random());
    const Scene scene(params);
    const bool is_noise = number(random, 0, 9) == 0;
    const auto picture = [&](int at) {
        return is_noise ? noise(params.width, params.height, random) : FramePtr(scene.render(at));
    };
    FilterInput input;
    input.picture = picture(2);
    input.quantiser = number(random, 4, 124) / 4.0;
    for (int i = 0; i < params.width / 16 * params.height / 16; ++i) {
        input.intra.push_back(static_cast<std::uint32_t>(number(random, 0, 3000)));
        input.strength.push_back(number(random, 0, 4) == 0 ? 0 : static_cast<float>(number(random, 0, 4000)) / 1000);
    }
    for (const int at : {1, 3, 0, 4}) {
        if (number(random, 0, 3) == 0) continue;
        const int pictures = at - 2;
        input.neighbours.push_back({picture(at), std::abs(pictures),
                                    motion_about(speed.x * pictures, speed.y * pictures, input.intra, random)});
    }
    return input;
}

} // namespace tandem::test
