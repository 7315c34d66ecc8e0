// SPDX-License-Identifier: BSD-2-Clause
// The words of options that say how an input is read.
#pragma once

#include "me/rows/search_names.h"

namespace tandem {

inline constexpr NameTable<bool, 2> audio_codec_names{{{"copy", true}, {"none", false}}};
inline constexpr NameTable<bool, 2> interlaced_names{{{"deinterlace", false}, {"keep", true}}};

} // namespace tandem
