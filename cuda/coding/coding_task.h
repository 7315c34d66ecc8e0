// SPDX-License-Identifier: BSD-2-Clause
// One picture to be coded, as its kernels see it: plain structs of numbers and of addresses in the device's memory.
#pragma once

#include <cstdint>

#include "bitstream/mpeg/mpeg_picture.h"
#include "coding/mpeg/decide.h"
#include "coding/mpeg/residual.h"
#include "coding/mpeg/vectors/vector_choice.h"
#include "me/motion.h"

namespace tandem::cuda {

/// A picture's planes: Y, Cb, Cr, of whole macroblocks. `Sample` is constant or not.
template <class Sample> struct PlanesOf {
    Sample* plane[3] = {};
    int stride[3] = {}; ///< Distance of two rows in samples: a multiple of 4, as is each plane's address.
};
using SamplePlanes = PlanesOf<const std::uint8_t>;
using WrittenPlanes = PlanesOf<std::uint8_t>;

/// The vectors that a macroblock may have: VectorCandidates of coding/mpeg/vectors/vector_choice.h.
struct VectorList {
    static constexpr int most = VectorCandidates::most;
    std::int32_t count;
    Mv mv[most];
    std::uint32_t sad[most];
};

/// The modes that a macroblock is tried in: ModeList of coding/mpeg/decide.h.
struct ListedModes {
    static constexpr int most = ModeList::most;
    std::int32_t count;
    Mode mode[most];
};

/// JointVectors of coding/mpeg/vectors/joint_vectors.h.
struct VectorPair {
    Mv mv[2];
    std::uint32_t sad;
};

/// What came of coding a macroblock in a mode.
struct Trial {
    std::uint32_t error;       ///< Squared, of all samples.
    std::uint32_t alone_error; ///< The same without a residual; not of intra.
    std::uint32_t bits;        ///< Of its blocks, but for the DCs of intra blocks.
    std::int16_t dc[6];        ///< Intra: levels.
    std::uint8_t pattern, code;
};

/// The last macroblock of a way to code a slice up to it, and which of the ways to the macroblock before goes on to it.
struct WayStep {
    Mode mode;
    std::uint8_t alone, before;
};

/// The rules of half-pel steps: what refine_subpel() takes of SearchParams.
struct RefinementRules {
    std::uint32_t lambda_q8 = 0;
    int rate_unit = 4;
    std::uint32_t null_threshold = 0, null_level = 0, null_gain = 0;
};

/// What is constant for a stream. Made by make_coding_tables().
struct CodingTables {
    std::uint8_t scan[64];                    ///< Raster index by scan position.
    std::uint8_t coefficient_bits[2][64][64]; ///< [intra][run][|level|]: see code_length_tables.
    std::uint8_t motion_code_bits[17];        ///< By |motion_code|.
    std::uint8_t macroblock_type_bits[48];    ///< As code_length_tables::macroblock_type.
    std::uint8_t coded_type_bits[96];         ///< The same with macroblock_quant: as macroblock_type_codes.
    std::uint8_t increment_bits[34];          ///< By macroblock_address_increment.
    std::uint8_t pattern_bits[64];            ///< By coded_block_pattern.
    std::uint8_t dc_size_bits[2][12];         ///< Luma, chroma; by dct_dc_size.
    std::uint32_t sad_lambda_q8[32];          ///< By quantiser_scale_code.
    std::int16_t forward_columns[8][8];       ///< Of transform_tables.h; [k][n].
    std::int16_t forward_rows[8][8];          ///< The same; [k][n].
    float inverse_scale[64];
};

/// What is asked and found in one direction. All arrays are by macroblock.
struct DirectionTask {
    bool exists = false;
    SamplePlanes reference;
    int candidates = 0;         ///< Of the field, each macroblock's.
    Candidate* field = nullptr; ///< The search's, which become those on the reconstruction.
    RefinementRules refinement;
    int f_code[2] = {1, 1}; ///< f_codes_of() of the search's field.
    VectorList* lists = nullptr;
    std::uint8_t* cheapest = nullptr; ///< VectorList::most a macroblock: which vector before leads here cheapest.
    ChosenVector* chosen = nullptr;
    /// Decision::rd in B pictures, VectorList::most a macroblock: SADs of the mean of each listed vector's prediction
    /// and of the other direction's chosen one.
    std::uint32_t* mean_sad = nullptr;
};

struct CodingTask {
    PictureType type = PictureType::intra;
    bool mpeg1 = false;
    int columns = 0, rows = 0, slices = 0;
    Decision decision = Decision::cost;
    int intra_threshold = 0, intra_refresh = 132;
    std::uint32_t null_threshold = 0, null_gain = 0;
    bool trellis = true, intra_b15 = false;

    const CodingTables* tables = nullptr;
    const SliceExtent* slice = nullptr;
    const std::uint32_t* slice_of = nullptr;   ///< By macroblock.
    const std::uint8_t* wanted_code = nullptr; ///< By macroblock: quantiser_scale_code.
    const Quantisers* ladder = nullptr;        ///< quantiser_ladder(): of codes from first_code on.
    int ladder_length = 0, first_code = 1;

    SamplePlanes source;
    WrittenPlanes reconstruction;
    DirectionTask direction[2];         ///< Forward, backward.
    std::uint32_t* both_sad = nullptr;  ///< By macroblock, in B pictures: of the mean of both chosen predictions.
    std::uint32_t* deviation = nullptr; ///< By macroblock: sum of |x - mean| of luma.
    const std::uint8_t* coded_before = nullptr; ///< The reference's coded_since_intra; null: it has none.

    // Decision::rd in P and B pictures, by macroblock; null otherwise.
    VectorPair* joint = nullptr; ///< B pictures: two vectors that fit each other.
    ListedModes* listed = nullptr;
    Trial* trials = nullptr;              ///< ListedModes::most a macroblock.
    std::uint32_t* still_error = nullptr; ///< P pictures: squared error of what zero predicts.
    WayStep* steps = nullptr;             ///< most_ways a macroblock, the cheapest way first.
    std::uint8_t* alone = nullptr;        ///< Whether it is coded without a residual.

    // What comes out, by macroblock.
    std::uint8_t* decided = nullptr; ///< Flags without mb_skipped.
    std::uint8_t *flags = nullptr, *pattern = nullptr, *code = nullptr;
    Mv *forward = nullptr, *backward = nullptr;
    std::uint64_t* nonzero = nullptr; ///< Six a macroblock.
    std::uint8_t* coded_since_intra = nullptr;
    /// The levels that are not zero, and DCs of intra blocks, of a macroblock's blocks one after the other in scan
    /// order, from packed_at[macroblock] on. Macroblocks in any order.
    std::int16_t* packed = nullptr;
    std::uint32_t* packed_at = nullptr;
    std::uint32_t* packed_count = nullptr; ///< One number; 0 before.

    /// Whether the macroblock that begins at (x, y) can be predicted in this mode, from inside the references.
    TANDEM_HOST_DEVICE bool fits(const Mode& mode, int x, int y) const {
        return (mode.flags & (mb_forward | mb_backward)) != 0 &&
               inside_picture(mode.forward, x, y, columns * 16, rows * 16) &&
               inside_picture(mode.backward, x, y, columns * 16, rows * 16);
    }
    /// Whether modes are tried.
    TANDEM_HOST_DEVICE bool by_trials() const { return decision == Decision::rd && type != PictureType::intra; }
    TANDEM_HOST_DEVICE int macroblocks() const { return columns * rows; }
    TANDEM_HOST_DEVICE int left(int macroblock) const { return macroblock % columns * 16; }
    TANDEM_HOST_DEVICE int top(int macroblock) const { return macroblock / columns * 16; }
};

} // namespace tandem::cuda
