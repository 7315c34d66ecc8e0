// SPDX-License-Identifier: BSD-2-Clause
// A plane together with its border, as interpolation fills it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "video/plane.h"

namespace tandem {

/// The samples of a plane and of its border, counted from the top left of the border. Valid while the plane lives.
class PlaneArea {
  public:
    explicit PlaneArea(Plane& plane) : plane_(&plane) {}
    int width() const { return plane_->width() + 2 * plane_->border(); }
    int height() const { return plane_->height() + 2 * plane_->border(); }
    /// Rows outside are the nearest one.
    std::uint8_t* row(int y) const {
        y = std::clamp(y, 0, height() - 1);
        return plane_->view().row(y - plane_->border()) - plane_->border();
    }

  private:
    Plane* plane_;
};

} // namespace tandem
