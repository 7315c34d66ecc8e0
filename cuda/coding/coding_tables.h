// SPDX-License-Identifier: BSD-2-Clause
// What the host prepares of a stream and of a picture for the kernels that code it, and what it makes of their levels.
#pragma once

#include "coding/mpeg/mpeg_backend.h"
#include "cuda/coding/coding_task.h"

namespace tandem::cuda {

CodingTables make_coding_tables(const MpegTools& tools);

/// The slice of each macroblock, for slices that cover the picture.
std::vector<std::uint32_t> slices_by_macroblock(std::span<const SliceExtent> slices);

/// The task's numbers: all but addresses. `fields` of the job are there.
CodingTask task_of(const MpegTools& tools, const MpegCodingJob& job);

/// Levels to MpegPicture's places, where flags and `nonzero` are there already.
void unpack_levels(std::span<const std::int16_t> packed, std::span<const std::uint32_t> packed_at,
                   MpegPicture& picture);

} // namespace tandem::cuda
