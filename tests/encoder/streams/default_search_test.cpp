// SPDX-License-Identifier: BSD-2-Clause
// Motion in streams by the search that is taken where nobody chose one.
#include <gtest/gtest.h>

#include <cstdlib>

#include "bitstream/mpeg/code_length.h"
#include "sequences/scene.h"
#include "tests/encoder/encoded_clip.h"
#include "tests/encoder/streams/checked_stream.h"

namespace tandem::test {
namespace {

Clip pan(Point speed) {
    SceneParams params;
    params.width = 256;
    params.height = 192;
    params.frames = 2;
    params.speed = speed;
    const Scene scene(params);
    return {scene.render(0), scene.render(1)};
}

// No range about zero that is usual has such vectors.
TEST(DefaultSearch, FindsLargeMotion) {
    Settings settings;
    settings.threads = 1;
    for (const Point speed : {Point{45, -20}, Point{-9, 50}}) {
        const CheckedStream stream(settings, pan(speed));
        SCOPED_TRACE(testing::Message() << speed.x << " " << speed.y);
        stream.check();
        const MpegPicture& predicted = stream.pictures()[1].code;
        EXPECT_GE(predicted.f_code[0][0], f_code_for(static_cast<int>(2 * std::abs(speed.x))));
        EXPECT_GE(predicted.f_code[0][1], f_code_for(static_cast<int>(2 * std::abs(speed.y))));
    }
}

} // namespace
} // namespace tandem::test
