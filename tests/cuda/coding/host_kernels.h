// SPDX-License-Identifier: BSD-2-Clause
// The kernels that code pictures, run by the host: loops in the place of launches.
#pragma once

#include <cstdint>
#include <vector>

#include "coding/mpeg/mpeg_backend.h"

namespace tandem::test {

/// Codes the job's picture as a GPU would and fills its arrays and its reconstruction; coded_since_intra where a
/// reference is made. The references are whole. `backwards`: groups of threads, and threads in them, in falling order.
void code_on_host(const MpegTools& tools, MpegCodingJob& job, bool backwards);

} // namespace tandem::test
