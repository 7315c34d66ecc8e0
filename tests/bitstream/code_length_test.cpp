// SPDX-License-Identifier: BSD-2-Clause
// Lengths against the tables, and against what the writer writes.
#include <algorithm>

#include "bitstream/mpeg/code_length.h"

#include <gtest/gtest.h>

#include "tests/bitstream/block_bits.h"
#include "tests/bitstream/random_stream.h"
#include "tests/bitstream/stream_parser.h"

namespace tandem::test {
namespace {

int length_in(std::span<const RunLevelRow> table, int run, int magnitude) {
    for (const RunLevelRow& row : table) {
        if (row.run == run && row.level == magnitude) return row.code.length + 1;
    }
    return 0;
}

TEST(CodeLength, EveryRunAndLevel) {
    for (int run = 0; run < 64; ++run) {
        for (int level = -2047; level <= 2047; ++level) {
            if (level == 0) continue;
            const int magnitude = std::abs(level);
            const int zero = length_in(table_b14, run, magnitude);
            const int one = length_in(table_b15, run, magnitude);
            ASSERT_EQ(coefficient_bits(CoefficientTable::b14, run, level, false), zero != 0 ? zero : 24);
            ASSERT_EQ(coefficient_bits(CoefficientTable::b15, run, level, false), one != 0 ? one : 24);
            if (magnitude > 255) continue;
            ASSERT_EQ(coefficient_bits(CoefficientTable::b14, run, level, true), zero != 0          ? zero
                                                                                 : magnitude <= 127 ? 20
                                                                                                    : 28);
        }
    }
}

TEST(CodeLength, MotionComponents) {
    // Table B-10 at f_code 1; a residual of f_code - 1 bits with each code but 0.
    EXPECT_EQ(MotionComponentBits(1)(0), 1);
    EXPECT_EQ(MotionComponentBits(9)(0), 1);
    EXPECT_EQ(MotionComponentBits(1)(1), 3);
    EXPECT_EQ(MotionComponentBits(1)(-2), 4);
    EXPECT_EQ(MotionComponentBits(1)(-16), 11);
    EXPECT_EQ(MotionComponentBits(1)(16), 11); // Wraps to -16.
    EXPECT_EQ(MotionComponentBits(1)(31), 3);  // Wraps to -1.
    EXPECT_EQ(MotionComponentBits(1)(-31), 3);
    EXPECT_EQ(MotionComponentBits(3)(1), 3 + 2);
    EXPECT_EQ(MotionComponentBits(3)(4), 3 + 2);
    EXPECT_EQ(MotionComponentBits(3)(5), 4 + 2);
    EXPECT_EQ(MotionComponentBits(3)(-64), 11 + 2);
    EXPECT_EQ(MotionComponentBits(3)(127), 3 + 2); // Wraps to -1.
}

// What the choice of vectors relies on to leave some out.
TEST(CodeLength, MotionComponentsAreNoLongerThanTwoThatAddUpToThem) {
    for (int f_code = 1; f_code <= 9; ++f_code) {
        const MotionComponentBits bits(f_code);
        const int range = 32 << (f_code - 1), step = f_code <= 5 ? 1 : (1 << (f_code - 5)) - 1;
        for (int first = 0; first < range; first += step) {
            for (int second = 0; second < range; second += step)
                ASSERT_LE(bits(first + second), bits(first) + bits(second) - 1)
                    << f_code << " " << first << " " << second;
        }
    }
}

TEST(CodeLength, MacroblockTypes) {
    EXPECT_EQ(macroblock_type_bits(PictureType::intra, mb_intra, true), 1);
    EXPECT_EQ(macroblock_type_bits(PictureType::intra, mb_intra, false), 1);
    EXPECT_EQ(macroblock_type_bits(PictureType::predicted, mb_forward, true), 1);
    EXPECT_EQ(macroblock_type_bits(PictureType::predicted, mb_forward, false), 3);
    EXPECT_EQ(macroblock_type_bits(PictureType::predicted, 0, true), 2);
    EXPECT_EQ(macroblock_type_bits(PictureType::predicted, 0, false), 0);
    EXPECT_EQ(macroblock_type_bits(PictureType::predicted, mb_intra, false), 5);
    EXPECT_EQ(macroblock_type_bits(PictureType::bidirectional, mb_forward | mb_backward, true), 2);
    EXPECT_EQ(macroblock_type_bits(PictureType::bidirectional, mb_backward, false), 3);
    EXPECT_EQ(macroblock_type_bits(PictureType::bidirectional, mb_forward, true), 4);
    EXPECT_EQ(macroblock_type_bits(PictureType::bidirectional, mb_intra, true), 5);
}

TEST(CodeLength, CodedBlockPatterns) {
    EXPECT_EQ(code_length_tables::coded_block_pattern[0], 0);
    for (int pattern = 1; pattern < 64; ++pattern)
        EXPECT_EQ(code_length_tables::coded_block_pattern[static_cast<std::size_t>(pattern)],
                  coded_block_pattern_bits(pattern));
}

TEST(CodeLength, FCodes) {
    EXPECT_EQ(f_code_for(0), 1);
    int low = 16;
    for (int f_code = 1; f_code <= 9; ++f_code, low *= 2) {
        EXPECT_EQ(f_code_for(low - 1), f_code);
        EXPECT_EQ(f_code_for(-low), f_code);
        if (f_code == 9) continue;
        EXPECT_EQ(f_code_for(low), f_code + 1);
        EXPECT_EQ(f_code_for(-low - 1), f_code + 1);
    }
    EXPECT_THROW(f_code_for(4096), std::invalid_argument);
    EXPECT_THROW(f_code_for(-4097), std::invalid_argument);
}

/// Bits of macroblocks from the functions of code_length.h, with the predictions that a slice has.
class Counter {
  public:
    Counter(const MpegPicture& picture, bool mpeg1) : picture_(picture), mpeg1_(mpeg1) {}
    void begin_slice() {
        dc_.fill(128 << (picture_.intra_dc_precision - 8));
        vectors_ = {};
    }
    void skip() {
        const auto vectors = vectors_;
        begin_slice();
        if (picture_.type == PictureType::bidirectional) vectors_ = vectors;
    }
    /// Without macroblock_address_increment.
    int bits(std::size_t at) {
        const std::uint8_t flags = picture_.flags[at];
        const int pattern = picture_.pattern[at];
        int bits = macroblock_type_bits(picture_.type, flags, pattern != 0);
        if ((flags & mb_intra) != 0) return bits + intra(at);
        dc_.fill(128 << (picture_.intra_dc_precision - 8));
        if (flags == 0) vectors_ = {};
        if ((flags & mb_forward) != 0) bits += vector(picture_.forward[at], 0);
        if ((flags & mb_backward) != 0) bits += vector(picture_.backward[at], 1);
        if (pattern != 0) bits += coded_block_pattern_bits(pattern);
        for (std::size_t i = at * 6; i < at * 6 + 6; ++i) {
            if ((pattern & (32 >> (i % 6))) == 0) continue;
            bits += block_bits(picture_.nonzero[i], &picture_.levels[i * 64], CoefficientTable::b14, false, mpeg1_);
        }
        return bits;
    }

  private:
    int intra(std::size_t at) {
        vectors_ = {};
        const auto table = picture_.intra_vlc_format ? CoefficientTable::b15 : CoefficientTable::b14;
        int bits = 0;
        for (std::size_t i = 0; i < 6; ++i) {
            int& dc = dc_[i < 4 ? 0 : i - 3];
            const std::int16_t* levels = &picture_.levels[(at * 6 + i) * 64];
            bits +=
                dc_bits(levels[0] - dc, i >= 4) + block_bits(picture_.nonzero[at * 6 + i], levels, table, true, mpeg1_);
            dc = levels[0];
        }
        return bits;
    }
    int vector(Mv mv, std::size_t direction) {
        auto& predictor = vectors_[direction];
        const int x = mv.x / eighths_per_half_pel, y = mv.y / eighths_per_half_pel;
        const int bits = MotionComponentBits(picture_.f_code[direction][0])(x - predictor[0]) +
                         MotionComponentBits(picture_.f_code[direction][1])(y - predictor[1]);
        predictor = {x, y};
        return bits;
    }

    const MpegPicture& picture_;
    const bool mpeg1_;
    std::array<int, 3> dc_{};
    std::array<std::array<int, 2>, 2> vectors_{};
};

void expect_exact(const MpegPicture& picture, const ParsedPicture& parsed, bool mpeg1) {
    Counter counter(picture, mpeg1);
    for (const SliceExtent slice : picture.slices) {
        counter.begin_slice();
        int before = slice.first - slice.first % picture.mb_columns - 1;
        for (int address = slice.first; address < slice.end; ++address) {
            const auto at = static_cast<std::size_t>(address);
            if ((picture.flags[at] & mb_skipped) != 0) {
                counter.skip();
                continue;
            }
            const int increment = address - before;
            before = address;
            const int escapes = (increment - 1) / 33;
            const int increment_bits = 11 * escapes + table_b1[increment - 33 * escapes - 1].code.length;
            ASSERT_EQ(increment_bits + counter.bits(at), static_cast<int>(parsed.macroblock_bits[at])) << address;
        }
    }
}

TEST(CodeLength, IsWhatTheWriterWrites) {
    for (const bool mpeg1 : {false, true}) {
        for (std::uint32_t seed = 1; seed <= 4; ++seed) {
            RandomStream stream = random_stream({.mpeg1 = mpeg1, .width = 640, .height = 64, .seed = seed});
            // One quantiser: macroblock_quant is not counted.
            for (MpegPicture& picture : stream.pictures) {
                std::fill(picture.quantiser_scale_code.begin(), picture.quantiser_scale_code.end(), std::uint8_t{9});
            }
            const auto writer = mpeg1 ? make_mpeg1_writer() : make_mpeg2_writer();
            const ParsedStream parsed = parse_stream(write_stream(stream, *writer));
            for (std::size_t i = 0; i < parsed.pictures.size(); ++i) {
                expect_exact(stream.pictures[i], parsed.pictures[i], mpeg1);
            }
        }
    }
}

} // namespace
} // namespace tandem::test
