// SPDX-License-Identifier: BSD-2-Clause
// The options of `tandem bench motion` as a plain struct.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/options/arguments.h"
#include "machine/simd_level.h"
#include "me/search_params.h"
#include "video/source.h"

namespace tandem {

struct BenchMotionOptions {
    std::string input; ///< Empty: pictures of noise.
    SourceOptions source;
    int width = 1920, height = 1080; ///< Of the noise.
    std::int64_t seek = 0;
    int frames = 5;                 ///< Pictures in memory, 2 or more: one pair fewer.
    std::vector<SearchParams> rows; ///< What is measured, in the order of the table.
    int repeat = 5;
    int threads = 1;
    std::optional<SimdLevel> simd; ///< Nothing: the best.
    bool peers = false;
    std::string report; ///< Empty: not wanted.
};

/// Every search with every block size, range and metric; a full search twice, without shortcuts and with. Throws
/// InputError for words that no search, size, range or metric has.
BenchMotionOptions bench_motion_options(const Arguments& arguments);

} // namespace tandem
