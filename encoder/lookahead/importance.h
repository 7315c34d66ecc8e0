// SPDX-License-Identifier: BSD-2-Clause
// How much of each macroblock the pictures ahead are predicted from, and how much finer it is coded for that.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "encoder/lookahead/cost_table.h"
#include "machine/workers.h"
#include "video/picture_type.h"

namespace tandem {

/// Of one picture, by macroblock in raster order.
struct Importance {
    /// What a picture's quantiser is to be multiplied by, in (0, 1]; 1: nothing is predicted from it.
    std::vector<float> factor;
    /// The cost of the cheapest prediction, in the units of CostRow: what is left to code.
    std::vector<float> residual;
    /// The part, 0..1, of what its distortion costs that pictures predicted from it bear: carried / (1 + carried), see
    /// Leanings.
    std::vector<float> borne_by_others = {};
};
using ImportancePtr = std::shared_ptr<const Importance>;

/// How the pictures of a table lean on each other.
///
/// A reference's distortion adds to what its prediction leaves: differences of variance s^2, which are new in the
/// picture, become s^2 + D. By the theory of rate and distortion a Gaussian source of that variance takes
/// 1/2 log2((s^2 + D) / D) bits to be coded with the same distortion D. Let D1 be the distortion of what nothing leans
/// on: there a bit is worth lambda = 2 ln 2 D1. So a little less distortion in the reference saves D1 / (s^2 + D) times
/// as much in the picture that leans on it: little where much is new, and where nothing is, as much as the macroblock's
/// own distortion counts. What counts 1 + carried times has a distortion of D1 / (1 + carried). So each macroblock has
///     part = D1 / (D1 / (1 + carried) + s^2),
/// and its part is carried to the reference's macroblocks that the vector points to, by the area that each has of the
/// block (a quarter of it to each of two references, whose mean has a quarter of the variance of each). From the last
/// picture in coding order to the first this sums up in `carried` how often a macroblock's distortion comes again.
/// Distortion that counts 1 + carried times wants a finer quantiser:
///     factor = (1 + carried)^-strength,
/// with an exponent of 1/2 in theory.
///
/// That pictures ahead are followed back along vectors is the idea of Garrett-Glaser, "A novel macroblock-tree
/// algorithm for high-performance optimization of dependent video coding in H.264/AVC" (2009), whose share is 1 - inter
/// / intra; that the share hangs on the quantiser, of Yang, Zhu, Fan and Peng, "Source distortion temporal propagation
/// model for motion compensated video coding optimization" (ICME 2012).
///
///     KnownLeanings known;
///     const Leanings leanings(table, types, quantiser, known, workers);
///     Importance importance = leanings.importance(at, strength, workers);
class Leanings {
  public:
    struct Picture;
    using PicturePtr = std::shared_ptr<const Picture>;

    /// `types` are those of the table's first pictures; the first one is an anchor. `quantiser` is what pictures are
    /// coded with, more or less (Quality::quantiser). `known` has how each of the table's pictures leaned when somebody
    /// asked before; null where nobody did. Most lean as they did; what is new is noted there. Nothing of it is looked
    /// at later.
    Leanings(const CostTable& table, std::span<const PictureType> types, double quantiser,
             std::deque<PicturePtr>& known, Workers& workers);
    /// Of the picture `wanted`.
    Importance importance(int wanted, double strength, Workers& workers) const;

  private:
    /// A macroblock's displaced place: the first of the four macroblocks that it covers parts of, and which part of it
    /// lies on each, or a quarter of that where there is another reference. What lies outside of the picture falls on a
    /// margin about it.
    struct Place {
        std::int32_t first = 0;
        std::array<float, 4> parts{};
    };
    /// What a picture is predicted from.
    struct Role {
        PictureType type = PictureType::intra;
        int before = 0, after = 0; ///< Distances of the anchors about it: none of I pictures, `before` of P pictures.
        bool operator==(const Role&) const = default;
    };
    using Carried = std::vector<float>; ///< By macroblock, with the margin: what leans on it, in distortions.
    /// An anchor, and what the B pictures between it and the one before carry to them.
    struct Step {
        int anchor;
        Carried to_before, to_anchor;
    };

    Role role_of(int at, std::span<const PictureType> types) const;
    PicturePtr lean(const CostRow& costs, const Role& role) const;
    Place place_of(std::size_t macroblock, const Mv* mv) const;
    std::size_t index(int column, int row) const;
    Carried nothing() const;
    std::vector<Step> steps_back_to(int wanted, Workers& workers) const;
    Carried carried_back_to(int wanted, Workers& workers) const;
    void carry(const Picture& picture, const Carried* leaning, const std::vector<Place>& places, Carried& to) const;
    const Picture& picture(int at) const { return *pictures_[static_cast<std::size_t>(at)]; }

    const int columns_, rows_;
    const float distortion_; ///< D1.
    std::vector<PicturePtr> pictures_;
};

/// How one picture leans on its references, by macroblock.
struct Leanings::Picture {
    Role role;
    std::vector<float> variance;          ///< s^2.
    std::vector<Place> forward, backward; ///< `backward` of B pictures alone.
    std::vector<float> residual;
};

/// By picture of a table.
using KnownLeanings = std::deque<Leanings::PicturePtr>;

} // namespace tandem
