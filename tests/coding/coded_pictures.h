// SPDX-License-Identifier: BSD-2-Clause
// Coded pictures of all types, by random tools: for what counts or reads them.
#pragma once

#include <random>
#include <utility>

#include "tests/coding/random_picture.h"

namespace tandem::test {

/// Skips macroblocks that were coded, so that there are long runs.
inline void skip_runs(std::mt19937& random, MpegPicture& picture) {
    for (const SliceExtent slice : picture.slices) {
        for (int i = slice.first + 1; i < slice.end - 1; ++i) {
            if (random() % 16 != 0) picture.flags[static_cast<std::size_t>(i)] = mb_skipped;
        }
    }
}

/// check(tools, job): four pictures of each of so many streams, of which some P pictures skip nearly everything.
template <class Check> void for_coded_pictures(std::uint32_t streams, const Check& check) {
    TaskPool pool(2);
    std::mt19937 random(5);
    for (std::uint32_t seed = 1; seed <= streams && !testing::Test::HasFailure(); ++seed) {
        SCOPED_TRACE(seed);
        RandomStream stream(seed);
        const auto cpu = make_cpu_mpeg_backend(stream.tools(), pool, nullptr);
        ReferencePtr before, last;
        for (const PictureType type :
             {PictureType::intra, PictureType::predicted, PictureType::bidirectional, PictureType::predicted}) {
            MpegCodingJob job;
            stream.begin_picture(type);
            const bool is_b = type == PictureType::bidirectional;
            stream.fill(job, {is_b ? before : last, is_b ? last : nullptr});
            code_and_wait(*cpu, job);
            if (type == PictureType::predicted && seed % 3 == 0) skip_runs(random, job.picture);
            check(stream.tools(), job);
            if (!is_b) before = std::exchange(last, job.made);
        }
    }
}

} // namespace tandem::test
