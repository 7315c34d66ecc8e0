// SPDX-License-Identifier: BSD-2-Clause
// The bits that the kernels count for a macroblock, against those that are written.
#include <gtest/gtest.h>

#include <algorithm>

#include "bitstream/mpeg/macroblock_writer.h"
#include "coding/mpeg/quantiser/quantiser_ladder.h"
#include "cuda/coding/coding_tables.h"
#include "cuda/coding/kernels/code_blocks.h"
#include "cuda/coding/kernels/slice_prediction.h"
#include "tests/coding/coded_pictures.h"

namespace tandem::test {
namespace {

using namespace tandem::cuda;

/// A coded picture, whose macroblocks are counted.
class Counted {
  public:
    Counted(const MpegTools& tools, const MpegCodingJob& job)
        : picture_(job.picture), task_(task_of(tools, job)), tables_(make_coding_tables(tools)),
          ladder_(quantiser_ladder(tools, std::array<std::uint8_t, 2>{1, 31})) {
        task_.tables = &tables_;
        task_.wanted_code = picture_.quantiser_scale_code.data();
        task_.ladder = ladder_.data();
        task_.ladder_length = static_cast<int>(ladder_.size());
        task_.first_code = 1;
        for (std::size_t i = 0; i < 2; ++i)
            std::ranges::copy(picture_.f_code[i], task_.direction[i].f_code);
    }

    int middle_dc() const { return 1024 / ladder_[0].intra.dc_multiplier; }
    void start(SliceExtent slice) { prediction_.start(task_, slice, middle_dc()); }
    /// Of the next macroblock.
    std::uint32_t bits(int address) {
        const auto i = static_cast<std::size_t>(address);
        const bool intra = (picture_.flags[i] & mb_intra) != 0;
        for (std::size_t block = 0; block < 6; ++block) {
            const std::int16_t* levels = &picture_.levels[(i * 6 + block) * 64];
            std::copy(levels, levels + 64, scratch_.level[block]);
            dc_[block] = levels[0];
            const bool is_coded = (picture_.pattern[i] & (32 >> block)) != 0;
            scratch_.nonzero[block] = is_coded ? picture_.nonzero[i * 6 + block] & ~std::uint64_t{intra} : 0;
        }
        const Mode mode{picture_.flags[i], picture_.forward[i], picture_.backward[i]};
        const BlocksCoder<6> blocks(lanes_, task_, address, mode, 0, scratch_);
        const CodedMacroblock coded{address,
                                    mode.flags,
                                    mode.forward,
                                    mode.backward,
                                    picture_.pattern[i],
                                    picture_.quantiser_scale_code[i],
                                    blocks.bits(),
                                    dc_};
        const std::uint32_t counted = prediction_.bits(task_, coded);
        prediction_.follow(coded, middle_dc());
        return counted;
    }

  private:
    const Lanes lanes_;
    const MpegPicture& picture_;
    CodingTask task_;
    CodingTables tables_;
    std::vector<Quantisers> ladder_;
    SlicePrediction prediction_;
    BlocksScratch<6> scratch_;
    std::int16_t dc_[6];
};

void expect_bits_as_written(const MpegTools& tools, const MpegCodingJob& job) {
    const MpegPicture& picture = job.picture;
    Counted counted(tools, job);
    for (const SliceExtent slice : picture.slices) {
        counted.start(slice);
        MacroblockWriter writer(picture, tools.codec, slice.first,
                                picture.quantiser_scale_code[static_cast<std::size_t>(slice.first)]);
        for (int i = slice.first; i < slice.end; ++i) {
            BitWriter bits;
            writer.write(bits, i);
            ASSERT_EQ(counted.bits(i), bits.bit_count()) << "macroblock " << i;
        }
    }
}

TEST(SlicePredictionOfKernels, CountsTheBitsThatAreWritten) { for_coded_pictures(60, expect_bits_as_written); }

} // namespace
} // namespace tandem::test
