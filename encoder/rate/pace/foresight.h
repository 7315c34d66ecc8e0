// SPDX-License-Identifier: BSD-2-Clause
// What the pictures held back will cost, in the units of the pictures that are coded.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "encoder/lookahead/prospect.h"
#include "encoder/rate/size_model.h"

namespace tandem {

/// A picture to come, or the one at hand.
struct ExpectedPicture {
    PictureType type = PictureType::intra;
    double cost = 0;                      ///< As cost_of() has it.
    PictureType law = PictureType::intra; ///< As size_law() has it.
};

/// The lookahead measures pictures of half the size; what its costs are worth is learnt from the pictures at hand, of
/// which both are known. Exact costs stay as they are.
class Foresight {
  public:
    /// What a foreseen cost is usually multiplied by.
    static constexpr double usual_worth = 2;

    explicit Foresight(int macroblocks);
    /// The next picture in coding order.
    void add(const ExpectedPicture& picture, const Prospect& prospect);
    /// The picture at hand and those behind it that are known; none: nothing is.
    std::span<const ExpectedPicture> pictures() const { return pictures_; }
    /// Whether these are all that there will be.
    bool is_to_the_end() const { return is_to_the_end_; }

  private:
    /// Over pictures, those long ago counting less.
    struct Sums {
        double cost = 0, foreseen = 0;
    };
    int macroblocks_;
    std::array<Sums, 3> sums_;
    std::vector<ExpectedPicture> pictures_;
    bool is_to_the_end_ = false;
};

} // namespace tandem
