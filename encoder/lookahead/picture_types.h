// SPDX-License-Identifier: BSD-2-Clause
// Which pictures are I, P and B: by what the table of costs says of predicting them from each other.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "encoder/lookahead/cost_table.h"
#include "video/picture_type.h"

namespace tandem {

/// How the number of B pictures between two anchors is chosen.
enum class BAdapt : std::uint8_t {
    fixed,  ///< Always the most.
    greedy, ///< From each anchor to the next: the number with the least cost a picture.
    paths,  ///< The least cost of all pictures that are known ahead, over every way to place the anchors.
};

struct TypeRules {
    int keyint = 12;    ///< Pictures from an I picture to the next at most, at least 1.
    int min_keyint = 1; ///< And at least: a cut nearer than that becomes a P picture. 1..keyint.
    int most_b = 0;     ///< B pictures between anchors, 0..8.
    BAdapt b_adapt = BAdapt::fixed;
    int scenecut = 0;    ///< 0: cuts are not looked for; else how readily they are found, 1..100.
    bool closed = false; ///< No B picture before an I picture.
};

/// What a unit of cost is worth in an anchor and in a B picture, which is coded more coarsely and on which nothing
/// leans. The ratio was measured: docs/plan.md.
inline constexpr std::uint64_t anchor_weight = 256, b_weight = 200;

/// Types of the table's pictures from the second on; the first is an anchor, `since_intra` pictures from the last I
/// picture. The last picture of the table gets an anchor's type.
///
/// A picture is a cut where prediction from the picture before costs nearly as much as intra coding, more than
/// 1 - scenecut / 100 of it (half of that distance just after an I picture, all of it at keyint), and so from all
/// pictures before it that the table knows, and so for those that follow: else one of them was a flash. A cut is an I
/// picture, and no B picture stands before it. With BAdapt::paths the anchors are those of the cheapest path, a
/// shortest path from the table's first picture to its last, found by dynamic programming (Bellman 1957): an edge from
/// one anchor to the next costs what that anchor and the B pictures between cost.
///
/// `given` has, by picture of the table, the types that somebody wants, or is empty. They come before cuts and
/// min_keyint, and the types of other pictures are chosen around them. Not before keyint, which makes I pictures;
/// most_b, which allows no longer run; a closed group's end and the table's, which are anchors.
std::vector<PictureType> decide_types(const CostTable& table, int since_intra, const TypeRules& rules,
                                      std::span<const std::optional<PictureType>> given = {});

} // namespace tandem
