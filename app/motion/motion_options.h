// SPDX-License-Identifier: BSD-2-Clause
// The options of `tandem motion` as a plain struct.
#pragma once

#include <optional>
#include <string>

#include "app/devices/device_choice.h"
#include "app/options/arguments.h"
#include "machine/simd_level.h"
#include "me/coprocessor/coprocessor.h"
#include "me/search_params.h"
#include "video/source.h"

namespace tandem {

/// Where the field comes from that a search gets as MotionRequest::hint.
enum class HintSource { none, previous, file };

struct MotionOptions {
    std::string input, second; ///< Without a second: pairs of pictures of one clip.
    SourceOptions source;
    std::int64_t seek = 0;
    std::optional<std::int64_t> frames; ///< Nothing: all.
    int step = 1;                       ///< Pictures from the reference to the current one.

    SearchParams search;
    bool whole_picture = false; ///< The range is the picture's size, once that is known.
    std::string predictor;      ///< As the option names it.
    HintSource hint_source = HintSource::none;

    // Empty: not wanted.
    std::string field, hint, truth, compare;
    std::string measure; ///< A field that is measured as it is, a vector for each sample: nothing is searched then.
    std::string compensate, residual, draw;
    std::string stats, report, trace;
    double longest = 0; ///< End of the drawing's colour scale in pels; 0: from the first pair.

    DeviceChoice device;
    Split split = Split::automatic;
    int threads = 1;
    std::optional<SimdLevel> simd; ///< Nothing: the best.
};

/// Throws InputError for what the table cannot check: parameters that exclude each other, one file in two roles.
MotionOptions motion_options(const Arguments& arguments);

/// Sets the range where it is the picture's, and checks what the parameters of a search must be: InputError with every
/// problem.
SearchParams search_for_pictures(const MotionOptions& options, int width, int height);

} // namespace tandem
