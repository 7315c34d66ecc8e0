// SPDX-License-Identifier: BSD-2-Clause
// Sub-pel refinement of candidates that an integer search found.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "me/motion_field.h"
#include "me/samples/chroma.h"
#include "me/samples/interpolation.h"
#include "me/search_params.h"

namespace tandem {

/// What refinement measured about a whole vector on its way: whoever asks for one of these again need not measure it.
class MeasuredRing {
  public:
    static constexpr std::size_t positions = 9;

    void clear() { middle_ = nowhere; }
    /// The middle is a whole vector; what is returned gets the distortions of it and the 8 half pels about it, row by
    /// row.
    std::array<std::uint32_t, positions>& about(Mv middle) {
        middle_ = middle;
        return distortions_;
    }
    /// Null where the vector, in half pels, is none of them.
    const std::uint32_t* at(Mv mv) const {
        const auto x = static_cast<unsigned>(mv.x - middle_.x + eighths_per_half_pel);
        const auto y = static_cast<unsigned>(mv.y - middle_.y + eighths_per_half_pel);
        if (std::max(x, y) > 2 * eighths_per_half_pel) return nullptr;
        return &distortions_[static_cast<std::size_t>((3 * y + x) / eighths_per_half_pel)];
    }

  private:
    static constexpr Mv nowhere{INT16_MIN, INT16_MIN};
    Mv middle_;
    std::array<std::uint32_t, positions> distortions_;
};

/// Replaces the candidates of block rows first_row..end_row-1 by refined ones: each candidate's distortion is measured
/// again at its own position on `reference`, then, halving the step from half of 1 / params.grid to 1 /
/// params.precision, the 8 positions around it are tried and the best kept. Results are distinct and in the order of
/// better(), but zero first where null_gain keeps it. Uses params' metric, lambda, boundary, predictor (hint may be
/// null); candidates whose position leaves what the boundary allows are not tried. `chroma` belongs to Planes::all:
/// null measures luma alone. The reference has planes of params.precision. For SADs of blocks of 16x16 that lie in the
/// picture as a whole, to bilinear half pels, it may have whole pels alone; std::invalid_argument for others.
/// `rings`, by block, get what was measured about one candidate of each block, or nothing; may be empty.
/// Thread-safe for disjoint rows.
void refine_subpel(PlaneView current, const SubpelPlanes& reference, const SearchParams& params,
                   const MotionField* hint, int first_row, int end_row, MotionField& field,
                   const ChromaPair* chroma = nullptr, std::span<MeasuredRing> rings = {});

} // namespace tandem
