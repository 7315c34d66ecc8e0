// SPDX-License-Identifier: BSD-2-Clause
#include "me/motion_field.h"

#include <numeric>
#include <stdexcept>

namespace tandem {

MotionField::MotionField(int picture_width, int picture_height, int block_width, int block_height, int candidates)
    : picture_width_(picture_width), picture_height_(picture_height), block_width_(block_width),
      block_height_(block_height), candidates_(candidates) {
    if (picture_width < 1 || picture_height < 1 || block_width < 1 || block_height < 1 || candidates < 1) {
        throw std::invalid_argument("a motion field with an empty dimension");
    }
    columns_ = blocks_along(picture_width, block_width);
    rows_ = blocks_along(picture_height, block_height);
    cells_.resize(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_) *
                  static_cast<std::size_t>(candidates));
    evaluated_.by_row.resize(static_cast<std::size_t>(rows_));
    evaluated_.counted.resize(static_cast<std::size_t>(rows_));
}

std::uint64_t MotionField::evaluated() const {
    return std::accumulate(evaluated_.by_row.begin(), evaluated_.by_row.end(), std::uint64_t{0});
}

} // namespace tandem
