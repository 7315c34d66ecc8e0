// SPDX-License-Identifier: BSD-2-Clause
// The functions that launch the kernels of phase correlation; as kernels.h.
#pragma once

#include <cuda_runtime_api.h>

#include "cuda/phase/phase_task.h"
#include "cuda/requests/search_task.h"

namespace tandem::cuda {

/// 2x2 means of `from` to `to`, which `means` describes; edges replicate.
void launch_halve_by_means(const SamplePlane& from, std::uint8_t* to, const SamplePlane& means, cudaStream_t stream);

/// The windows of the current layer, then those of the reference, to `samples`: less their mean, and faded.
void launch_cut_windows(const SearchTask& task, const PhaseWindows& windows, float* samples, cudaStream_t stream);

/// The spectra of the current windows, then those of the reference, to the normalised cross-power spectra, in the place
/// of the latter.
void launch_cross_power(const PhaseWindows& windows, float2* spectra, cudaStream_t stream);

/// The highest peak of each correlation is the displacement on the next finer layer.
void launch_follow_peak(const SearchTask& task, const PhaseWindows& windows, const float* correlations,
                        cudaStream_t stream);
/// The `wanted` highest peaks of each correlation, fitted where `precision` is above 1, as proposals: so many per block
/// of the task.
void launch_propose_peaks(const SearchTask& task, const PhaseWindows& windows, const float* correlations, int wanted,
                          int precision, Mv* proposals, cudaStream_t stream);

/// Zero, the predictor and `count` proposals per block, measured.
void launch_measure_proposals(const SearchTask& task, const Mv* proposals, int count, cudaStream_t stream);

} // namespace tandem::cuda
