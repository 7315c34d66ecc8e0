// SPDX-License-Identifier: BSD-2-Clause
// What players of discs can play of the sound beside the pictures.
#pragma once

#include <string>
#include <string_view>

#include "video/libav/libav_handles.h"

namespace tandem {

/// The first limit that the sound of `streams` breaks, as a sentence with the value and the limit; empty: none.
/// `disc`: libavformat's "vcd", "svcd" or "dvd"; others have no limits. `video_kbps`: at most, of the pictures beside
/// it; 0: not known. Rates that a stream does not say of itself are not checked.
std::string problem_of_sound(const AVFormatContext& streams, std::string_view disc, int video_kbps);

} // namespace tandem
