// SPDX-License-Identifier: BSD-2-Clause
// Work that may take minutes ends soon after the process is told to stop.
#pragma once

#include <atomic>
#include <cstdint>

namespace tandem {

/// `told_at` must live as long as the process: when it was told to stop, in nanoseconds of the monotonic clock; 0: it
/// was not.
void end_long_work_when(const std::atomic<std::int64_t>& told_at);

/// Between the parts of a long piece of work, such as rows of positions of a search, from any thread. Throws
/// Interrupted where the process was told to stop more than a second ago: what is short is still done.
void end_long_work();

} // namespace tandem
