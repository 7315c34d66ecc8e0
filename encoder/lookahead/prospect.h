// SPDX-License-Identifier: BSD-2-Clause
// What is known of the pictures behind one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "video/picture_type.h"

namespace tandem {

/// A picture that is held back. Its type may still change, as long as pictures come that are not known yet.
struct ForeseenPicture {
    PictureType type = PictureType::intra;
    std::uint64_t cost = 0;  ///< Of the type, as CostRow sums it up; where it is exact, as cost_of() has it.
    std::uint64_t intra = 0; ///< The same if it were an I picture; 0: not known.
};

/// The place of a picture among those that were known when its type was decided, or that wait where types are a
/// pattern's.
struct Prospect {
    /// Nearly in coding order, from the anchor on that came out together with this picture. Null: nothing is known.
    std::shared_ptr<const std::vector<ForeseenPicture>> pictures;
    std::size_t place = 0;      ///< This picture's.
    bool is_to_the_end = false; ///< The last of them is the video's last.
    bool is_exact = false;      ///< The costs are those that the pictures are planned with.
};

} // namespace tandem
