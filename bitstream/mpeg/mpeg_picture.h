// SPDX-License-Identifier: BSD-2-Clause
// A coded sequence, group and picture as arrays: all that a MpegWriter needs, and nothing of how it was decided.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "machine/undefined_vector.h"
#include "me/motion.h"
#include "video/picture_type.h"

namespace tandem {

using QuantiserMatrix = std::array<std::uint8_t, 64>; ///< In raster order (row * 8 + column), 1..255; intra [0] is 8.

/// The default matrices of ISO/IEC 13818-2 clause 6.3.11 (the same as 11172-2's).
const QuantiserMatrix& default_intra_matrix();
const QuantiserMatrix& default_non_intra_matrix();

/// The raster index of each scan position: the zigzag of 13818-2 figure 7-2 (the one of 11172-2), or the alternate
/// scan of figure 7-3.
const std::array<std::uint8_t, 64>& scan_order(bool alternate);
/// Its inverse: the scan position of each raster index.
const std::array<std::uint8_t, 64>& scan_positions(bool alternate);

/// What MPEG-1's bit_rate says of a rate that is not constant.
inline constexpr std::uint32_t variable_bit_rate = 0x3FFFF;

/// sequence_header() and, for MPEG-2, its extensions.
struct MpegSequence {
    int width = 0;                  ///< horizontal_size: displayed luma samples. MPEG-1: 1..4095, MPEG-2: 1..16383.
    int height = 0;                 ///< vertical_size.
    int aspect_ratio_code = 1;      ///< MPEG-1: pel_aspect_ratio 1..14; MPEG-2: aspect_ratio_information 1..4.
    int frame_rate_code = 3;        ///< 1..8, table 6-4.
    int frame_rate_extension_n = 0; ///< MPEG-2: 0..3: rate = table value * (n + 1) / (d + 1).
    int frame_rate_extension_d = 0; ///< MPEG-2: 0..31.
    std::uint32_t bit_rate = variable_bit_rate; ///< Units of 400 bit/s, never 0; MPEG-2's have 30 bits.
    int vbv_buffer_size = 112;                  ///< Units of 16384 bits. MPEG-1: 10 bits, MPEG-2: 18 bits.
    bool constrained_parameters = false;        ///< MPEG-1 only.
    bool custom_intra_matrix = false;
    bool custom_non_intra_matrix = false;
    QuantiserMatrix intra_matrix{};
    QuantiserMatrix non_intra_matrix{};
    int profile_and_level = 0x48; ///< MPEG-2, clause 8: Main Profile at Main Level.
    bool progressive =
        true; ///< MPEG-2: progressive_sequence; false for those who do not know it. Frames are progressive.
    bool low_delay = false;             ///< MPEG-2: no B pictures.
    bool has_display_extension = false; ///< MPEG-2: sequence_display_extension with the colour description.
    int colour_primaries = 2, transfer_characteristics = 2, matrix_coefficients = 2;
};

/// group_of_pictures_header(); the time code is that of the group's first picture in display order.
struct MpegGroup {
    int hours = 0, minutes = 0, seconds = 0, pictures = 0;
    bool drop_frame = false;
    bool closed = false;
};

/// A slice covers macroblocks first..end-1 in raster order. MPEG-2: within one row.
struct SliceExtent {
    int first = 0;
    int end = 0;
};

/// How one macroblock is coded.
enum MacroblockFlag : std::uint8_t {
    mb_intra = 1,
    mb_forward = 2,  ///< forward[] is used. In a P picture without it (and not intra): zero vector, "no MC".
    mb_backward = 4, ///< backward[] is used; B pictures only.
    mb_skipped = 8,  ///< Not in the stream. P: zero vector. B: flags and vectors repeat the macroblock before it.
};

/// One picture in coding order. Blocks of a macroblock: 4 luma in raster order, Cb, Cr.
struct MpegPicture {
    PictureType type = PictureType::intra;
    int temporal_reference = 0; ///< Display order within the group, modulo 1024.
    int vbv_delay = 0xFFFF;
    bool quantiser_scale_type = false; ///< MPEG-2 q_scale_type: false linear, true non-linear.
    bool intra_vlc_format = false;     ///< MPEG-2: false table B-14, true table B-15 for intra AC.
    bool alternate_scan = false;       ///< MPEG-2: which scan order `levels` and `nonzero` are in.
    int intra_dc_precision = 8;        ///< 8..11 bits; MPEG-1: 8.
    /// [0] forward, [1] backward; [.][0] horizontal, [.][1] vertical. 1..9 (MPEG-1: 1..7 and both components equal); 15
    /// unused.
    std::array<std::array<int, 2>, 2> f_code{{{15, 15}, {15, 15}}};

    int mb_columns = 0, mb_rows = 0;
    std::vector<SliceExtent> slices; ///< In raster order, together covering the picture.

    // One entry a macroblock, raster order.
    std::vector<std::uint8_t> flags;   ///< MacroblockFlag bits.
    std::vector<std::uint8_t> pattern; ///< coded_block_pattern: bit 5 is block 0 .. bit 0 is block 5. Intra: 63.
    std::vector<std::uint8_t> quantiser_scale_code; ///< 1..31. The writer says macroblock_quant where a macroblock
                                                    ///< with coefficients differs from the one in force.
    std::vector<Mv> forward, backward;              ///< Eighth-pels, multiples of 4.

    // One entry a block: macroblock * 6 + block.
    std::vector<std::uint64_t>
        nonzero; ///< Bit i: the coefficient at scan position i is not zero (intra: bit 0 is not used).
    UndefinedVector<std::int16_t> levels; ///< 64 a block, in scan order; only entries with their bit set are defined,
                                          ///< and entry 0 of intra blocks: the quantised DC.

    /// Arrays for columns x rows macroblocks; what they held is not kept in place. At least 1 x 1.
    void resize(int columns, int rows);
    int macroblocks() const { return mb_columns * mb_rows; }
};

} // namespace tandem
