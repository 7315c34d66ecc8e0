// SPDX-License-Identifier: BSD-2-Clause
// How many pictures a file says that it has, where it says so exactly.
#pragma once

#include <cstdint>
#include <optional>

#include "video/libav/libav_handles.h"

namespace tandem {

/// By the container's own number or its index, without those that an edit list leaves out and those that an .avi skips;
/// nothing where the container has no such number.
std::optional<std::int64_t> promised_pictures(const AVFormatContext& file, AVStream& stream);

} // namespace tandem
