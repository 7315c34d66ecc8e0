// SPDX-License-Identifier: BSD-2-Clause
// The searches of more than one kernel.
#pragma once

#include <span>
#include <vector>

#include "cuda/device/device_frame.h"
#include "cuda/device/handles.h"
#include "cuda/full/full_search_plan.h"
#include "me/search_params.h"

namespace tandem::cuda {

/// Queue the kernel of the plan's first step, and the short ones that a full search needs after it. `memory`:
/// plan.correlation_bytes of device memory, which products of matrices read.
void queue_full_sweep(const SearchTask& task, const FullSearchPlan& plan, std::uint8_t* memory, Stream& stream);
void queue_full_end(const SearchTask& task, const FullSearchPlan& plan, Stream& stream);

/// What the passes before the last found.
struct PassMemory {
    DeviceBuffer<Candidate> found[2];
};
/// The predictors of rows_searched_above() lie before the task's own.
void queue_smpuhex(const SearchParams& params, const SearchTask& task, const CoarseCells& coarse, PassMemory& memory,
                   Stream& stream);

/// Levels of the two pictures' pyramids, from level 1 on.
struct HeldPyramids {
    std::vector<HeldLevel> current, reference;
};

/// What the levels of a coarse search find, of which each reads the one before.
struct CoarseMemory {
    DeviceBuffer<Position> found[2];
};
/// The coarse search for the task's rows of blocks and `rows_above` before them, where the search begins at predictors;
/// else no cells. What it finds is in `memory`. Of several pictures `levels` has the planes, from level 1 on, and
/// `pyramids` are those of the first.
CoarseCells queue_coarse(const SearchParams& params, const SearchTask& task, int rows_above,
                         const HeldPyramids& pyramids, std::span<const PictureBatch> levels, CoarseMemory& memory,
                         Stream& stream);
/// With a wide search after it where the parameters have one.
void queue_predictive(const SearchParams& params, const SearchTask& task, const CoarseCells& coarse,
                      const HeldPyramids& pyramids, Stream& stream);
void queue_hierarchical(const SearchParams& params, const SearchTask& task, const HeldPyramids& pyramids,
                        Stream& stream);

} // namespace tandem::cuda
