// SPDX-License-Identifier: BSD-2-Clause
// How much a macroblock differs from what a mode predicts.
#pragma once

#include "coding/mpeg/decide.h"
#include "cuda/coding/kernels/lanes.h"
#include "cuda/coding/kernels/predicted_samples.h"

namespace tandem::cuda {

/// What a lane's share of a macroblock adds up to: add(four samples, four of the prediction, a sum) the new sum.
template <class Add>
TANDEM_HOST_DEVICE std::uint32_t luma_distortion(const CodingTask& task, const Mode& mode, int left, int top,
                                                 const LaneShare& share, const Add& add) {
    const TwoRows source = SamplesFrom(task.source, 0, left, top).two_rows(share.x, share.y);
    const TwoRows predicted =
        PredictedSamples(task, mode.flags, mode.forward, mode.backward, 0, left, top).two_rows(share.x, share.y);
    return add(source.above, predicted.above, add(source.below, predicted.below, 0));
}
TANDEM_HOST_DEVICE inline std::uint32_t absolute_differences(const Lanes& lanes, const CodingTask& task,
                                                             const Mode& mode, int macroblock) {
    const int left = task.left(macroblock), top = task.top(macroblock);
    return lanes.sum(
        32, [&](int lane) { return luma_distortion(task, mode, left, top, LaneShare(lane), add_differences); });
}
TANDEM_HOST_DEVICE inline std::uint32_t squared_differences(const Lanes& lanes, const CodingTask& task,
                                                            const Mode& mode, int macroblock) {
    const int left = task.left(macroblock), top = task.top(macroblock);
    return lanes.sum(32,
                     [&](int lane) { return luma_distortion(task, mode, left, top, LaneShare(lane), add_squares); });
}

/// The squared error of a prediction alone, of all samples of the macroblock that begins at (left, top).
TANDEM_HOST_DEVICE inline std::uint32_t prediction_error(const Lanes& lanes, const CodingTask& task, const Mode& mode,
                                                         int left, int top) {
    return lanes.sum(32, [&](int lane) {
        const LaneShare share(lane);
        const std::uint32_t source =
            SamplesFrom(task.source, share.plane, left / 2, top / 2).four(share.chroma_x, share.chroma_y);
        const std::uint32_t predicted =
            PredictedSamples(task, mode.flags, mode.forward, mode.backward, share.plane, left / 2, top / 2)
                .four(share.chroma_x, share.chroma_y);
        return add_squares(source, predicted, luma_distortion(task, mode, left, top, share, add_squares));
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
