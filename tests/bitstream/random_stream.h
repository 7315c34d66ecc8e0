// SPDX-License-Identifier: BSD-2-Clause
// Random pictures that use all of the syntax: what a writer must express and a parser give back.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "bitstream/mpeg/mpeg_writer.h"

namespace tandem::test {

struct RandomOptions {
    bool mpeg1 = false;
    int width = 64, height = 48;
    int most_level = 2047; ///< Beyond 255 in MPEG-1: 255.
    int most_quantiser = 31;
    bool vectors_inside = false;  ///< No vector leaves the picture; else any that its f_code can say.
    bool tools = true;            ///< MPEG-2: DC precision, B-15, scans, quantiser types and matrices at random.
    std::string types = "IPBBPB"; ///< Of the pictures in coding order.
    std::uint32_t seed = 1;
};

/// Everything of a stream, canonical: what is not coded is 0, so that a parse can be compared field by field.
struct RandomStream {
    MpegSequence sequence;
    MpegGroup group;
    std::vector<MpegPicture> pictures;
};

RandomStream random_stream(const RandomOptions& options);

/// Headers, the pictures and sequence_end_code.
std::vector<std::uint8_t> write_stream(const RandomStream& stream, const MpegWriter& writer);

} // namespace tandem::test
