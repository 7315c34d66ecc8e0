// SPDX-License-Identifier: BSD-2-Clause
// What a kernel gets that filters a picture: coding/filter/temporal_filter.h says how.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "coding/filter/fine_prediction.h"
#include "coding/filter/temporal_filter.h"
#include "cuda/coding/coding_task.h"

namespace tandem::cuda {

/// All arrays are by macroblock.
struct FilterTask {
    struct Neighbour {
        SamplePlanes samples;
        const PredictedCost* motion;
        float nearness;
    };
    int columns, rows; ///< Macroblocks.
    SamplePlanes picture;
    WrittenPlanes filtered;
    const std::uint32_t* intra;
    const float* strength;
    float half_inverse_variance;
    int neighbours;
    Neighbour neighbour[most_filter_neighbours];
    std::int16_t taps[16][fine_taps]; ///< fine_tap_weights().

    TANDEM_HOST_DEVICE int macroblocks() const { return columns * rows; }
};

/// Queues the work on the stream and checks the launch (RunError).
void launch_filter(const FilterTask& task, cudaStream_t stream);

} // namespace tandem::cuda
