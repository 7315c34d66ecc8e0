// SPDX-License-Identifier: BSD-2-Clause
#include "coding/mpeg/slice_prediction.h"

#include <bit>
#include <cstdlib>

#include "bitstream/mpeg/code_length.h"
#include "bitstream/mpeg/code_tables.h"
#include "bitstream/mpeg/vlc_tables.h"

namespace tandem {

namespace {

/// Of the run/level codes of one block and its end_of_block; `nonzero`: scan positions, of intra blocks without DC.
int coded_block_bits(std::uint64_t nonzero, const std::int16_t* levels, bool intra, bool b15, bool mpeg1) {
    const auto& lengths = code_length_tables::coefficient[b15][mpeg1];
    int sum = b15 ? end_of_block_bits_b15 : end_of_block_bits_b14;
    int next = intra ? 1 : 0;
    for (; nonzero != 0; nonzero &= nonzero - 1) {
        const int position = std::countr_zero(nonzero);
        const int level = std::abs(levels[position]);
        sum += level < code_length_tables::level_count
                   ? lengths[static_cast<std::size_t>(position - next)][static_cast<std::size_t>(level)]
                   : code_length_tables::escape_bits(level, mpeg1);
        // Table B-14 has a shorter code for level 1 without run where it is the first of a block.
        sum -= !intra && position == 0 && level == 1 ? 1 : 0;
        next = position + 1;
    }
    return sum;
}

int increment_bits(int increment) {
    const int escapes = (increment - 1) / macroblock_escape_step;
    return escapes * macroblock_escape.length +
           address_increment_codes[static_cast<std::size_t>(increment - escapes * macroblock_escape_step)].length;
}

} // namespace

CodedMacroblock coded_macroblock(const MpegPicture& picture, Codec codec, int address, const Mode& mode) {
    const auto i = static_cast<std::size_t>(address);
    const bool intra = (mode.flags & mb_intra) != 0;
    CodedMacroblock coded;
    coded.address = address;
    coded.mode = mode;
    coded.pattern = picture.pattern[i];
    coded.code = picture.quantiser_scale_code[i];
    for (std::size_t b = 0; b < 6; ++b) {
        const std::size_t block = i * 6 + b;
        if (intra) coded.dc[b] = picture.levels[block * 64];
        if ((coded.pattern >> (5 - b) & 1) == 0) continue;
        coded.block_bits += coded_block_bits(picture.nonzero[block], &picture.levels[block * 64], intra,
                                             intra && picture.intra_vlc_format, codec == Codec::mpeg1);
    }
    return coded;
}

SlicePrediction::SlicePrediction(const MpegPicture& picture, SliceExtent slice, int quantiser_scale_code)
    : picture_(&picture), slice_(slice), quantiser_(quantiser_scale_code),
      coded_before_(slice.first / picture.mb_columns * picture.mb_columns - 1) {
    reset_dc();
}

/// At the middle of the range that intra_dc_precision gives.
void SlicePrediction::reset_dc() { dc_.fill(128 << (picture_->intra_dc_precision - 8)); }

int SlicePrediction::flags_of(const CodedMacroblock& coded) const {
    const bool inside = coded.address != slice_.first && coded.address != slice_.end - 1;
    return settled_flags(picture_->type, coded.mode, before_, coded.pattern, inside);
}

int SlicePrediction::bits(const CodedMacroblock& coded) const {
    const int flags = flags_of(coded);
    if (flags & mb_skipped) return 0;
    const bool intra = (flags & mb_intra) != 0;
    const bool says_quantiser = coded.pattern != 0 && coded.code != quantiser_;
    int sum = increment_bits(coded.address - coded_before_);
    sum += macroblock_type_codes.at(picture_->type, flags, coded.pattern != 0 && !intra, says_quantiser).length;
    sum += says_quantiser ? 5 : 0;
    if (intra) return sum + dc_bits(coded) + coded.block_bits;
    sum += vectors_bits(coded, flags);
    if (coded.pattern != 0) sum += code_length_tables::coded_block_pattern[static_cast<std::size_t>(coded.pattern)];
    return sum + coded.block_bits;
}

int SlicePrediction::vectors_bits(const CodedMacroblock& coded, int flags) const {
    int sum = 0;
    if (flags & mb_forward) sum += motion_vector_bits(coded.mode.forward, forward_, picture_->f_code[0]);
    if (flags & mb_backward) sum += motion_vector_bits(coded.mode.backward, backward_, picture_->f_code[1]);
    return sum;
}

int SlicePrediction::dc_bits(const CodedMacroblock& coded) const {
    int sum = 0;
    for (std::size_t block = 0; block < 6; ++block) {
        const bool luma = block < 4;
        const int before = luma && block > 0 ? coded.dc[block - 1] : dc_[luma ? 0 : block - 3];
        const int size = std::bit_width(static_cast<unsigned>(std::abs(coded.dc[block] - before)));
        sum += dc_size_codes[luma ? 0 : 1][static_cast<std::size_t>(size)].length + size;
    }
    return sum;
}

void SlicePrediction::follow(const CodedMacroblock& coded) {
    const int flags = flags_of(coded);
    const bool intra = (flags & mb_intra) != 0;
    before_ = coded.mode;
    if (!intra) reset_dc();
    if (intra || (flags & (mb_forward | mb_backward)) == 0) forward_ = backward_ = {};
    if (flags & mb_skipped) return;
    coded_before_ = coded.address;
    if (coded.pattern != 0) quantiser_ = coded.code;
    if (flags & mb_forward) forward_ = coded.mode.forward;
    if (flags & mb_backward) backward_ = coded.mode.backward;
    for (std::size_t component = 0; intra && component < 3; ++component)
        dc_[component] = coded.dc[component + 3];
}

} // namespace tandem
