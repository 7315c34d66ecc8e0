// SPDX-License-Identifier: BSD-2-Clause
#include "tests/encoder/streams/checked_stream.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "bitstream/mpeg/code_length.h"
#include "bitstream/mpeg/intra_table.h"
#include "coding/mpeg/slice_layout.h"
#include "encoder/mpeg/sequence.h"
#include "encoder/pictures/motion_ahead.h"
#include "encoder/reach.h"
#include "tests/encoder/streams/naive_decoder.h"

namespace tandem::test {

namespace {

PictureType type_at(const Settings& settings, int display, int frames) {
    const int position = display % settings.keyint;
    if (position == 0) return PictureType::intra;
    const bool anchor = position % (settings.bframes + 1) == 0 || display == frames - 1 ||
                        (settings.closed_gop && position == settings.keyint - 1);
    return anchor ? PictureType::predicted : PictureType::bidirectional;
}

} // namespace

CheckedStream::CheckedStream(const Settings& settings, const VideoFormat& format, const Clip& clip)
    : settings_(settings), format_(format), encoded_(encode(settings, format, clip)),
      parsed_(parse_stream(encoded_.bytes)) {}

void CheckedStream::check() const {
    check_sequences();
    check_stuffing();
    check_packets();
    check_groups();
    for (std::size_t i = 0; i < pictures().size(); ++i) {
        SCOPED_TRACE(testing::Message() << "picture " << i << " in coding order");
        check_header(i);
        check_f_codes(pictures()[i].code);
        check_slices(pictures()[i]);
    }
    check_reconstruction();
}

void CheckedStream::check_sequences() const {
    EXPECT_EQ(parsed_.mpeg2, !mpeg1());
    EXPECT_TRUE(parsed_.has_sequence_end);
    EXPECT_EQ(encoded_.end_bytes, 4U);
    for (const MpegSequence& sequence : parsed_.sequences) {
        EXPECT_EQ(sequence.width, format_.width);
        EXPECT_EQ(sequence.height, format_.height);
        EXPECT_NE(sequence.bit_rate, 0U);
        EXPECT_EQ(sequence.intra_matrix, settings_.intra_matrix.value_or(usual_intra_matrix()));
        EXPECT_EQ(sequence.custom_intra_matrix, sequence.intra_matrix != default_intra_matrix());
        EXPECT_EQ(sequence.custom_non_intra_matrix, settings_.non_intra_matrix.has_value());
        EXPECT_TRUE(!settings_.non_intra_matrix || sequence.non_intra_matrix == *settings_.non_intra_matrix);
    }
}

/// Only MPEG-1 has stuffing, once: the first B picture begins in another 1,024 bytes than the anchor before it.
void CheckedStream::check_stuffing() const {
    constexpr std::size_t read = 1024;
    const auto first_b = std::find_if(pictures().begin(), pictures().end(), [](const ParsedPicture& picture) {
        return picture.code.type == PictureType::bidirectional;
    });
    if (!mpeg1() || first_b == pictures().end()) {
        EXPECT_EQ(parsed_.stuffing_bytes, 0U);
        return;
    }
    EXPECT_LT(parsed_.stuffing_bytes, read);
    EXPECT_NE(std::prev(first_b)->offset / read, first_b->offset / read);
    EXPECT_TRUE(parsed_.stuffing_bytes == 0 || first_b->offset % read == 0) << "more stuffing than is needed";
}

/// A packet is one picture; headers come before I pictures, and only there.
void CheckedStream::check_packets() const {
    ASSERT_EQ(pictures().size(), encoded_.pictures.size());
    EXPECT_EQ(parsed_.sequences.size(), parsed_.groups.size());
    std::size_t begin = 0, group = 0;
    for (std::size_t i = 0; i < pictures().size(); ++i) {
        const CodedPicture& coded = encoded_.pictures[i];
        const bool intra = pictures()[i].code.type == PictureType::intra;
        EXPECT_EQ(coded.key, intra);
        EXPECT_EQ(coded.stats.bytes, coded.bytes.size());
        EXPECT_EQ(coded.stats.coding_index, static_cast<std::int64_t>(i));
        EXPECT_EQ(pictures()[i].offset + pictures()[i].bytes, begin + coded.bytes.size());
        if (intra) {
            ASSERT_LT(group, parsed_.groups.size());
            EXPECT_EQ(parsed_.sequence_offsets[group], begin);
            ++group;
        } else {
            EXPECT_EQ(pictures()[i].offset, begin);
        }
        EXPECT_EQ(pictures()[i].group + 1, group);
        begin += coded.bytes.size();
    }
    EXPECT_EQ(group, parsed_.groups.size());
}

/// temporal_reference alone must give the display order back.
void CheckedStream::check_groups() const {
    int first_display = 0;
    for (std::size_t begin = 0; begin < pictures().size();) {
        std::size_t end = begin + 1;
        while (end < pictures().size() && pictures()[end].group == pictures()[begin].group)
            ++end;
        const ParsedGroup& group = parsed_.groups[pictures()[begin].group];
        EXPECT_EQ(group.code.closed, pictures()[begin].code.temporal_reference == 0);
        EXPECT_TRUE(group.code.closed || (!settings_.closed_gop && begin > 0));
        EXPECT_FALSE(group.broken_link);
        check_time_code(group.code, first_display);
        for (std::size_t i = begin; i < end; ++i) {
            const int display = first_display + pictures()[i].code.temporal_reference;
            EXPECT_EQ(display, encoded_.pictures[i].stats.display_index);
            if (!looks_ahead(settings_)) {
                EXPECT_EQ(pictures()[i].code.type, type_at(settings_, display, frames())) << display;
            }
        }
        first_display += static_cast<int>(end - begin);
        begin = end;
    }
}

void CheckedStream::check_time_code(const MpegGroup& group, int display) const {
    const int per_second = std::clamp(static_cast<int>(format_.frame_rate.value() + 0.5), 1, 60);
    const int said = ((group.hours * 60 + group.minutes) * 60 + group.seconds) * per_second + group.pictures;
    EXPECT_EQ(said, display);
    EXPECT_LT(group.pictures, per_second);
    EXPECT_FALSE(group.drop_frame);
}

void CheckedStream::check_header(std::size_t i) const {
    const MpegPicture& code = pictures()[i].code;
    EXPECT_EQ(code.vbv_delay, 0xFFFF);
    EXPECT_EQ(code.quantiser_scale_type, settings_.non_linear_quantiser);
    const bool may_choose = settings_.intra_table == IntraTable::shorter && settings_.codec == Codec::mpeg2;
    EXPECT_EQ(code.intra_vlc_format, may_choose ? shorter_intra_table(code) == CoefficientTable::b15
                                                : settings_.intra_table == IntraTable::b15);
    EXPECT_EQ(code.alternate_scan, settings_.alternate_scan);
    EXPECT_EQ(code.intra_dc_precision, settings_.intra_dc_precision);
    const PictureStats& stats = encoded_.pictures[i].stats;
    EXPECT_EQ(stats.type, code.type);
    if (!settings_.mbtree && settings_.aq_mode == AqMode::off) {
        EXPECT_EQ(stats.qp, quantiser_code(settings_, code.type));
    }
    EXPECT_EQ(stats.intra + stats.forward + stats.backward + stats.both + stats.skipped, code.macroblocks());
    EXPECT_EQ(stats.skipped,
              std::count_if(code.flags.begin(), code.flags.end(), [](int flags) { return (flags & mb_skipped) != 0; }));
    EXPECT_EQ(stats.intra,
              std::count_if(code.flags.begin(), code.flags.end(), [](int flags) { return (flags & mb_intra) != 0; }));
}

/// The smallest that hold the vectors that are there; MPEG-1 has one for both components.
void CheckedStream::check_f_codes(const MpegPicture& code) const {
    for (std::size_t direction = 0; direction < 2; ++direction) {
        if (static_cast<int>(direction) >= static_cast<int>(code.type) - 1) continue; // The parser saw that it is 15.
        const std::uint8_t flag = direction == 0 ? mb_forward : mb_backward;
        std::array<int, 2> needed{1, 1};
        for (std::size_t i = 0; i < code.flags.size(); ++i) {
            if ((code.flags[i] & flag) == 0) continue;
            const Mv mv = direction == 0 ? code.forward[i] : code.backward[i];
            needed[0] = std::max(needed[0], f_code_for(mv.x / 4));
            needed[1] = std::max(needed[1], f_code_for(mv.y / 4));
        }
        if (mpeg1()) needed[0] = needed[1] = std::max(needed[0], needed[1]);
        EXPECT_EQ(code.f_code[direction], needed) << "direction " << direction;
    }
}

void CheckedStream::check_slices(const ParsedPicture& picture) const {
    const MpegPicture& code = picture.code;
    const auto layout = slice_layout(settings_.codec, code.mb_columns, code.mb_rows, settings_.slices);
    ASSERT_EQ(code.slices.size(), layout.size());
    const int quantiser = quantiser_code(settings_, code.type);
    for (std::size_t i = 0; i < layout.size(); ++i) {
        EXPECT_EQ(code.slices[i].first, layout[i].first);
        EXPECT_EQ(code.slices[i].end, layout[i].end) << "the last macroblock of a slice is not skipped";
        if (!settings_.mbtree && settings_.aq_mode == AqMode::off) {
            EXPECT_GE(picture.slice_quantiser[i], quantiser);
        }
        check_quantisers(picture, layout[i], picture.slice_quantiser[i]);
    }
}

/// A macroblock says its quantiser where it is another than before in the slice, and none is finer than the picture's.
void CheckedStream::check_quantisers(const ParsedPicture& picture, const SliceExtent& slice, int before) const {
    const MpegPicture& code = picture.code;
    for (auto i = static_cast<std::size_t>(slice.first); i < static_cast<std::size_t>(slice.end); ++i) {
        const int now = code.quantiser_scale_code[i];
        EXPECT_EQ(picture.macroblock_quant[i], now != before ? 1 : 0) << "macroblock " << i;
        if (!settings_.mbtree && settings_.aq_mode == AqMode::off) {
            EXPECT_GE(now, quantiser_code(settings_, code.type));
        }
        before = now;
    }
}

/// From the encoder's own references, so that nothing adds up: each sample within the one of a rounding.
void CheckedStream::check_reconstruction() const {
    References references;
    ReferencePtr latest;
    for (std::size_t i = 0; i < pictures().size(); ++i) {
        const MpegPicture& code = pictures()[i].code;
        const bool b_picture = code.type == PictureType::bidirectional;
        if (!b_picture) references = {latest, nullptr};
        MpegSequence sequence = parsed_.sequences[pictures()[i].sequence];
        if (!sequence.custom_intra_matrix) sequence.intra_matrix = default_intra_matrix();
        if (!sequence.custom_non_intra_matrix) sequence.non_intra_matrix = default_non_intra_matrix();
        const Frame& expected = *encoded_.pictures[i].reconstruction;
        const auto decoded = decode_naively(code, sequence, mpeg1(), references);
        EXPECT_LE(largest_difference(*decoded, expected), 1) << "picture " << i;
        if (b_picture) continue;
        const ReferencePtr before = std::move(latest);
        latest = std::make_shared<Reference>(encoded_.pictures[i].reconstruction);
        references = {before, latest}; // Of the B pictures that follow.
    }
}

} // namespace tandem::test
