// SPDX-License-Identifier: BSD-2-Clause
// Phase correlation of all blocks of a task on the device.
#pragma once

#include "cuda/device/handles.h"
#include "cuda/phase/phase_fourier.h"
#include "cuda/phase/phase_task.h"
#include "cuda/requests/search_task.h"
#include "me/search_params.h"

namespace tandem::cuda {

/// What a batch of blocks needs.
struct PhaseMemory {
    DeviceFourier fourier;
    DeviceBuffer<float> samples;  ///< Current windows, then the reference's; then the correlations.
    DeviceBuffer<float2> spectra; ///< The same.
    DeviceBuffer<Displacement> displacements;
    DeviceBuffer<Mv> proposals;
};

/// Queues the search but for refinement. `current` and `reference` have params.phase_layers layers.
void queue_phase(const SearchParams& params, const SearchTask& task, const SampleLayers& current,
                 const SampleLayers& reference, PhaseMemory& memory, Stream& stream);

} // namespace tandem::cuda
