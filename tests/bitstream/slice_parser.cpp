// SPDX-License-Identifier: BSD-2-Clause
#include "tests/bitstream/slice_parser.h"

#include <cmath>

#include "bitstream/mpeg/vlc_tables.h"

namespace tandem::test {

namespace {

constexpr int value_escape = -1000;
constexpr int value_end_of_block = -1001;
constexpr int value_stuffing = -1002;

VlcTree plain_tree(std::span<const VlcRow> rows) {
    VlcTree tree;
    for (const VlcRow& row : rows)
        tree.add(row.code, row.value);
    return tree;
}

VlcTree address_tree(bool mpeg2) {
    VlcTree tree = plain_tree(table_b1);
    tree.add(macroblock_escape, value_escape);
    if (!mpeg2) tree.add(macroblock_stuffing, value_stuffing);
    return tree;
}

VlcTree type_tree(std::span<const MacroblockTypeRow> rows) {
    VlcTree tree;
    for (const MacroblockTypeRow& row : rows)
        tree.add(row.code, row.flags | (row.pattern ? 16 : 0) | (row.quant ? 32 : 0));
    return tree;
}

VlcTree coefficient_tree(std::span<const RunLevelRow> rows, VlcCode end_of_block, bool first) {
    VlcTree tree;
    for (const RunLevelRow& row : rows) {
        const bool short_code = first && row.run == 0 && row.level == 1;
        tree.add(short_code ? table_b14_first : row.code, row.run * 64 + row.level);
    }
    tree.add(coefficient_escape, value_escape);
    if (!first) tree.add(end_of_block, value_end_of_block);
    return tree;
}

/// Every tree of one standard.
struct Trees {
    explicit Trees(bool mpeg2)
        : address(address_tree(mpeg2)), types{type_tree(table_b2), type_tree(table_b3), type_tree(table_b4)},
          pattern(plain_tree(table_b9)),
          motion(plain_tree(table_b10)), dc{plain_tree(table_b12), plain_tree(table_b13)},
          b14_first(coefficient_tree(table_b14, table_b14_end_of_block, true)),
          b14(coefficient_tree(table_b14, table_b14_end_of_block, false)),
          b15(coefficient_tree(table_b15, table_b15_end_of_block, false)) {}
    VlcTree address;
    std::array<VlcTree, 3> types;
    VlcTree pattern, motion;
    std::array<VlcTree, 2> dc;
    VlcTree b14_first, b14, b15;
};

const Trees& trees(bool mpeg2) {
    static const Trees one(false);
    static const Trees two(true);
    return mpeg2 ? two : one;
}

class SliceParser {
  public:
    SliceParser(BitReader& reader, const MpegSequence& sequence, bool mpeg2, ParsedPicture& picture)
        : reader_(reader), sequence_(sequence), mpeg2_(mpeg2), trees_(trees(mpeg2)), parsed_(picture),
          code_(picture.code) {}
    void slice(int vertical_position);

  private:
    int address_increment();
    void skip(int address);
    void macroblock(int address, std::size_t start_bit);
    void motion_vectors(int flags, Mv& forward, Mv& backward);
    int motion_component(int f_code, int& predictor);
    void intra_block(std::size_t block, int component);
    void coefficients(std::size_t block, int position, bool first);
    int escaped_level();
    void reset_dc() { dc_.fill(1 << (code_.intra_dc_precision - 1)); }
    void reset_vectors() { vectors_ = {}; }

    BitReader& reader_;
    const MpegSequence& sequence_;
    const bool mpeg2_;
    const Trees& trees_;
    ParsedPicture& parsed_;
    MpegPicture& code_;
    int quantiser_ = 0;
    std::array<int, 3> dc_{};
    std::array<std::array<int, 2>, 2> vectors_{}; ///< PMV in half-pels: [forward, backward][x, y].
};

void SliceParser::slice(int vertical_position) {
    int row = vertical_position - 1;
    if (mpeg2_ && sequence_.height > 2800) {
        reader_.expect(row < 128, "slice_vertical_position above 128 in a tall picture");
        row += static_cast<int>(reader_.read(3)) * 128;
    }
    reader_.expect(row < code_.mb_rows, "a slice below the picture");
    quantiser_ = static_cast<int>(reader_.read(5));
    reader_.expect(quantiser_ != 0, "quantiser_scale_code 0");
    reader_.expect(!reader_.flag(), "extra_bit_slice");
    parsed_.slice_quantiser.push_back(static_cast<std::uint8_t>(quantiser_));
    reset_dc();
    reset_vectors();

    const int covered = code_.slices.empty() ? 0 : code_.slices.back().end;
    int address = row * code_.mb_columns - 1;
    bool first = true;
    // 23 zero bits, of which a start code's first are, end a slice; no macroblock begins with as many.
    while (true) {
        const std::size_t start_bit = reader_.position();
        const int increment = address_increment();
        if (first) {
            address += increment;
            reader_.expect(address == covered, "slices leave out a macroblock or repeat one");
            reader_.expect(address / code_.mb_columns == row, "a slice does not start in its row");
            code_.slices.push_back({address, address});
        } else {
            for (int i = 1; i < increment; ++i)
                skip(++address);
            ++address;
        }
        reader_.expect(address < code_.macroblocks(), "a macroblock below the picture");
        reader_.expect(!mpeg2_ || address / code_.mb_columns == row, "an MPEG-2 slice leaves its row");
        macroblock(address, start_bit);
        first = false;
        code_.slices.back().end = address + 1;
        BitReader ahead = reader_;
        int zeros = 0;
        while (zeros < 23 && !ahead.at_end() && ahead.read(1) == 0)
            ++zeros;
        if (zeros == 23 || ahead.at_end()) return;
    }
}

int SliceParser::address_increment() {
    int increment = 0;
    while (true) {
        const int value = trees_.address.read(reader_, "macroblock_address_increment");
        if (value == value_stuffing) reader_.fail("macroblock_stuffing");
        if (value != value_escape) return increment + value;
        increment += 33;
    }
}

void SliceParser::skip(int address) {
    const auto at = static_cast<std::size_t>(address);
    reader_.expect(address < code_.macroblocks() - 1, "skipped macroblocks leave the picture");
    reader_.expect(code_.type != PictureType::intra, "a skipped macroblock in an I picture");
    reset_dc();
    code_.quantiser_scale_code[at] = static_cast<std::uint8_t>(quantiser_);
    code_.flags[at] = mb_skipped;
    if (code_.type == PictureType::predicted) {
        reset_vectors();
        return;
    }
    const int before = code_.flags[at - 1];
    reader_.expect((before & mb_intra) == 0, "a skipped macroblock behind an intra one in a B picture");
    code_.flags[at] = static_cast<std::uint8_t>(before | mb_skipped);
    code_.forward[at] = code_.forward[at - 1];
    code_.backward[at] = code_.backward[at - 1];
}

void SliceParser::macroblock(int address, std::size_t start_bit) {
    const auto at = static_cast<std::size_t>(address);
    const auto type_index = static_cast<std::size_t>(code_.type) - 1;
    const int type = trees_.types[type_index].read(reader_, "macroblock_type");
    const int flags = type & 7;
    if ((type & 32) != 0) {
        quantiser_ = static_cast<int>(reader_.read(5));
        reader_.expect(quantiser_ != 0, "quantiser_scale_code 0");
        parsed_.macroblock_quant[at] = 1;
    }
    code_.flags[at] = static_cast<std::uint8_t>(flags);
    code_.quantiser_scale_code[at] = static_cast<std::uint8_t>(quantiser_);
    if ((flags & mb_intra) != 0) {
        reset_vectors();
        code_.pattern[at] = 63;
        for (std::size_t block = 0; block < 6; ++block) {
            intra_block(at * 6 + block, block < 4 ? 0 : static_cast<int>(block) - 3);
        }
    } else {
        reset_dc();
        if (code_.type == PictureType::predicted && (flags & mb_forward) == 0) reset_vectors();
        motion_vectors(flags, code_.forward[at], code_.backward[at]);
        const int pattern = (type & 16) != 0 ? trees_.pattern.read(reader_, "coded_block_pattern") : 0;
        reader_.expect((type & 16) == 0 || pattern != 0, "coded_block_pattern 0 in 4:2:0");
        code_.pattern[at] = static_cast<std::uint8_t>(pattern);
        for (std::size_t block = 0; block < 6; ++block) {
            if (((pattern >> (5 - block)) & 1) != 0) coefficients(at * 6 + block, 0, true);
        }
    }
    parsed_.macroblock_bits[at] = static_cast<std::uint32_t>(reader_.position() - start_bit);
}

void SliceParser::motion_vectors(int flags, Mv& forward, Mv& backward) {
    const auto vector = [this](std::size_t direction) {
        const int x = motion_component(code_.f_code[direction][0], vectors_[direction][0]);
        const int y = motion_component(code_.f_code[direction][1], vectors_[direction][1]);
        return Mv{static_cast<std::int16_t>(x * eighths_per_half_pel),
                  static_cast<std::int16_t>(y * eighths_per_half_pel)};
    };
    if ((flags & mb_forward) != 0) forward = vector(0);
    if ((flags & mb_backward) != 0) backward = vector(1);
}

/// 13818-2 clause 7.6.3.1.
int SliceParser::motion_component(int f_code, int& predictor) {
    reader_.expect(f_code >= 1 && f_code <= 9, "a vector without an f_code");
    const int r_size = f_code - 1;
    const int f = 1 << r_size;
    const int high = 16 * f - 1, low = -16 * f, range = 32 * f;
    const int motion_code = trees_.motion.read(reader_, "motion_code");
    int delta = motion_code;
    if (f != 1 && motion_code != 0) {
        const int residual = static_cast<int>(reader_.read(r_size));
        delta = (std::abs(motion_code) - 1) * f + residual + 1;
        if (motion_code < 0) delta = -delta;
    }
    int vector = predictor + delta;
    if (vector < low) vector += range;
    if (vector > high) vector -= range;
    reader_.expect(vector >= low && vector <= high, "a vector outside its f_code's range");
    predictor = vector;
    return vector;
}

/// 13818-2 clause 7.2.1.
void SliceParser::intra_block(std::size_t block, int component) {
    const int size = trees_.dc[component != 0].read(reader_, "dct_dc_size");
    int difference = 0;
    if (size != 0) {
        const int half = 1 << (size - 1);
        difference = static_cast<int>(reader_.read(size));
        if (difference < half) difference -= 2 * half - 1;
    }
    int& dc = dc_[static_cast<std::size_t>(component)];
    dc += difference;
    reader_.expect(dc >= 0 && dc < (1 << code_.intra_dc_precision), "intra DC out of range");
    code_.levels[block * 64] = static_cast<std::int16_t>(dc);
    coefficients(block, 1, false);
}

void SliceParser::coefficients(std::size_t block, int position, bool first) {
    const bool intra = position == 1;
    for (;; first = false) {
        const VlcTree& tree = first ? trees_.b14_first : intra && code_.intra_vlc_format ? trees_.b15 : trees_.b14;
        const int value = tree.read(reader_, "DCT coefficient");
        if (value == value_end_of_block) return;
        int run = value / 64, level = value % 64;
        if (value == value_escape) {
            run = static_cast<int>(reader_.read(6));
            level = escaped_level();
        } else if (reader_.flag()) {
            level = -level;
        }
        position += run;
        reader_.expect(position < 64, "more than 64 coefficients in a block");
        code_.levels[block * 64 + static_cast<std::size_t>(position)] = static_cast<std::int16_t>(level);
        code_.nonzero[block] |= std::uint64_t{1} << position;
        ++position;
    }
}

int SliceParser::escaped_level() {
    int level = static_cast<int>(reader_.read(mpeg2_ ? 12 : 8));
    if (mpeg2_) {
        reader_.expect(level != 0 && level != 2048, "a forbidden level");
        return level < 2048 ? level : level - 4096;
    }
    if (level != 0 && level != 128) return level < 128 ? level : level - 256;
    const bool negative = level == 128;
    level = static_cast<int>(reader_.read(8));
    reader_.expect(negative ? level >= 1 && level <= 128 : level >= 128, "a forbidden level");
    return negative ? level - 256 : level;
}

} // namespace

void parse_slice(BitReader& reader, const MpegSequence& sequence, bool mpeg2, int vertical_position,
                 ParsedPicture& picture) {
    SliceParser(reader, sequence, mpeg2, picture).slice(vertical_position);
}

} // namespace tandem::test
