// SPDX-License-Identifier: BSD-2-Clause
// Scenes are what their truth says: the picture before, fetched along the true vectors, is the picture.
#include "sequences/scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "machine/errors.h"

namespace tandem {
namespace {

SceneParams small(SceneKind kind) {
    SceneParams params;
    params.kind = kind;
    params.width = 96;
    params.height = 64;
    params.frames = 12;
    return params;
}

/// Sums the samples, so that a change of the drawing, or a machine that draws otherwise, is seen.
std::uint64_t checksum(const Frame& frame) {
    std::uint64_t sum = 0;
    for (int plane = 0; plane < 3; ++plane) {
        const PlaneView view = frame.plane(plane).view();
        for (int y = 0; y < view.height; ++y)
            for (int x = 0; x < view.width; ++x)
                sum = hash(sum ^ view.at(x, y));
    }
    return sum;
}

/// Cubic interpolation (Catmull-Rom, Keys 1981 with a = -1/2) of the luma at a place; clamped at the edges.
double sample(PlaneView view, double x, double y) {
    const auto weights = [](double t) {
        return std::array{((-t + 2) * t - 1) * t / 2, ((3 * t - 5) * t * t + 2) / 2, ((-3 * t + 4) * t + 1) * t / 2,
                          (t - 1) * t * t / 2};
    };
    const int left = static_cast<int>(std::floor(x)), top = static_cast<int>(std::floor(y));
    const auto wx = weights(x - left), wy = weights(y - top);
    double sum = 0;
    for (int j = 0; j < 4; ++j)
        for (int i = 0; i < 4; ++i)
            sum += wx[static_cast<std::size_t>(i)] * wy[static_cast<std::size_t>(j)] *
                   view.at(std::clamp(left - 1 + i, 0, view.width - 1), std::clamp(top - 1 + j, 0, view.height - 1));
    return sum;
}

struct Match {
    int known = 0;
    double mean_error = 0;  ///< Mean absolute difference of luma where the truth is known.
    double still_error = 0; ///< The same without motion.
};

Match match_along_truth(const Scene& scene, std::int64_t index) {
    const auto now = scene.render(index), before = scene.render(index - 1);
    const auto field = scene.motion(index, 1);
    Match match;
    for (int y = 2; y < scene.height() - 2; ++y) {
        for (int x = 2; x < scene.width() - 2; ++x) {
            const Scene::Motion mv = field[static_cast<std::size_t>(y * scene.width() + x)];
            if (std::isnan(mv.x)) continue;
            ++match.known;
            const double value = now->luma().view().at(x, y);
            match.mean_error += std::abs(value - sample(before->luma().view(), x + mv.x, y + mv.y));
            match.still_error += std::abs(value - before->luma().view().at(x, y));
        }
    }
    match.mean_error /= match.known;
    match.still_error /= match.known;
    return match;
}

class SceneTruth : public testing::TestWithParam<SceneKind> {};

TEST_P(SceneTruth, ThePictureBeforeAlongTheTruthIsThePicture) {
    SceneParams params = small(GetParam());
    params.noise = 0;
    const Scene scene(params);
    for (const std::int64_t index : {1, 5}) {
        const Match match = match_along_truth(scene, index);
        EXPECT_GT(match.known, scene.width() * scene.height() * 6 / 10);
        EXPECT_LT(match.mean_error, 0.7);
        EXPECT_GT(match.still_error, 3 * match.mean_error);
    }
}

INSTANTIATE_TEST_SUITE_P(Kinds, SceneTruth,
                         testing::Values(SceneKind::pan, SceneKind::zoom, SceneKind::rotation, SceneKind::objects,
                                         SceneKind::noise, SceneKind::cut, SceneKind::repeats));

TEST(Scene, WholePelPansMoveSamplesExactly) {
    SceneParams params = small(SceneKind::pan);
    params.speed = Point{4, -2};
    const Scene scene(params);
    const auto now = scene.render(7), before = scene.render(6);
    for (int plane = 0; plane < 3; ++plane) {
        const PlaneView a = now->plane(plane).view(), b = before->plane(plane).view();
        const int dx = plane == 0 ? 4 : 2, dy = plane == 0 ? -2 : -1;
        for (int y = 4; y < a.height - 4; ++y)
            for (int x = 4; x < a.width - 4; ++x)
                ASSERT_EQ(a.at(x, y), b.at(x - dx, y - dy)) << x << " " << y;
    }
    const auto field = scene.motion(7, 16);
    EXPECT_EQ(field[1 * 6 + 2].x, -4.0f);
    EXPECT_EQ(field[1 * 6 + 2].y, 2.0f);
}

TEST(Scene, BlocksOnObjectEdgesHaveNoTruth) {
    SceneParams params = small(SceneKind::objects);
    params.objects = 3;
    const Scene scene(params);
    const auto dense = scene.motion(3, 1);
    const auto blocks = scene.motion(3, 16);
    int unknown = 0;
    for (int row = 0; row < 4; ++row) {
        for (int column = 0; column < 6; ++column) {
            bool whole = true;
            for (int y = row * 16; y < row * 16 + 16; ++y)
                for (int x = column * 16; x < column * 16 + 16; ++x) {
                    const Scene::Motion pel = dense[static_cast<std::size_t>(y * 96 + x)];
                    const Scene::Motion corner = dense[static_cast<std::size_t>(row * 16 * 96 + column * 16)];
                    whole = whole && pel.x == corner.x && pel.y == corner.y;
                }
            const bool known = !std::isnan(blocks[static_cast<std::size_t>(row * 6 + column)].x);
            EXPECT_EQ(known, whole) << row << " " << column;
            unknown += known ? 0 : 1;
        }
    }
    EXPECT_GT(unknown, 2);
    EXPECT_LT(unknown, 24);
}

TEST(Scene, HiddenPelsAreCountedWithTheMotionOfWhatTheyBelongTo) {
    SceneParams params = small(SceneKind::occlusion);
    params.objects = 5;
    const Scene scene(params);
    const auto seen = scene.motion(3, 1), all = scene.motion(3, 1, HiddenPels::counted);
    int hidden = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        ASSERT_FALSE(std::isnan(all[i].x) || std::isnan(all[i].y)) << i;
        if (std::isnan(seen[i].x)) {
            ++hidden;
            continue;
        }
        ASSERT_EQ(seen[i].x, all[i].x);
        ASSERT_EQ(seen[i].y, all[i].y);
    }
    EXPECT_GT(hidden, 96 * 64 / 20);
    // The background moves by (2, -1), so that the left column comes from outside of the picture.
    const auto left = std::count_if(all.begin(), all.end(), [](const Scene::Motion& mv) { return mv.x == -2; });
    EXPECT_GT(left, 96 * 64 / 3);
    EXPECT_TRUE(std::isnan(seen[96 * 63].x));
    EXPECT_TRUE(std::isnan(Scene(small(SceneKind::cut)).motion(6, 16, HiddenPels::counted)[0].x)) << "a cut hides all";
}

/// Mean absolute difference of luma from the samples so many pels to the right.
double difference_from(PlaneView view, int distance) {
    double sum = 0;
    for (int y = 0; y < view.height; ++y)
        for (int x = 0; x + distance < view.width; ++x)
            sum += std::abs(view.at(x, y) - view.at(x + distance, y));
    return sum / (view.height * (view.width - distance));
}

TEST(Scene, FineTextureRepeatsAndCoarseTextureDoesNot) {
    SceneParams params = small(SceneKind::repeats);
    for (const int period : {8, 16}) {
        params.repeat = period;
        const auto picture = Scene(params).render(0);
        const PlaneView luma = picture->luma().view();
        const double repeated = difference_from(luma, period), between = difference_from(luma, period / 2);
        EXPECT_LT(2 * repeated, between) << period;
        EXPECT_GT(repeated, 0.5) << "coarse texture tells one period from the next";
    }
    params.repeat = 0;
    const auto plain = Scene(params).render(0);
    EXPECT_GT(difference_from(plain->luma().view(), 8), difference_from(plain->luma().view(), 4));
}

TEST(Scene, ABlurGoesAndComesBack) {
    SceneParams params = small(SceneKind::blur);
    params.speed = Point{0, 0};
    const Scene scene(params);
    const auto detail = [&](std::int64_t index) {
        const auto picture = scene.render(index);
        return difference_from(picture->luma().view(), 1);
    };
    EXPECT_GT(detail(0), detail(1));
    EXPECT_GT(detail(1), detail(2));
    EXPECT_GT(detail(2), 1.2 * detail(4)) << "the least in focus";
    EXPECT_EQ(detail(3), detail(5));
    EXPECT_EQ(detail(0), detail(8));
    EXPECT_EQ(scene.motion(4, 16)[8].x, 0) << "and the truth does not see it";
}

TEST(Scene, ACutHasNoTruth) {
    const Scene scene(small(SceneKind::cut));
    for (const Scene::Motion mv : scene.motion(6, 16))
        EXPECT_TRUE(std::isnan(mv.x) && std::isnan(mv.y));
    EXPECT_FALSE(std::isnan(scene.motion(5, 16)[8].x));
    EXPECT_FALSE(std::isnan(scene.motion(7, 16)[8].x));
}

TEST(Scene, AFadeEndsInBlack) {
    const Scene scene(small(SceneKind::fade));
    const auto last = scene.render(11);
    EXPECT_EQ(last->luma().view().at(40, 30), 16);
    EXPECT_EQ(last->plane(1).view().at(20, 15), 128);
}

TEST(Scene, NoiseHasItsStandardDeviation) {
    SceneParams params = small(SceneKind::pan);
    const auto clean = Scene(params).render(4);
    params.noise = 6;
    const auto noisy = Scene(params).render(4);
    double sum = 0, squares = 0;
    int count = 0;
    for (int y = 0; y < 64; ++y) {
        for (int x = 0; x < 96; ++x) {
            const int value = clean->luma().view().at(x, y);
            if (value < 50 || value > 200) continue; // away from the limits of the range
            const double difference = noisy->luma().view().at(x, y) - value;
            sum += difference;
            squares += difference * difference;
            ++count;
        }
    }
    ASSERT_GT(count, 3000);
    EXPECT_NEAR(sum / count, 0, 0.5);
    EXPECT_NEAR(std::sqrt(squares / count), 6, 0.4);
}

TEST(Scene, SamplesAreTheSameOnEveryMachine) {
    // Written down on x86-64. Another number on another machine means that the drawing depends on it.
    EXPECT_EQ(checksum(*Scene(small(SceneKind::pan)).render(3)), 3262493427115486935u);
    EXPECT_EQ(checksum(*Scene(small(SceneKind::zoom)).render(3)), 14167671234247881048u);
    EXPECT_EQ(checksum(*Scene(small(SceneKind::rotation)).render(3)), 15547087965552918751u);
    EXPECT_EQ(checksum(*Scene(small(SceneKind::objects)).render(3)), 12060729190829870205u);
    EXPECT_EQ(checksum(*Scene(small(SceneKind::noise)).render(3)), 11282104912606536301u);
}

TEST(Scene, EverySizeIsDrawn) {
    for (const auto& [width, height] : {std::pair{1, 1}, {1, 9}, {17, 1}, {3, 2}}) {
        SceneParams params = small(SceneKind::objects);
        params.width = width;
        params.height = height;
        const Scene scene(params);
        EXPECT_EQ(scene.render(2)->width(), width);
        EXPECT_EQ(scene.motion(1, 16).size(), static_cast<std::size_t>((width + 15) / 16 * ((height + 15) / 16)));
    }
}

TEST(Scene, RefusesWhatItCannotDraw) {
    const auto refused = [](auto change) {
        SceneParams params = small(SceneKind::pan);
        change(params);
        EXPECT_THROW(Scene{params}, InputError);
    };
    refused([](SceneParams& params) { params.width = 0; });
    refused([](SceneParams& params) { params.height = 16385; });
    refused([](SceneParams& params) { params.frames = 0; });
    refused([](SceneParams& params) { params.speed = Point{300, 0}; });
    refused([](SceneParams& params) { params.speed = Point{0, std::nan("")}; });
    refused([](SceneParams& params) { params.zoom = 3; });
    refused([](SceneParams& params) { params.zoom = 1.9; });
    refused([](SceneParams& params) { params.rotation = 91; });
    refused([](SceneParams& params) { params.objects = -1; });
    refused([](SceneParams& params) { params.object_speed = 129; });
    refused([](SceneParams& params) { params.noise = 65; });
    refused([](SceneParams& params) { params.blur = 17; });
    for (const int period : {-8, 4, 12, 256})
        refused([period](SceneParams& params) { params.repeat = period; });
    const Scene scene(small(SceneKind::pan));
    EXPECT_THROW(scene.motion(0, 16), InputError);
    EXPECT_THROW(scene.motion(1, 0), InputError);
}

} // namespace
} // namespace tandem
