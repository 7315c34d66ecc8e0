// SPDX-License-Identifier: BSD-2-Clause
#include "bitstream/mpeg/mpeg_slice.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "bitstream/mpeg/mpeg_headers.h"
#include "bitstream/mpeg/requirement.h"

namespace tandem {

namespace {

void check_picture(const MpegSequence& sequence, const MpegPicture& picture, Codec codec) {
    require(picture.mb_columns == (sequence.width + 15) / 16 && picture.mb_rows == (sequence.height + 15) / 16,
            "the picture's macroblocks are not those of the sequence's size");
    const auto count = static_cast<std::size_t>(picture.macroblocks());
    require(picture.flags.size() == count && picture.pattern.size() == count &&
                picture.quantiser_scale_code.size() == count && picture.forward.size() == count &&
                picture.backward.size() == count && picture.nonzero.size() == count * 6 &&
                picture.levels.size() == count * 6 * 64,
            "the picture's arrays are not of its size");
    require(picture.type >= PictureType::intra && picture.type <= PictureType::bidirectional,
            "picture_coding_type is 1..3");
    require(picture.intra_dc_precision >= 8 && picture.intra_dc_precision <= 11, "intra_dc_precision is 8..11");
    require(codec == Codec::mpeg2 || (picture.intra_dc_precision == 8 && !picture.intra_vlc_format),
            "MPEG-1 has 8 bits of intra DC and no table B-15");
    const int most_f_code = codec == Codec::mpeg1 ? 7 : 9;
    const auto directions = static_cast<std::size_t>(picture.type) - 1; // I: none, P: forward, B: both.
    for (std::size_t direction = 0; direction < directions; ++direction) {
        for (const int f_code : picture.f_code[direction]) {
            require(f_code >= 1 && f_code <= most_f_code, "f_code is 1..9, in MPEG-1 1..7");
        }
    }
}

void check_extent(const MpegPicture& picture, SliceExtent extent, Codec codec) {
    require(extent.first >= 0 && extent.first < extent.end && extent.end <= picture.macroblocks(),
            "a slice is empty or leaves the picture");
    const int row = extent.first / picture.mb_columns;
    if (codec == Codec::mpeg2) {
        require((extent.end - 1) / picture.mb_columns == row, "an MPEG-2 slice lies in one row");
    } else {
        require(row < rows_with_a_start_code, "an MPEG-1 slice starts in one of the first 175 rows");
    }
    const auto flags_at = [&](int address) { return picture.flags[static_cast<std::size_t>(address)]; };
    require((flags_at(extent.first) & mb_skipped) == 0 && (flags_at(extent.end - 1) & mb_skipped) == 0,
            "the first and the last macroblock of a slice are not skipped");
}

/// What quantiser_scale_code of the slice header saves most with: that of the first macroblock that uses it.
int first_quantiser(const MpegPicture& picture, SliceExtent extent) {
    for (int address = extent.first; address < extent.end; ++address) {
        const auto at = static_cast<std::size_t>(address);
        if ((picture.flags[at] & mb_skipped) == 0 && picture.pattern[at] != 0) return picture.quantiser_scale_code[at];
    }
    // Nothing in the slice is quantised: any legal code will do.
    return std::clamp<int>(picture.quantiser_scale_code[static_cast<std::size_t>(extent.first)], 1, 31);
}

/// slice_vertical_position, its extension in tall MPEG-2 pictures, and the rest of the slice's header.
void slice_header(BitWriter& out, const MpegSequence& sequence, int row, int quantiser, Codec codec) {
    const bool extended = codec == Codec::mpeg2 && sequence.height > rows_with_a_start_code * 16;
    const int position = extended ? row % 128 : row;
    out.start_code(static_cast<std::uint8_t>(start_codes::first_slice + position));
    if (extended) out.put(static_cast<std::uint32_t>(row / 128), 3);
    put_field(out, "quantiser_scale_code", quantiser, 1, 31, 5);
    out.put(0, 1); // extra_bit_slice
}

/// A picture's levels are larger than the caches near a core, and which of them are read is not for hardware to guess.
void prefetch_levels(const MpegPicture& picture, int address, int end) {
    if (address >= end) return;
    const auto at = static_cast<std::size_t>(address);
    if (picture.pattern[at] == 0) return;
    for (std::size_t block = 0; block < 6; ++block)
        __builtin_prefetch(&picture.levels[(at * 6 + block) * 64]);
}

} // namespace

void slice(BitWriter& out, const MpegSequence& sequence, const MpegPicture& picture, int index, Codec codec,
           ElementBits* bits) {
    if (index < 0 || static_cast<std::size_t>(index) >= picture.slices.size()) {
        throw std::invalid_argument("the picture has no slice " + std::to_string(index));
    }
    const SliceExtent extent = picture.slices[static_cast<std::size_t>(index)];
    check_picture(sequence, picture, codec);
    check_extent(picture, extent, codec);

    const int row = extent.first / picture.mb_columns;
    const int quantiser = first_quantiser(picture, extent);
    const std::uint64_t begin = out.bit_count();
    slice_header(out, sequence, row, quantiser, codec);
    const std::uint64_t first_macroblock = out.bit_count();
    MacroblockWriter writer(picture, codec, extent.first, quantiser);
    for (int address = extent.first; address < extent.end; ++address) {
        constexpr int macroblocks_ahead = 2;
        prefetch_levels(picture, address + macroblocks_ahead, extent.end);
        if (bits == nullptr) {
            writer.write(out, address);
        } else {
            writer.write(out, address, bits->macroblocks[static_cast<std::size_t>(address)]);
        }
    }
    const std::uint64_t end = out.bit_count();
    out.align();
    if (bits == nullptr) return;
    bits->slice_headers[static_cast<std::size_t>(index)] = static_cast<std::uint8_t>(first_macroblock - begin);
    bits->alignment[static_cast<std::size_t>(index)] = static_cast<std::uint8_t>(out.bit_count() - end);
}

} // namespace tandem
