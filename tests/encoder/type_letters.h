// SPDX-License-Identifier: BSD-2-Clause
// Pictures' types as everybody writes them.
#pragma once

#include <vector>

#include "video/picture_type.h"

namespace tandem::test {

using Types = std::vector<PictureType>;
inline constexpr auto I = PictureType::intra, P = PictureType::predicted, B = PictureType::bidirectional;

} // namespace tandem::test
