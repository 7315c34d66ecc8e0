// SPDX-License-Identifier: BSD-2-Clause
// ISO/IEC 11172-2.
#include "bitstream/mpeg/mpeg_headers.h"
#include "bitstream/mpeg/mpeg_slice.h"
#include "bitstream/mpeg/mpeg_writer.h"
#include "bitstream/mpeg/requirement.h"

namespace tandem {

namespace {

/// What 13818-2 alone can say.
void require_mpeg1(const MpegSequence& sequence) {
    require(sequence.width >= 1 && sequence.width <= 4095, "MPEG-1: horizontal_size is 1..4095");
    require(sequence.height >= 1 && sequence.height <= 4095, "MPEG-1: vertical_size is 1..4095");
    require(sequence.aspect_ratio_code >= 1 && sequence.aspect_ratio_code <= 14, "MPEG-1: pel_aspect_ratio is 1..14");
    require(sequence.bit_rate >= 1 && sequence.bit_rate <= 0x3FFFF, "MPEG-1: bit_rate is 1..262143");
    require(sequence.vbv_buffer_size >= 0 && sequence.vbv_buffer_size <= 1023, "MPEG-1: vbv_buffer_size is 0..1023");
    require(sequence.frame_rate_extension_n == 0 && sequence.frame_rate_extension_d == 0,
            "MPEG-1 has no frame rate extension");
    require(!sequence.has_display_extension, "MPEG-1 has no sequence_display_extension");
}

void require_mpeg1(const MpegPicture& picture) {
    require(picture.intra_dc_precision == 8, "MPEG-1: intra_dc_precision is 8");
    require(!picture.quantiser_scale_type, "MPEG-1 has no non-linear quantiser_scale");
    require(!picture.intra_vlc_format, "MPEG-1 has no table B-15");
    require(!picture.alternate_scan, "MPEG-1 has no alternate scan");
    const int directions = static_cast<int>(picture.type) - 1; // I: none, P: forward, B: both.
    for (std::size_t direction = 0; direction < static_cast<std::size_t>(directions); ++direction) {
        require(picture.f_code[direction][0] == picture.f_code[direction][1],
                "MPEG-1 has one f_code for both components of a vector");
    }
}

class Mpeg1Writer final : public MpegWriter {
  public:
    void write_sequence(BitWriter& out, const MpegSequence& sequence) const override {
        require_mpeg1(sequence);
        sequence_header(out, sequence);
        out.align();
    }
    void write_group(BitWriter& out, const MpegGroup& group) const override {
        group_of_pictures_header(out, group);
        out.align();
    }
    void write_picture_header(BitWriter& out, const MpegPicture& picture) const override {
        require_mpeg1(picture);
        picture_header(out, picture, picture.f_code[0][0], picture.f_code[1][0]);
        out.align();
    }
    void write_slice(BitWriter& out, const MpegSequence& sequence, const MpegPicture& picture, int slice_index,
                     ElementBits* bits) const override {
        slice(out, sequence, picture, slice_index, Codec::mpeg1, bits);
    }
    void write_sequence_end(BitWriter& out) const override { out.start_code(start_codes::sequence_end); }
};

} // namespace

std::unique_ptr<MpegWriter> make_mpeg1_writer() { return std::make_unique<Mpeg1Writer>(); }

} // namespace tandem
