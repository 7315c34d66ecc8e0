// SPDX-License-Identifier: BSD-2-Clause
// The searches that are timed: as the device alone runs them, without uploads and downloads.
#pragma once

#include <array>

#include "cuda/device/device_frame.h"
#include "cuda/full/full_search_plan.h"

namespace tandem::cuda {

struct KernelCase {
    const char* name;
    int width, height;
    int block_width, block_height;
    int range_x, range_y;
    int candidates;
    Algorithm algorithm = Algorithm::full;
    int precision = 1;
    Metric metric = Metric::sad;
    int grid_shift = 0;
    Matrices matrices = Matrices::where_faster;
    int batch = 0; ///< So many pictures a launch, by the kernel for several; 0: one at a time.
};

struct KernelTimes {
    double milliseconds = 0;        ///< Of a field.
    double search_milliseconds = 0; ///< Of its first kernel alone.
    double words_milliseconds = 0;  ///< Of making a picture's word planes.
    double differences = 0;         ///< Absolute differences of samples in a full search; 0 for other searches.
};

/// Times one case on the calling thread's device.
KernelTimes time_kernels(const KernelCase& kernel_case, Stream& stream);

} // namespace tandem::cuda
