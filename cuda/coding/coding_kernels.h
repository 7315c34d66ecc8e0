// SPDX-License-Identifier: BSD-2-Clause
// The functions that launch the kernels of coding. Each queues its work on the stream, checks the launch (RunError) and
// returns. In this order they code a picture; what each computes stands in the header of its name.
#pragma once

#include <cuda_runtime_api.h>

#include "cuda/coding/coding_task.h"

namespace tandem::cuda {

/// The fields of both directions become those on the references; also how far their vectors go. P and B pictures.
void launch_refine_macroblocks(const CodingTask& task, cudaStream_t stream);
/// The vectors to choose between, and how much each macroblock deviates from its mean.
void launch_collect_vectors(const CodingTask& task, cudaStream_t stream);
void launch_choose_vectors(const CodingTask& task, cudaStream_t stream);
/// Flags and vectors of every macroblock. All picture types.
void launch_decide_modes(const CodingTask& task, cudaStream_t stream);
/// What that is by Decision::rd in P and B pictures: the modes to be tried, what each comes to, and the cheapest.
void launch_list_modes(const CodingTask& task, cudaStream_t stream);
void launch_try_modes(const CodingTask& task, cudaStream_t stream);
void launch_settle_modes(const CodingTask& task, cudaStream_t stream);
/// Levels, patterns, final flags, counts of codings and the reconstruction.
void launch_code_macroblocks(const CodingTask& task, cudaStream_t stream);

/// All of them.
void launch_coding(const CodingTask& task, cudaStream_t stream);

} // namespace tandem::cuda
