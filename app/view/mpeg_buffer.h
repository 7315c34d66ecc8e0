// SPDX-License-Identifier: BSD-2-Clause
// What a stream of MPEG-1 or MPEG-2 says of the rate and the buffer that it needs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "encoder/rate/vbv.h"

namespace tandem {

/// bit_rate and vbv_buffer_size of the first sequence header in `bytes` and of its extension (13818-2 clauses 6.2.2.1
/// and 6.2.2.3, 11172-2 clause 2.4.2.3); the buffer is full at the beginning. Nothing for other codecs, by libavcodec's
/// names, where there is no such header, and where it says no rate.
std::optional<VbvDescription> declared_mpeg_buffer(std::string_view codec, std::span<const std::uint8_t> bytes,
                                                   Rational pictures_per_second);

} // namespace tandem
