// SPDX-License-Identifier: BSD-2-Clause
// An elementary video stream of MPEG-1 or MPEG-2, taken apart for tests. It reads what the standards say, not what the
// writer does, and refuses all that breaks them; of MPEG-2 it knows progressive frame pictures of 4:2:0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bitstream/mpeg/mpeg_picture.h"
#include "tests/bitstream/bit_reader.h"

namespace tandem::test {

struct ParsedGroup {
    MpegGroup code;
    bool broken_link = false;
    std::size_t offset = 0; ///< Of its start code, in bytes.
};

/// One picture. `code` is as the encoder would hand it to a writer, with nothing left undefined: skipped macroblocks
/// have the vectors they are predicted with, `quantiser_scale_code` is the one in force, unused levels are 0, slices
/// end behind their last coded macroblock.
struct ParsedPicture {
    MpegPicture code;
    std::size_t sequence = 0;                   ///< Index of the sequence header before it.
    std::size_t group = 0;                      ///< Index of the group header before it; no_group where there is none.
    std::size_t offset = 0;                     ///< Of its start code, in bytes.
    std::size_t bytes = 0;                      ///< Header and slices.
    std::vector<std::uint8_t> slice_quantiser;  ///< quantiser_scale_code of each slice's header.
    std::vector<std::uint32_t> macroblock_bits; ///< From macroblock_address_increment on; 0: skipped.
    std::vector<std::uint8_t> macroblock_quant; ///< 1: it had a quantiser_scale_code of its own.

    static constexpr std::size_t no_group = SIZE_MAX;
};

struct ParsedStream {
    bool mpeg2 = false;
    std::vector<MpegSequence> sequences;
    std::vector<std::size_t> sequence_offsets; ///< In bytes.
    std::vector<ParsedGroup> groups;
    std::vector<ParsedPicture> pictures; ///< In coding order.
    bool has_sequence_end = false;
    std::size_t stuffing_bytes = 0; ///< Zero bytes before start codes.
};

/// Throws ParseError.
ParsedStream parse_stream(std::span<const std::uint8_t> bytes);

} // namespace tandem::test
