// SPDX-License-Identifier: BSD-2-Clause
#include "bitstream/mpeg/mpeg_headers.h"

#include <stdexcept>
#include <string>

namespace tandem {

namespace {

/// A matrix in zigzag order; the alternate scan never applies to it (13818-2 clause 7.3).
void quantiser_matrix(BitWriter& out, bool load, const QuantiserMatrix& matrix, bool intra) {
    out.put(load ? 1 : 0, 1);
    if (!load) return;
    if (intra && matrix[0] != 8) throw std::invalid_argument("intra_quantiser_matrix: the first value must be 8");
    for (const std::uint8_t raster : scan_order(false))
        put_field(out, "quantiser_matrix", matrix[raster], 1, 255, 8);
}

} // namespace

void put_field(BitWriter& out, const char* name, std::int64_t value, std::int64_t low, std::int64_t high, int bits) {
    if (value < low || value > high) {
        throw std::invalid_argument(std::string(name) + " " + std::to_string(value) + " is not in " +
                                    std::to_string(low) + ".." + std::to_string(high));
    }
    out.put(static_cast<std::uint32_t>(value) & static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1), bits);
}

void sequence_header(BitWriter& out, const MpegSequence& sequence) {
    out.start_code(start_codes::sequence_header);
    out.put(static_cast<std::uint32_t>(sequence.width) & 0xFFF, 12);
    out.put(static_cast<std::uint32_t>(sequence.height) & 0xFFF, 12);
    out.put(static_cast<std::uint32_t>(sequence.aspect_ratio_code), 4);
    put_field(out, "frame_rate_code", sequence.frame_rate_code, 1, 8, 4);
    out.put(sequence.bit_rate & 0x3FFFF, 18);
    out.put(1, 1); // marker_bit
    out.put(static_cast<std::uint32_t>(sequence.vbv_buffer_size) & 0x3FF, 10);
    out.put(sequence.constrained_parameters ? 1 : 0, 1);
    quantiser_matrix(out, sequence.custom_intra_matrix, sequence.intra_matrix, true);
    quantiser_matrix(out, sequence.custom_non_intra_matrix, sequence.non_intra_matrix, false);
}

void group_of_pictures_header(BitWriter& out, const MpegGroup& group) {
    out.start_code(start_codes::group);
    out.put(group.drop_frame ? 1 : 0, 1);
    put_field(out, "time_code_hours", group.hours, 0, 23, 5);
    put_field(out, "time_code_minutes", group.minutes, 0, 59, 6);
    out.put(1, 1); // marker_bit
    put_field(out, "time_code_seconds", group.seconds, 0, 59, 6);
    put_field(out, "time_code_pictures", group.pictures, 0, 59, 6);
    out.put(group.closed ? 1 : 0, 1);
    out.put(0, 1); // broken_link
}

void picture_header(BitWriter& out, const MpegPicture& picture, int forward_f_code, int backward_f_code) {
    out.start_code(start_codes::picture);
    put_field(out, "temporal_reference", picture.temporal_reference, 0, 1023, 10);
    put_field(out, "picture_coding_type", static_cast<int>(picture.type), 1, 3, 3);
    put_field(out, "vbv_delay", picture.vbv_delay, 0, 0xFFFF, 16);
    if (picture.type != PictureType::intra) {
        out.put(0, 1); // full_pel_forward_vector
        put_field(out, "forward_f_code", forward_f_code, 1, 7, 3);
    }
    if (picture.type == PictureType::bidirectional) {
        out.put(0, 1); // full_pel_backward_vector
        put_field(out, "backward_f_code", backward_f_code, 1, 7, 3);
    }
    out.put(0, 1); // extra_bit_picture
}

} // namespace tandem
