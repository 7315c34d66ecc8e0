// SPDX-License-Identifier: BSD-2-Clause
// How a window's rows of vectors are cut into chunks, each of which a thread searches.
#pragma once

#include <cstdint>

namespace tandem::cuda {

inline constexpr int most_chunk_rows = 240; ///< Ranks of rows fit into a byte.
inline constexpr int least_chunk_rows = 16;
inline constexpr int wanted_warps = 4096; ///< They keep a large device busy.

constexpr int parts(int whole, int part) { return (whole + part - 1) / part; }

/// At least `chunks`, and more, shorter ones where the warps of one are too few for a large device.
constexpr int enough_chunks(int chunks, int rows, std::int64_t warps) {
    while (warps * chunks < wanted_warps && parts(rows, chunks + 1) >= least_chunk_rows)
        ++chunks;
    return chunks;
}

} // namespace tandem::cuda
