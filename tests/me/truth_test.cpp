// SPDX-License-Identifier: BSD-2-Clause
// What the searches find of motion that is known: the share of blocks whose vector is within a pel of the truth.
#include <gtest/gtest.h>

#include <cmath>

#include "me/estimator.h"
#include "me/search.h"
#include "sequences/scene.h"

namespace tandem {
namespace {

struct TrueScene {
    const char* name;
    SceneParams scene;
    std::int64_t picture; ///< Predicted from the one before.
    double least_share;   ///< That a search from predictors finds.
    bool beyond_range;    ///< Nothing is there to be found within 16 pels of zero.
};

SceneParams scene_of(SceneKind kind) {
    SceneParams params;
    params.kind = kind;
    params.width = 640;
    params.height = 360;
    params.frames = 12;
    return params;
}

SceneParams moving(SceneKind kind, Point speed) {
    SceneParams params = scene_of(kind);
    params.speed = speed;
    return params;
}

SceneParams zooming(double zoom) {
    SceneParams params = scene_of(SceneKind::zoom);
    params.zoom = zoom;
    return params;
}

SceneParams with_objects(double speed) {
    SceneParams params = scene_of(SceneKind::objects);
    params.objects = 12;
    params.object_speed = speed;
    return params;
}

// Measured shares are 0.99 and more; of the fade, whose pictures differ by their brightness too, 0.80 and more.
const TrueScene scenes[] = {{"pan", moving(SceneKind::pan, {6, -3}), 1, 0.98, false},
                            {"far_pan", moving(SceneKind::pan, {96, -40}), 1, 0.98, true},
                            {"pan_down", moving(SceneKind::pan, {-11, 75}), 1, 0.98, true},
                            {"zoom_in", zooming(1.06), 4, 0.98, false},
                            {"zoom_out", zooming(0.95), 4, 0.98, false},
                            {"fade", moving(SceneKind::fade, {37, 10}), 3, 0.78, true},
                            {"after_a_cut", moving(SceneKind::cut, {-70, 22}), 8, 0.98, true},
                            {"fast_objects", with_objects(40), 2, 0.98, false}};

class Truth : public testing::TestWithParam<TrueScene> {
  protected:
    Truth() : scene_(GetParam().scene) {
        const std::int64_t picture = GetParam().picture;
        request_.current = scene_.render(picture);
        request_.reference = scene_.render(picture - 1);
    }

    /// Of the blocks whose truth is one vector that does not leave the picture.
    double share_found(Algorithm algorithm, Start start) {
        SearchParams& params = request_.params;
        params.algorithm = algorithm;
        params.start = start;
        params.range_x = params.range_y = search_row(algorithm).usual_range;
        params.lambda_q8 = 1024; // Four samples' worth a bit, as at a middling quantiser.
        const MotionField field = make_cpu_estimator(2)->estimate(request_);
        const std::vector<Scene::Motion> truth = scene_.motion(GetParam().picture, params.block_width);
        int blocks = 0, found = 0;
        for (int row = 0; row < field.rows(); ++row) {
            for (int column = 0; column < field.columns(); ++column) {
                const Scene::Motion& motion = truth[static_cast<std::size_t>(row * field.columns() + column)];
                if (std::isnan(motion.x)) continue;
                const Mv mv = field.best(column, row).mv;
                ++blocks;
                found += std::abs(mv.x / 8.0 - motion.x) <= 1 && std::abs(mv.y / 8.0 - motion.y) <= 1;
            }
        }
        EXPECT_GT(blocks, 200);
        return static_cast<double>(found) / blocks;
    }

  private:
    Scene scene_;
    MotionRequest request_;
};

TEST_P(Truth, IsFoundFromPredictors) {
    for (const SearchRow& row : search_table()) {
        if (!row.walks && !row.begins_at_predictors) continue;
        const Start start = row.walks ? Start::predictors : Start::zero;
        EXPECT_GE(share_found(row.algorithm, start), GetParam().least_share) << row.name;
    }
}

TEST_P(Truth, IsNotFoundBeyondARangeAboutZero) {
    if (!GetParam().beyond_range) return;
    for (const SearchRow& row : search_table()) {
        if (!row.walks && row.algorithm != Algorithm::full) continue;
        EXPECT_LE(share_found(row.algorithm, Start::zero), 0.02) << row.name;
    }
}

INSTANTIATE_TEST_SUITE_P(Scenes, Truth, testing::ValuesIn(scenes),
                         [](const auto& test) { return std::string(test.param.name); });

/// The mean end-point error of full search over the picture before, in pels.
double error_by(Metric metric, const Scene& scene, std::int64_t picture) {
    MotionRequest request;
    request.current = scene.render(picture);
    request.reference = scene.render(picture - 1);
    request.params.metric = metric;
    request.params.precision = 4;
    const MotionField field = make_cpu_estimator(1)->estimate(request);
    const auto truth = scene.motion(picture, 16);
    double sum = 0;
    int known = 0;
    for (int i = 0; i < field.columns() * field.rows(); ++i) {
        const Scene::Motion expected = truth[static_cast<std::size_t>(i)];
        if (std::isnan(expected.x)) continue;
        const Mv mv = field.best(i % field.columns(), i / field.columns()).mv;
        sum += std::hypot(mv.x / 8.0 - expected.x, mv.y / 8.0 - expected.y);
        ++known;
    }
    return sum / known;
}

TEST(Metrics, BrightnessDoesNotFoolThoseThatDoNotSeeIt) {
    SceneParams params;
    params.kind = SceneKind::fade;
    params.width = 176;
    params.height = 144;
    params.frames = 10;
    const Scene scene(params);
    const double by_sad = error_by(Metric::sad, scene, 5);
    EXPECT_GT(by_sad, 3) << "a picture that gets darker by a tenth";
    EXPECT_LT(error_by(Metric::zsad, scene, 5), by_sad / 3);
    EXPECT_LT(error_by(Metric::ncc, scene, 5), 0.25) << "and with less contrast";
}

} // namespace
} // namespace tandem
