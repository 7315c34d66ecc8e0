// SPDX-License-Identifier: BSD-2-Clause
// The bits that a decision counts for a macroblock, against those that are written.
#include "coding/mpeg/slice_prediction.h"

#include <gtest/gtest.h>

#include "bitstream/mpeg/macroblock_writer.h"
#include "tests/coding/coded_pictures.h"

namespace tandem::test {
namespace {

void expect_bits_as_written(const MpegTools& tools, MpegCodingJob& job) {
    MpegPicture& picture = job.picture;
    for (const SliceExtent slice : picture.slices) {
        const int code = picture.quantiser_scale_code[static_cast<std::size_t>(slice.first)];
        SlicePrediction prediction(picture, slice, code);
        MacroblockWriter writer(picture, tools.codec, slice.first, code);
        for (int address = slice.first; address < slice.end; ++address) {
            const auto i = static_cast<std::size_t>(address);
            if (picture.flags[i] & mb_skipped) picture.pattern[i] = 0;
            const CodedMacroblock coded = coded_macroblock(picture, tools.codec, address, decided_mode(picture, i));
            BitWriter bits;
            writer.write(bits, address);
            ASSERT_EQ(prediction.bits(coded), static_cast<int>(bits.bit_count())) << "macroblock " << address;
            prediction.follow(coded);
            EXPECT_TRUE(prediction.mode_before() == coded.mode);
        }
    }
}

TEST(SlicePrediction, CountsTheBitsThatAreWritten) { for_coded_pictures(60, expect_bits_as_written); }

} // namespace
} // namespace tandem::test
