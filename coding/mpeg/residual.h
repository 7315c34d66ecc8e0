// SPDX-License-Identifier: BSD-2-Clause
// Predict, transform, quantise, rebuild: from modes to levels and the reconstruction.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "bitstream/mpeg/code_length.h"
#include "bitstream/mpeg/mpeg_picture.h"
#include "coding/mpeg/kernels/transform.h"
#include "coding/mpeg/reference.h"
#include "video/frame.h"

namespace tandem {

/// The quantisers of one quantiser_scale_code.
struct Quantisers {
    int code = 0;
    std::uint32_t lambda_q6 = 0; ///< For the trellis: squared error per bit times 64.
    Quantiser intra, inter;
};

/// What the residual of one picture is coded with.
struct ResidualInput {
    const Frame* source = nullptr; ///< Coded size.
    const References* references = nullptr;
    /// Those of neighbouring codes, the finest first: all that the macroblocks have, and then, where not every
    /// coefficient has a level, coarser ones for macroblocks that need them (quantiser_ladder()).
    std::vector<Quantisers> quantisers;
    std::vector<std::uint8_t> codes; ///< By macroblock: the quantiser_scale_code that it is to have.
    /// Levels by trellis_quantise(), patterns by choose_pattern(); the quantisers then round as trellis.h wants.
    bool trellis = false;

    /// The quantisers that a macroblock is to have.
    const Quantisers& quantisers_of(int index) const {
        const int code = codes[static_cast<std::size_t>(index)];
        return quantisers[static_cast<std::size_t>(code - quantisers.front().code)];
    }
};

/// Codes macroblocks whose flags (without mb_skipped) and vectors are decided. Coders of disjoint slices may work at
/// once.
class ResidualCoder {
  public:
    /// All arguments stay the caller's, and must outlive the coder.
    ResidualCoder(const ResidualInput& input, SliceExtent slice, MpegPicture& picture, Frame& reconstruction);

    /// Fills pattern, levels and nonzero of a macroblock of the slice, rewrites its flags (mb_skipped; "no MC" in P
    /// pictures), sets its quantiser_scale_code, and writes all its samples into the reconstruction.
    void code(int index);
    /// The same without a residual, whatever the prediction leaves of the source. Not for intra.
    void code_prediction_alone(int index);
    /// Asks for the samples that coding a macroblock will read and write, of which its mode is decided, so that they
    /// are near by then.
    void fetch(int index) const;

  private:
    using ScanOrder = std::array<std::uint8_t, 64>;
    struct BlockPlace;
    struct PredictedBlock;
    struct Pointers {
        const std::uint8_t* source;
        std::uint8_t* out;
    };
    static const std::array<BlockPlace, 6> block_places;

    Pointers block_at(const BlockPlace& place, int x, int y) const;
    bool quantise(const Block& coefficients, const Quantiser& quantiser, std::size_t block, Block& levels);
    void drop_what_vanishes(const Quantiser& quantiser, std::size_t block, Block& levels);
    void drop(std::uint64_t positions, std::size_t block, Block& levels);
    bool has_largest_level(const Quantiser& quantiser, std::size_t block) const;
    void fetch_levels(std::size_t block, std::uint64_t mask, Block& levels);
    void store_levels(std::size_t block, std::uint64_t raster_mask, const Block& levels);
    void code_with(const Quantisers& quantisers, int index);
    void code_intra(std::size_t i, int x, int y);
    void code_inter(std::size_t i, int x, int y);
    std::array<PredictedBlock, 6> predicted_blocks(const Prediction& prediction, int x, int y) const;
    void measure_differences(std::span<const PredictedBlock, 6> blocks, std::span<Block, 6> values,
                             std::span<std::uint32_t, 6> energies) const;
    bool quantise_inter(std::size_t block, const Block& values, std::uint32_t energy, Block& levels);
    void rebuild_inter(const PredictedBlock& at, bool coded, const Block& levels);
    void rebuild_prediction(const Prediction& prediction, std::span<const PredictedBlock, 6> blocks);
    void settle_flags(int index);

    const ResidualInput& in_;
    const SliceExtent slice_;
    const TransformKernels& kernels_;
    MpegPicture& picture_;
    const Quantisers* quantisers_ = nullptr; ///< Of the macroblock at hand,
    bool is_cut_ = false;                    ///< for which they may be too fine.
    std::array<std::int64_t, 6> saving_{};   ///< By the trellis, of its blocks with levels.
    std::uint32_t lambda_q6_ = 0;            ///< Of the quantisers that it was to have.
    bool prediction_alone_ = false;
    const ScanOrder& scan_;
    CoefficientTable table_; ///< Of intra blocks.
    std::array<PlaneView, 3> source_;
    std::array<MutablePlaneView, 3> out_;
};

/// All macroblocks of a slice by one such coder.
void code_residual(const ResidualInput& input, SliceExtent slice, MpegPicture& picture, Frame& reconstruction);

} // namespace tandem
