// SPDX-License-Identifier: BSD-2-Clause
// A tiny MPEG stream for tests of sinks and of the decoder: 16x16 pictures, each one flat grey, all macroblocks intra,
// so that the order in which pictures come back shows in their samples. Written here and not by our own encoder: this
// room lies below it, and a mistake of the encoder shall not hide in the test.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "video/codec.h"

namespace tandem::test {

struct GreyPicture {
    std::string bytes; ///< With the headers before it.
    std::int64_t display_index;
    char type; ///< 'I', 'P' or 'B'.
    int luma;
};

/// `pictures` pictures in coding order with one B picture between anchors when `b_pictures`; an I picture every
/// `keyint` pictures of display order (a multiple of 2 with B pictures, then open groups). The last picture is always
/// an anchor.
std::vector<GreyPicture> grey_stream(Codec codec, int pictures, bool b_pictures, int keyint = 4);

/// The luma value of the picture at a display index.
int grey_luma(std::int64_t display_index);

std::string sequence_end_code();

inline std::span<const std::uint8_t> as_bytes(const std::string& text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

} // namespace tandem::test
