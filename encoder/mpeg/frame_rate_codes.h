// SPDX-License-Identifier: BSD-2-Clause
// Which frame rates a sequence header can say.
#pragma once

#include <optional>
#include <vector>

#include "video/codec.h"
#include "video/frame.h"

namespace tandem {

/// How a frame rate is written: ISO/IEC 13818-2 table 6-4 and, for MPEG-2, frame_rate_extension_n and _d.
struct FrameRateCode {
    int code = 0;
    int extension_n = 0;
    int extension_d = 0;
};

/// The exact code of a rate, with the smallest extension; nothing where the standard cannot say it.
std::optional<FrameRateCode> frame_rate_code(Codec codec, Rational rate);

/// The rates the standard can say next below and next above `rate` (one of them where it lies outside).
std::vector<Rational> nearest_frame_rates(Codec codec, Rational rate);

/// The rate itself where the codec can say it, else the usual one nearest to it, or the nearest of those that it goes
/// into evenly, where there are any: what a clip is brought to. Players rely on the usual rates (MPEG-2's others are in
/// no profile), so what people have in containers gets one of these.
Rational codable_rate(Codec codec, Rational rate, bool is_of_container);

} // namespace tandem
