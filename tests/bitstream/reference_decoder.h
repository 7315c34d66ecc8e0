// SPDX-License-Identifier: BSD-2-Clause
// Pictures from a parsed stream, by the formulas of the standards in double precision: the slow, obvious decoder that
// the tests hold others against. It shares no code with the encoder.
#pragma once

#include <array>
#include <vector>

#include "tests/bitstream/stream_parser.h"

namespace tandem::test {

struct DecodedPlane {
    int width = 0, height = 0;
    std::vector<std::uint8_t> samples;
    std::uint8_t at(int x, int y) const {
        return samples[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)];
    }
};

/// Y, Cb, Cr at coded size: multiples of 16.
struct DecodedPicture {
    std::array<DecodedPlane, 3> planes;
};

/// In coding order. std::runtime_error for a missing reference or a vector that leaves the reference picture.
std::vector<DecodedPicture> decode_pictures(const ParsedStream& stream);

/// Indices of the pictures in the order in which they are displayed.
std::vector<std::size_t> display_order(const ParsedStream& stream);

} // namespace tandem::test
