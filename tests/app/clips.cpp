// SPDX-License-Identifier: BSD-2-Clause
#include "tests/app/clips.h"

#include "sequences/scene.h"

namespace tandem::test {
namespace {

std::string picture_bytes(int width, int height, int frames, const std::string& before_each) {
    SceneParams params;
    params.width = width;
    params.height = height;
    params.frames = frames;
    const Scene scene(params);
    std::string bytes;
    for (int n = 0; n < frames; ++n) {
        const auto frame = scene.render(n);
        bytes += before_each;
        for (int plane = 0; plane < 3; ++plane) {
            const PlaneView view = frame->plane(plane).view();
            for (int y = 0; y < view.height; ++y)
                bytes.append(reinterpret_cast<const char*>(view.row(y)), static_cast<std::size_t>(view.width));
        }
    }
    return bytes;
}

} // namespace

std::string y4m_clip(int width, int height, int frames, const std::string& header_tags) {
    return "YUV4MPEG2 W" + std::to_string(width) + " H" + std::to_string(height) + " " + header_tags + "\n" +
           picture_bytes(width, height, frames, "FRAME\n");
}

std::string yuv_clip(int width, int height, int frames) { return picture_bytes(width, height, frames, ""); }

} // namespace tandem::test
