// SPDX-License-Identifier: BSD-2-Clause
// The coarse search of a whole picture, where searches of its blocks begin, as plainly as it is described.
#pragma once

#include <vector>

#include "me/estimator.h"

namespace tandem::test {

class NaiveCoarseMotion {
  public:
    /// Searches nothing where the request does not begin at predictors.
    explicit NaiveCoarseMotion(const MotionRequest& request);

    /// Where a block of the request's field may begin.
    std::vector<Mv> starts(const MotionField& field, int column, int row) const;

  private:
    void search_level(const MotionRequest& level_request, int level, bool smallest);
    /// The doubled vectors of those of these cells that there are.
    std::vector<Mv> of_cells(const std::vector<std::pair<int, int>>& cells) const;

    int width_ = 0, height_ = 0, farthest_x_ = 0, farthest_y_ = 0; ///< Of the picture, and of its vectors.
    int columns_ = 0, rows_ = 0;                                   ///< Of the last level's cells.
    std::vector<Mv> vectors_;                                      ///< Eighths of the level's samples.
};

} // namespace tandem::test
