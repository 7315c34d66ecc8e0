// SPDX-License-Identifier: BSD-2-Clause
// What `tandem motion` found, as JSON and as lines.
#pragma once

#include <string>
#include <vector>

#include "app/json.h"
#include "app/motion/motion_options.h"
#include "app/motion/motion_record.h"
#include "video/frame.h"

namespace tandem {

/// The figures of one pair that the options ask for, by the names of motion_columns(); null where one is unknown.
Json pair_json(const MotionRecord& record, const MotionOptions& options);

/// Input, parameters, the figures of all pairs together, and the histograms of --compare.
Json motion_json(const MotionOptions& options, const SearchParams& search, const VideoFormat& format,
                 const MotionRecord& total);

/// The histograms of the differences of two fields.
std::vector<std::string> difference_lines(const FieldDifferences& differences);

} // namespace tandem
