// SPDX-License-Identifier: BSD-2-Clause
// How much a macroblock's luma differs from what a mode predicts.
#pragma once

#include "coding/mpeg/decide.h"
#include "cuda/coding/kernels/lanes.h"
#include "cuda/coding/kernels/predicted_samples.h"

namespace tandem::cuda {

/// Adds up difference(source - prediction) over the macroblock.
template <class Difference>
TANDEM_HOST_DEVICE std::uint32_t mode_distortion(const Lanes& lanes, const CodingTask& task, const Mode& mode,
                                                 int macroblock, const Difference& difference) {
    const int left = task.left(macroblock), top = task.top(macroblock);
    const SamplesFrom source(task.source, 0, left, top);
    const PredictedSamples predicted(task, mode.flags, mode.forward, mode.backward, 0, left, top);
    return lanes.sum(256, [&](int i) {
        const int x = i % 16, y = i / 16;
        return static_cast<std::uint32_t>(difference(source(x, y) - predicted(x, y)));
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
    std::uint32_t error = squared_differences(lanes, task, mode, macroblock);
    TANDEM_ROLLED
    for (int plane = 1; plane < 3; ++plane) {
        const SamplesFrom source(task.source, plane, left, top);
        const PredictedSamples predicted(task, mode.flags, mode.forward, mode.backward, plane, left, top);
        error += lanes.sum(64, [&](int i) {
            const int difference = source(i % 8, i / 8) - predicted(i % 8, i / 8);
            return static_cast<std::uint32_t>(difference * difference);
        });
    }
    return error;
}

/// The SAD of the mean of both directions' chosen predictions, for B pictures.
TANDEM_HOST_DEVICE inline void measure_both(const Lanes& lanes, const CodingTask& task, int macroblock) {
    const Mode both{mb_forward | mb_backward, task.direction[0].chosen[macroblock].mv,
                    task.direction[1].chosen[macroblock].mv};
    const std::uint32_t sad = absolute_differences(lanes, task, both, macroblock);
    lanes.once([&] { task.both_sad[macroblock] = sad; });
}

} // namespace tandem::cuda
