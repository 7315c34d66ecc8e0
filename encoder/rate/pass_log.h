// SPDX-License-Identifier: BSD-2-Clause
// --stats: what a pass leaves to the next, as text.
#pragma once

#include <string>
#include <vector>

#include "encoder/rate/rate_settings.h"
#include "video/frame.h"

namespace tandem {

/// What has to be the same in the pass after.
struct PassStream {
    std::string codec; ///< Its name.
    int width = 0, height = 0;
    Rational frame_rate;
    bool operator==(const PassStream&) const = default;
};

struct PassLog {
    PassStream stream;
    std::vector<PassRecord> pictures; ///< In coding order.
};

/// A log is its beginning, a line for each picture in coding order, and its end.
std::string pass_log_beginning(const PassStream& stream);
std::string pass_log_line(const PassRecord& picture);
std::string pass_log_end(std::size_t pictures);

/// Throws InputError that names `name`, the line and what is wrong with it.
PassLog parse_pass_log(const std::string& text, const std::string& name);

} // namespace tandem
