// SPDX-License-Identifier: BSD-2-Clause
// One run of one point.
#pragma once

#include <string>

#include "app/compare/compare_plan.h"

namespace tandem {

struct PointRun {
    std::string work_folder;  ///< Exists; for files that go away again.
    bool measures = true;     ///< Decode and compare; a point's streams are the same from run to run.
    bool has_vmaf = false;    ///< The ffmpeg command measures it.
    bool wants_field = false; ///< Give the coded vectors of one picture too.
};

/// Codes, and gives the row of results.jsonl as far as one run knows it: "runs" has one entry. The pictures are read,
/// coded and the stream is written one after the other, in portions of at most 256 MiB, so that encode_s is coding
/// alone and total_s the sum. Meant for run_in_child(): the peak of memory is this process's, less the pictures held.
Json run_point(const CompareOptions& options, const ComparedClip& clip, const Series& series, const PointTarget& target,
               const PointRun& run);

/// Copies the stream of the run to `path`, to which its extension is added.
void keep_stream(const PointRun& run, const Series& series, const std::string& path);

/// Median times, the highest memory, and the measures of the run that has them; rows of one point, in order of time.
/// Throws RunError when the runs did not make the same stream and the encoder is Tandem.
Json merged_runs(const std::vector<Json>& rows);

} // namespace tandem
