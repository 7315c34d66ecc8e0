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

std::vector<TrueScene> scenes() {
    return {{"a pan", moving(SceneKind::pan, {6, -3}), 1},
            {"a far pan", moving(SceneKind::pan, {96, -40}), 1},
            {"a pan down", moving(SceneKind::pan, {-11, 75}), 1},
            {"a zoom in", zooming(1.06), 4},
            {"a zoom out", zooming(0.95), 4},
            {"a fade", moving(SceneKind::fade, {37, 10}), 3},
            {"after a cut", moving(SceneKind::cut, {-70, 22}), 8},
            {"fast objects", with_objects(40), 2}};
}

/// Of the blocks whose truth is one vector that does not leave the picture.
double share_found(const TrueScene& known, const SearchParams& params) {
    const Scene scene(known.scene);
    const FramePtr current = scene.render(known.picture), reference = scene.render(known.picture - 1);
    const MotionField field = make_cpu_estimator(2)->estimate({current, reference, params, nullptr});
    const std::vector<Scene::Motion> truth = scene.motion(known.picture, params.block_width);
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
    EXPECT_GT(blocks, 200) << known.name;
    return static_cast<double>(found) / blocks;
}

SearchParams params_of(Algorithm algorithm) {
    SearchParams params;
    params.algorithm = algorithm;
    params.range_x = params.range_y = search_row(algorithm).usual_range;
    params.lambda_q8 = 1024;
    return params;
}

TEST(Truth, Print) {
    for (const TrueScene& scene : scenes()) {
        for (const SearchRow& row : search_table()) {
            if (row.from_hint || row.algorithm == Algorithm::phase) continue;
            SearchParams params = params_of(row.algorithm);
            std::printf("%s %s: %.3f", scene.name, std::string(row.name).c_str(), share_found(scene, params));
            if (row.walks) {
                params.start = Start::predictors;
                std::printf(" from predictors %.3f", share_found(scene, params));
            }
            std::printf("\n");
        }
    }
}

} // namespace
} // namespace tandem
