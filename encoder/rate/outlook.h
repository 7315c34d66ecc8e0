// SPDX-License-Identifier: BSD-2-Clause
// What the pictures to come will be like, as far as those before tell.
#pragma once

#include <array>
#include <vector>

#include "encoder/rate/size_model.h"

namespace tandem {

/// The plan that a stream begins with, until its pictures say how it goes on.
struct OutlookPlan {
    int keyint = 12; ///< Pictures from one I picture to the next.
    int bframes = 0; ///< Between anchors.
    int macroblocks = 1;
    double pictures_per_second = 25;
    int rows = 0; ///< Of macroblocks; 0: the least that a picture takes does not count.
};

/// Types and costs of pictures: how often each type comes and what it costs. Told of each picture once it is planned.
class Outlook {
  public:
    /// `memory_in_seconds`: what a picture counts falls to 1/e in that time.
    explicit Outlook(const OutlookPlan& plan, double memory_in_seconds = 2);
    void add(PictureType type, const PictureCosts& costs);

    double cost(PictureType type) const; ///< Of the pictures that it remembers, the mean.
    /// Of those next to come, rather too much than too little: the picture at hand tells what an I picture would cost.
    double cost_soon(PictureType type) const;
    /// Whether the picture at hand costs many times what those of its type did, as noise after black: then the past
    /// says little of what comes, and counts little.
    bool is_surprised() const { return surprised_; }
    /// Whether the picture at hand is as those that it is predicted from, as those of a still are.
    bool shows_nothing_new() const { return shows_nothing_new_; }
    double share(PictureType type) const; ///< Of all pictures; the three make 1.
    /// How complex the last pictures are beside those of the last seconds: 1 where nothing changes.
    double swing() const { return swing_; }
    /// The inter cost of a macroblock in the last pictures; nothing coded with motion yet: what it may be.
    double complexity() const;
    int since_intra() const { return since_intra_; } ///< Pictures since the last I picture, itself included.
    /// The types that are expected next, in coding order.
    std::vector<PictureType> next(int pictures) const;
    const OutlookPlan& plan() const { return plan_; }

  private:
    /// Of the other types, until one of them comes.
    void expect_the_same(PictureType type, double cost);

    OutlookPlan plan_;
    double keep_, keep_of_counts_; ///< What a picture's weight is multiplied by with each later one.
    std::array<double, 3> counts_{}, costs_{}, weights_{}, latest_{};
    double swing_ = 1;
    bool surprised_ = false, shows_nothing_new_ = false;
    double complexity_ = 0, complexity_weight_ = 0;
    int since_intra_ = 0, since_anchor_ = 0;
};

} // namespace tandem
