// SPDX-License-Identifier: BSD-2-Clause
// Estimates the motion of a textured picture that moved by (3, -2), with the installed motion library.
#include <cstdint>
#include <cstdio>
#include <memory>

#include "me/estimator.h"

namespace {

tandem::FramePtr textured(int width, int height, int shift_x, int shift_y) {
    auto frame = std::make_shared<tandem::Frame>(width, height);
    frame->plane(1).fill(128);
    frame->plane(2).fill(128);
    const tandem::MutablePlaneView luma = frame->plane(0).view();
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const auto column = static_cast<std::uint32_t>(x + shift_x), row = static_cast<std::uint32_t>(y + shift_y);
            luma.at(x, y) = static_cast<std::uint8_t>((column * 2654435761u ^ row * 2246822519u) >> 24);
        }
    return frame;
}

} // namespace

int main() {
    tandem::MotionRequest request;
    request.reference = textured(64, 48, 16, 16);
    request.current = textured(64, 48, 19, 14);
    const tandem::MotionField field = tandem::make_cpu_estimator(1)->estimate(request);
    // The middle block sees all of its range: its vector is exact, in eighths of a pel.
    const tandem::Mv found = field.best(1, 1).mv;
    std::printf("motion of block (1, 1): %d, %d eighths of a pel\n", found.x, found.y);
    std::printf("GPUs: %zu\n", tandem::make_gpu_estimators(nullptr).size());
    return found.x == 3 * 8 && found.y == -2 * 8 ? 0 : 1;
}
