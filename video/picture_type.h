// SPDX-License-Identifier: BSD-2-Clause
// The types of coded pictures, for every codec.
#pragma once

#include <cstdint>

namespace tandem {

/// By what a picture may be predicted from. The values are MPEG's picture_coding_type (13818-2 table 6-12).
enum class PictureType : std::uint8_t {
    intra = 1,         ///< I: nothing.
    predicted = 2,     ///< P: pictures before it in display order.
    bidirectional = 3, ///< B: pictures before and after it.
};

} // namespace tandem
