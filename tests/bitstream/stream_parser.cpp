// SPDX-License-Identifier: BSD-2-Clause
#include "tests/bitstream/stream_parser.h"

#include <algorithm>

#include "tests/bitstream/slice_parser.h"

namespace tandem::test {

namespace {

constexpr std::uint8_t picture_code = 0x00, user_data_code = 0xB2, sequence_code = 0xB3, extension_code = 0xB5,
                       sequence_end_code = 0xB7, group_code = 0xB8, last_slice_code = 0xAF;

// 13818-2 figure 7-2, by its rule rather than as a list: along the anti-diagonals, every other one upwards.
std::array<std::uint8_t, 64> zigzag_by_rule() {
    std::array<std::uint8_t, 64> order{};
    std::size_t at = 0;
    for (int diagonal = 0; diagonal < 15; ++diagonal) {
        for (int i = 0; i <= diagonal; ++i) {
            const int row = diagonal % 2 == 0 ? diagonal - i : i;
            const int column = diagonal - row;
            if (row < 8 && column < 8) order[at++] = static_cast<std::uint8_t>(row * 8 + column);
        }
    }
    return order;
}

class StreamParser {
  public:
    explicit StreamParser(std::span<const std::uint8_t> bytes) : reader_(bytes) {}
    ParsedStream parse();

  private:
    int field(int bits) { return static_cast<int>(reader_.read(bits)); }
    /// Reads the start code at this byte, which must be there.
    std::uint8_t start_code();
    void next_start_code() { stream_.stuffing_bytes += reader_.next_start_code(); }
    void skip_user_data();
    void sequence_header();
    bool quantiser_matrix(QuantiserMatrix& matrix, bool intra);
    void sequence_extension(MpegSequence& sequence);
    void sequence_display_extension(MpegSequence& sequence);
    void group_of_pictures_header();
    void picture();
    void picture_header(MpegPicture& code);
    void picture_coding_extension(MpegPicture& code);
    void slices(ParsedPicture& picture);

    BitReader reader_;
    ParsedStream stream_;
    bool new_group_ = false;
};

ParsedStream StreamParser::parse() {
    reader_.expect(reader_.start_code() == sequence_code, "the stream does not begin with a sequence header");
    while (!reader_.at_end()) {
        reader_.expect(!stream_.has_sequence_end, "something behind sequence_end_code");
        switch (reader_.start_code().value_or(0xFF)) {
        case sequence_code:
            sequence_header();
            break;
        case group_code:
            group_of_pictures_header();
            break;
        case picture_code:
            picture();
            break;
        case sequence_end_code:
            start_code();
            stream_.has_sequence_end = true;
            break;
        default:
            reader_.fail("an unexpected start code");
        }
        next_start_code();
    }
    return std::move(stream_);
}

std::uint8_t StreamParser::start_code() {
    const auto code = reader_.start_code();
    if (!code) reader_.fail("no start code");
    reader_.read(32);
    return *code;
}

void StreamParser::skip_user_data() {
    while (reader_.start_code() == user_data_code) {
        start_code();
        while (!reader_.at_end() && !reader_.start_code())
            reader_.read(8);
    }
}

void StreamParser::sequence_header() {
    MpegSequence sequence;
    stream_.sequence_offsets.push_back(reader_.byte());
    start_code();
    sequence.width = field(12);
    sequence.height = field(12);
    reader_.expect(sequence.width != 0 && sequence.height != 0, "a size of 0");
    sequence.aspect_ratio_code = field(4);
    sequence.frame_rate_code = field(4);
    reader_.expect(sequence.aspect_ratio_code >= 1 && sequence.aspect_ratio_code <= 14, "a forbidden aspect ratio");
    reader_.expect(sequence.frame_rate_code >= 1 && sequence.frame_rate_code <= 8, "a forbidden frame rate");
    sequence.bit_rate = reader_.read(18);
    reader_.marker_bit();
    sequence.vbv_buffer_size = field(10);
    sequence.constrained_parameters = reader_.flag();
    sequence.custom_intra_matrix = quantiser_matrix(sequence.intra_matrix, true);
    sequence.custom_non_intra_matrix = quantiser_matrix(sequence.non_intra_matrix, false);
    next_start_code();

    const bool mpeg2 = reader_.start_code() == extension_code;
    if (!stream_.sequences.empty()) reader_.expect(mpeg2 == stream_.mpeg2, "MPEG-1 and MPEG-2 in one stream");
    stream_.mpeg2 = mpeg2;
    if (mpeg2) {
        start_code();
        reader_.expect(field(4) == 1, "sequence_extension does not follow the sequence header");
        sequence_extension(sequence);
        next_start_code();
    }
    while (mpeg2 && reader_.start_code() == extension_code) {
        start_code();
        reader_.expect(field(4) == 2, "an extension this parser does not know");
        sequence_display_extension(sequence);
        next_start_code();
    }
    skip_user_data();
    reader_.expect(sequence.bit_rate != 0, "bit_rate 0");
    stream_.sequences.push_back(sequence);
}

bool StreamParser::quantiser_matrix(QuantiserMatrix& matrix, bool intra) {
    if (!reader_.flag()) return false;
    for (const std::uint8_t raster : zigzag_by_rule()) {
        matrix[raster] = static_cast<std::uint8_t>(field(8));
        reader_.expect(matrix[raster] != 0, "a quantiser matrix with a 0");
    }
    reader_.expect(!intra || matrix[0] == 8, "an intra matrix that does not begin with 8");
    return true;
}

void StreamParser::sequence_extension(MpegSequence& sequence) {
    reader_.expect(!sequence.constrained_parameters, "constrained_parameters_flag in MPEG-2");
    sequence.profile_and_level = field(8);
    reader_.expect(reader_.flag(), "not a progressive sequence");
    reader_.expect(field(2) == 1, "not 4:2:0");
    sequence.width |= field(2) << 12;
    sequence.height |= field(2) << 12;
    sequence.bit_rate |= reader_.read(12) << 18;
    reader_.marker_bit();
    sequence.vbv_buffer_size |= field(8) << 10;
    sequence.low_delay = reader_.flag();
    sequence.frame_rate_extension_n = field(2);
    sequence.frame_rate_extension_d = field(5);
}

void StreamParser::sequence_display_extension(MpegSequence& sequence) {
    sequence.has_display_extension = true;
    reader_.expect(field(3) <= 5, "a reserved video_format");
    if (reader_.flag()) {
        sequence.colour_primaries = field(8);
        sequence.transfer_characteristics = field(8);
        sequence.matrix_coefficients = field(8);
        reader_.expect(sequence.colour_primaries != 0 && sequence.transfer_characteristics != 0 &&
                           sequence.matrix_coefficients != 0,
                       "a forbidden colour description");
    }
    reader_.expect(field(14) == sequence.width, "display_horizontal_size is not the size");
    reader_.marker_bit();
    reader_.expect(field(14) == sequence.height, "display_vertical_size is not the size");
}

void StreamParser::group_of_pictures_header() {
    ParsedGroup group;
    group.offset = reader_.byte();
    start_code();
    group.code.drop_frame = reader_.flag();
    group.code.hours = field(5);
    group.code.minutes = field(6);
    reader_.marker_bit();
    group.code.seconds = field(6);
    group.code.pictures = field(6);
    reader_.expect(group.code.hours < 24 && group.code.minutes < 60 && group.code.seconds < 60 &&
                       group.code.pictures < 60,
                   "an impossible time code");
    group.code.closed = reader_.flag();
    group.broken_link = reader_.flag();
    next_start_code();
    skip_user_data();
    stream_.groups.push_back(group);
    new_group_ = true;
}

void StreamParser::picture() {
    ParsedPicture parsed;
    const MpegSequence& sequence = stream_.sequences.back();
    parsed.sequence = stream_.sequences.size() - 1;
    parsed.group = stream_.groups.empty() ? ParsedPicture::no_group : stream_.groups.size() - 1;
    parsed.offset = reader_.byte();
    start_code();
    picture_header(parsed.code);
    reader_.expect(!new_group_ || parsed.code.type == PictureType::intra, "a group does not begin with an I picture");
    new_group_ = false;
    parsed.code.resize((sequence.width + 15) / 16, (sequence.height + 15) / 16);
    std::ranges::fill(parsed.code.levels, 0);
    const auto count = static_cast<std::size_t>(parsed.code.macroblocks());
    parsed.macroblock_bits.resize(count);
    parsed.macroblock_quant.resize(count);
    slices(parsed);
    parsed.bytes = reader_.byte() - parsed.offset;
    stream_.pictures.push_back(std::move(parsed));
}

void StreamParser::picture_header(MpegPicture& code) {
    code.temporal_reference = field(10);
    const int type = field(3);
    reader_.expect(type >= 1 && type <= 3, "a picture that is not I, P or B");
    code.type = static_cast<PictureType>(type);
    code.vbv_delay = field(16);
    for (std::size_t direction = 0; static_cast<int>(direction) < type - 1; ++direction) {
        reader_.expect(!reader_.flag(), "full_pel vectors");
        const int f_code = field(3);
        reader_.expect(f_code != 0 && (!stream_.mpeg2 || f_code == 7), "a forbidden f_code in the picture header");
        code.f_code[direction] = {f_code, f_code};
    }
    reader_.expect(!reader_.flag(), "extra_bit_picture");
    next_start_code();
    if (!stream_.mpeg2) return;
    reader_.expect(start_code() == extension_code && field(4) == 8, "no picture_coding_extension");
    picture_coding_extension(code);
    next_start_code();
    skip_user_data();
}

void StreamParser::picture_coding_extension(MpegPicture& code) {
    for (std::size_t direction = 0; direction < 2; ++direction) {
        for (int& f_code : code.f_code[direction]) {
            const bool used = static_cast<int>(direction) < static_cast<int>(code.type) - 1;
            f_code = field(4);
            reader_.expect(used ? f_code >= 1 && f_code <= 9 : f_code == 15, "a forbidden f_code");
        }
    }
    code.intra_dc_precision = 8 + field(2);
    reader_.expect(field(2) == 3, "not a frame picture");
    reader_.expect(!reader_.flag(), "top_field_first");
    reader_.expect(reader_.flag(), "not frame_pred_frame_dct");
    reader_.expect(!reader_.flag(), "concealment_motion_vectors");
    code.quantiser_scale_type = reader_.flag();
    code.intra_vlc_format = reader_.flag();
    code.alternate_scan = reader_.flag();
    reader_.expect(!reader_.flag(), "repeat_first_field");
    reader_.expect(reader_.flag(), "chroma_420_type is not progressive_frame");
    reader_.expect(reader_.flag(), "not a progressive_frame");
    reader_.expect(!reader_.flag(), "composite_display_flag");
}

void StreamParser::slices(ParsedPicture& picture) {
    int row_before = -1;
    while (true) {
        const auto code = reader_.start_code();
        if (!code || *code < 1 || *code > last_slice_code) break;
        start_code();
        parse_slice(reader_, stream_.sequences.back(), stream_.mpeg2, *code, picture);
        const int row = picture.code.slices.back().first / picture.code.mb_columns;
        reader_.expect(row >= row_before, "slices out of order");
        row_before = row;
        next_start_code();
    }
    reader_.expect(!picture.code.slices.empty() && picture.code.slices.back().end == picture.code.macroblocks(),
                   "slices do not cover the picture");
}

} // namespace

ParsedStream parse_stream(std::span<const std::uint8_t> bytes) { return StreamParser(bytes).parse(); }

} // namespace tandem::test
