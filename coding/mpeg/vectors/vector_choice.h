// SPDX-License-Identifier: BSD-2-Clause
// One vector per macroblock out of the search's candidates, jointly along a slice.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "bitstream/mpeg/mpeg_picture.h"
#include "me/candidate_list.h"
#include "me/motion_field.h"
#include "me/samples/subpel.h"
#include "video/plane.h"

namespace tandem {

/// What the choice weighs, for one direction of one picture.
struct VectorChoiceInput {
    PlaneView current;                   ///< Luma of the source, coded size.
    PlaneView reference;                 ///< Luma of the reference, of the same size.
    const MotionField* field = nullptr;  ///< Refined candidates on a 16x16 grid, best first; distortions are SADs.
    std::span<const MeasuredRing> rings; ///< Of the field's refinement, by macroblock; may be empty.
    PictureType type = PictureType::predicted;
    std::array<int, 2> f_code{1, 1};  ///< Horizontal, vertical.
    std::uint32_t lambda_q8 = 0;      ///< SAD per bit times 256.
    std::uint32_t null_threshold = 0; ///< A SAD at zero that keeps zero. 0: where zero predicts without any difference.
    std::uint32_t null_gain = 0;      ///< See SearchParams; 0 is off.
};

/// The vectors that a macroblock may have, distinct, each with its SAD on the reference.
struct VectorCandidates {
    static constexpr int most = most_candidates + 1 + 4; ///< Of the search, zero, the best of four neighbours.
    int count = 0;
    std::array<Mv, most> mv;
    std::array<std::uint32_t, most> sad;

    /// Whether it is one of the first few.
    bool holds(Mv candidate, int few) const {
        bool is_there = false; // They are too few for std::find().
        for (int i = 0; i < few; ++i)
            is_there |= mv[static_cast<std::size_t>(i)] == candidate;
        return is_there;
    }
    void add(Mv candidate, std::uint32_t distortion) {
        mv[static_cast<std::size_t>(count)] = candidate;
        sad[static_cast<std::size_t>(count)] = distortion;
        ++count;
    }
};

/// A macroblock's vector with its SAD on the reference.
struct ChosenVector {
    Mv mv;
    std::uint32_t sad = 0;
    std::uint32_t sad_zero = 0;
};

/// MPEG codes a vector as its difference from the one before it in the slice, so the cheapest chain is found by dynamic
/// programming over SAD + lambda * exact bits. A macroblock's candidates are the field's, zero, and the best of its
/// four neighbours. Optimal over these candidates where every macroblock of the slice is coded with its vector.
/// `chosen` is indexed by macroblock of the picture; entries of the slice are written, and so are those of
/// `candidates`, what the choice was among, where it is not empty. Thread-safe for disjoint slices.
void choose_vectors(const VectorChoiceInput& input, SliceExtent slice, std::span<ChosenVector> chosen,
                    std::span<VectorCandidates> candidates = {});

} // namespace tandem
