// SPDX-License-Identifier: BSD-2-Clause
// How much a macroblock's luma differs from what a mode predicts.
#pragma once

#include "coding/mpeg/decide.h"
#include "cuda/coding/kernels/half_pels.h"

namespace tandem::cuda {

/// A sample of a reference's luma displaced by a vector in half-pels.
TANDEM_HOST_DEVICE inline int displaced_luma(const SamplePlanes& reference, int x, int y, Mv mv) {
    const std::uint8_t* at =
        reference.plane[0] + static_cast<std::ptrdiff_t>(y + (mv.y >> 3)) * reference.stride[0] + x + (mv.x >> 3);
    return half_pel_sample(at, reference.stride[0], mv.x >> 2 & 1, mv.y >> 2 & 1);
}

/// The luma sample that a mode predicts at (x, y): neither direction is forward with the zero vector.
TANDEM_HOST_DEVICE inline int predicted_luma(const CodingTask& task, int flags, Mv forward, Mv backward, int x, int y) {
    const bool uses_backward = (flags & mb_backward) != 0;
    const bool both = uses_backward && (flags & mb_forward) != 0;
    if (uses_backward && !both) return displaced_luma(task.direction[1].reference, x, y, backward);
    const int first = displaced_luma(task.direction[0].reference, x, y, forward);
    return both ? (first + displaced_luma(task.direction[1].reference, x, y, backward) + 1) >> 1 : first;
}

/// A chroma sample: the vector is halved towards zero and again at half-pel precision (13818-2 clause 7.6.3.7).
TANDEM_HOST_DEVICE inline int displaced_chroma(const SamplePlanes& reference, int plane, int x, int y, Mv mv) {
    const int dx = mv.x / eighths_per_half_pel / 2, dy = mv.y / eighths_per_half_pel / 2;
    const std::uint8_t* at =
        reference.plane[plane] + static_cast<std::ptrdiff_t>(y + (dy >> 1)) * reference.stride[plane] + x + (dx >> 1);
    return half_pel_sample(at, reference.stride[plane], dx & 1, dy & 1);
}

/// As predicted_luma().
TANDEM_HOST_DEVICE inline int predicted_chroma(const CodingTask& task, int flags, Mv forward, Mv backward, int plane,
                                               int x, int y) {
    const bool uses_backward = (flags & mb_backward) != 0, both = uses_backward && (flags & mb_forward) != 0;
    if (uses_backward && !both) return displaced_chroma(task.direction[1].reference, plane, x, y, backward);
    const int first = displaced_chroma(task.direction[0].reference, plane, x, y, forward);
    return both ? (first + displaced_chroma(task.direction[1].reference, plane, x, y, backward) + 1) >> 1 : first;
}

/// Adds up difference(source - prediction) over the macroblock.
template <class Difference>
TANDEM_HOST_DEVICE std::uint32_t mode_distortion(const Lanes& lanes, const CodingTask& task, const Mode& mode,
                                                 int macroblock, const Difference& difference) {
    const int left = task.left(macroblock), top = task.top(macroblock);
    return lanes.sum(256, [&](int i) {
        const int x = left + i % 16, y = top + i / 16;
        const int source = task.source.plane[0][static_cast<std::ptrdiff_t>(y) * task.source.stride[0] + x];
        return static_cast<std::uint32_t>(
            difference(source - predicted_luma(task, mode.flags, mode.forward, mode.backward, x, y)));
    });
}
TANDEM_HOST_DEVICE inline std::uint32_t absolute_differences(const Lanes& lanes, const CodingTask& task,
                                                             const Mode& mode, int macroblock) {
    return mode_distortion(lanes, task, mode, macroblock, [](int d) { return d < 0 ? -d : d; });
}
TANDEM_HOST_DEVICE inline std::uint32_t squared_differences(const Lanes& lanes, const CodingTask& task,
                                                            const Mode& mode, int macroblock) {
    return mode_distortion(lanes, task, mode, macroblock, [](int d) { return d * d; });
}

/// The squared error of a prediction alone, of all samples.
TANDEM_HOST_DEVICE inline std::uint32_t prediction_error(const Lanes& lanes, const CodingTask& task, const Mode& mode,
                                                         int macroblock) {
    const int left = task.left(macroblock) / 2, top = task.top(macroblock) / 2;
    const std::uint32_t of_luma = squared_differences(lanes, task, mode, macroblock);
    return of_luma + lanes.sum(128, [&](int item) {
        const int plane = 1 + item / 64, x = left + item % 8, y = top + item % 64 / 8;
        const int source = task.source.plane[plane][static_cast<std::ptrdiff_t>(y) * task.source.stride[plane] + x];
        const int difference = source - predicted_chroma(task, mode.flags, mode.forward, mode.backward, plane, x, y);
        return static_cast<std::uint32_t>(difference * difference);
    });
}

/// The SAD of the mean of both directions' chosen predictions, for B pictures.
TANDEM_HOST_DEVICE inline void measure_both(const Lanes& lanes, const CodingTask& task, int macroblock) {
    const Mode both{mb_forward | mb_backward, task.direction[0].chosen[macroblock].mv,
                    task.direction[1].chosen[macroblock].mv};
    const std::uint32_t sad = absolute_differences(lanes, task, both, macroblock);
    lanes.once([&] { task.both_sad[macroblock] = sad; });
}

} // namespace tandem::cuda
