// SPDX-License-Identifier: BSD-2-Clause
// The sections of help, and options that several commands have.
#pragma once

#include "app/options/option_row.h"

namespace tandem {

namespace section {
inline constexpr std::string_view files = "Input and output", stream = "Stream", rate = "Rate", quantiser = "Quantiser",
                                  motion = "Motion", machine = "Machine", pictures = "Pictures", measures = "Measuring",
                                  messages = "Messages", scene = "Scene", points = "Points";
} // namespace section

inline constexpr double most_pictures = 1000000000;

OptionRow input_res_row();
OptionRow fps_row();
OptionRow seek_row();
OptionRow frames_row();
OptionRow device_row();
OptionRow split_row();
OptionRow threads_row();
OptionRow simd_row();
OptionRow report_row();
OptionRow trace_row();
std::vector<OptionRow> help_rows();    ///< --help and --version.
std::vector<OptionRow> message_rows(); ///< --quiet and --verbose, and these.

} // namespace tandem
