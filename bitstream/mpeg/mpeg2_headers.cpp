// SPDX-License-Identifier: BSD-2-Clause
// ISO/IEC 13818-2.
#include "bitstream/mpeg/mpeg_headers.h"
#include "bitstream/mpeg/mpeg_slice.h"
#include "bitstream/mpeg/mpeg_writer.h"
#include "bitstream/mpeg/requirement.h"

namespace tandem {

namespace {

/// 13818-2 table 6-2: extension_start_code_identifier.
enum ExtensionIdentifier : std::uint32_t {
    sequence_extension_id = 1,
    sequence_display_extension_id = 2,
    picture_coding_extension_id = 8,
};

void require_mpeg2(const MpegSequence& sequence) {
    // horizontal_size_value and vertical_size_value, the low 12 bits, must not be 0 (clause 6.3.3).
    require(sequence.width >= 1 && sequence.width <= 16383 && sequence.width % 4096 != 0,
            "MPEG-2: horizontal_size is 1..16383 and not a multiple of 4096");
    require(sequence.height >= 1 && sequence.height <= 16383 && sequence.height % 4096 != 0,
            "MPEG-2: vertical_size is 1..16383 and not a multiple of 4096");
    require(sequence.aspect_ratio_code >= 1 && sequence.aspect_ratio_code <= 4,
            "MPEG-2: aspect_ratio_information is 1..4");
    require(sequence.bit_rate >= 1 && sequence.bit_rate < (1U << 30), "MPEG-2: bit_rate is 1..2^30-1");
    require(sequence.vbv_buffer_size >= 0 && sequence.vbv_buffer_size < (1 << 18),
            "MPEG-2: vbv_buffer_size is 0..2^18-1");
    // Clause 6.3.3: mb_height is then even.
    require(sequence.progressive || (sequence.height + 15) / 16 % 2 == 0,
            "MPEG-2: the macroblock rows of frames that may be interlaced are an even number");
    require(!sequence.constrained_parameters, "MPEG-2: constrained_parameters_flag is 0");
}

/// Clause 6.2.2.3.
void sequence_extension(BitWriter& out, const MpegSequence& sequence) {
    out.start_code(start_codes::extension);
    out.put(sequence_extension_id, 4);
    put_field(out, "profile_and_level_indication", sequence.profile_and_level, 0, 255, 8);
    out.put(sequence.progressive ? 1 : 0, 1); // progressive_sequence
    out.put(1, 2);                            // chroma_format: 4:2:0
    out.put(static_cast<std::uint32_t>(sequence.width) >> 12, 2);
    out.put(static_cast<std::uint32_t>(sequence.height) >> 12, 2);
    out.put(sequence.bit_rate >> 18, 12);
    out.put(1, 1); // marker_bit
    out.put(static_cast<std::uint32_t>(sequence.vbv_buffer_size) >> 10, 8);
    out.put(sequence.low_delay ? 1 : 0, 1);
    put_field(out, "frame_rate_extension_n", sequence.frame_rate_extension_n, 0, 3, 2);
    put_field(out, "frame_rate_extension_d", sequence.frame_rate_extension_d, 0, 31, 5);
}

/// Clause 6.2.2.4.
void sequence_display_extension(BitWriter& out, const MpegSequence& sequence) {
    out.start_code(start_codes::extension);
    out.put(sequence_display_extension_id, 4);
    out.put(5, 3); // video_format: unspecified
    out.put(1, 1); // colour_description
    put_field(out, "colour_primaries", sequence.colour_primaries, 1, 255, 8);
    put_field(out, "transfer_characteristics", sequence.transfer_characteristics, 1, 255, 8);
    put_field(out, "matrix_coefficients", sequence.matrix_coefficients, 1, 255, 8);
    put_field(out, "display_horizontal_size", sequence.width, 1, 16383, 14);
    out.put(1, 1); // marker_bit
    put_field(out, "display_vertical_size", sequence.height, 1, 16383, 14);
}

/// f_code of a direction and component: 15 where the picture type has no vectors of that direction (clause 6.3.10).
void f_code(BitWriter& out, const MpegPicture& picture, std::size_t direction, std::size_t component) {
    const bool used = static_cast<std::size_t>(picture.type) >= direction + 2;
    if (used) {
        put_field(out, "f_code", picture.f_code[direction][component], 1, 9, 4);
    } else {
        out.put(15, 4);
    }
}

/// Clause 6.2.3.1, of a progressive frame.
void picture_coding_extension(BitWriter& out, const MpegPicture& picture) {
    out.start_code(start_codes::extension);
    out.put(picture_coding_extension_id, 4);
    for (const std::size_t direction : {0U, 1U}) {
        for (const std::size_t component : {0U, 1U})
            f_code(out, picture, direction, component);
    }
    put_field(out, "intra_dc_precision", picture.intra_dc_precision - 8, 0, 3, 2);
    out.put(3, 2); // picture_structure: frame
    out.put(0, 1); // top_field_first
    out.put(1, 1); // frame_pred_frame_dct
    out.put(0, 1); // concealment_motion_vectors
    out.put(picture.quantiser_scale_type ? 1 : 0, 1);
    out.put(picture.intra_vlc_format ? 1 : 0, 1);
    out.put(picture.alternate_scan ? 1 : 0, 1);
    out.put(0, 1); // repeat_first_field
    out.put(1, 1); // chroma_420_type
    out.put(1, 1); // progressive_frame
    out.put(0, 1); // composite_display_flag
}

class Mpeg2Writer final : public MpegWriter {
  public:
    void write_sequence(BitWriter& out, const MpegSequence& sequence) const override {
        require_mpeg2(sequence);
        sequence_header(out, sequence);
        sequence_extension(out, sequence);
        if (sequence.has_display_extension) sequence_display_extension(out, sequence);
        out.align();
    }
    void write_group(BitWriter& out, const MpegGroup& group) const override {
        group_of_pictures_header(out, group);
        out.align();
    }
    void write_picture_header(BitWriter& out, const MpegPicture& picture) const override {
        constexpr int f_code_is_in_the_extension = 7;
        picture_header(out, picture, f_code_is_in_the_extension, f_code_is_in_the_extension);
        picture_coding_extension(out, picture);
        out.align();
    }
    void write_slice(BitWriter& out, const MpegSequence& sequence, const MpegPicture& picture, int slice_index,
                     ElementBits* bits) const override {
        slice(out, sequence, picture, slice_index, Codec::mpeg2, bits);
    }
    void write_sequence_end(BitWriter& out) const override { out.start_code(start_codes::sequence_end); }
};

} // namespace

std::unique_ptr<MpegWriter> make_mpeg2_writer() { return std::make_unique<Mpeg2Writer>(); }

} // namespace tandem
