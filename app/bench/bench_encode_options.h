// SPDX-License-Identifier: BSD-2-Clause
// The options of `tandem bench encode` as a plain struct.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/options/arguments.h"
#include "encoder/settings.h"
#include "machine/simd_level.h"
#include "video/source.h"

namespace tandem {

struct BenchEncodeOptions {
    std::string input;
    SourceOptions source;
    std::int64_t seek = 0;
    int frames = 24;   ///< Pictures in memory, 2 or more.
    int pictures = 96; ///< That a run codes, to and fro through those in memory; 8 or more.
    std::string preset;
    Settings settings; ///< The preset's but for what was given; threads apart.
    int repeat = 5;
    std::vector<int> threads;      ///< That runs have: 1, 2, 4 ... and the most that were asked for.
    std::optional<SimdLevel> simd; ///< Nothing: the best.
    std::string report;            ///< Empty: not wanted.
};

/// Throws InputError for options of `tandem bench motion` alone, and for a clip that cannot be read twice.
BenchEncodeOptions bench_encode_options(const Arguments& arguments);

} // namespace tandem
