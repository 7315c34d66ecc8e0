// SPDX-License-Identifier: BSD-2-Clause
// Sub-pel planes of a reference, made once and read by searches and by prediction.
#pragma once

#include <bit>
#include <vector>

#include "me/motion.h"
#include "me/search_params.h"
#include "video/plane.h"

namespace tandem {

/// Where a vector in half pels leads: to a sample, or from it half way to the one right of it, below it, or both.
struct HalfPelPlace {
    const std::uint8_t* samples;
    bool half_x, half_y;
};
inline HalfPelPlace half_pel_place(PlaneView reference, int x, int y, Mv mv) {
    return {&reference.at(x + (mv.x >> 3), y + (mv.y >> 3)), mv.x % eighths_per_pel != 0, mv.y % eighths_per_pel != 0};
}

/// For each fractional position of a grid with `precision` positions per pel (1, 2, 4, 8) one whole plane:
/// sample (x, y) of plane(fx, fy) is the reference at (x + fx / precision, y + fy / precision).
/// Bilinear by the eighths (ax, ay) of the position: ((8-ax)(8-ay)a + ax(8-ay)b + (8-ax)ay c + ax ay d + 32) >> 6,
/// which at half-pel is exactly (a+b+1)>>1 and (a+b+c+d+2)>>2. Samples beyond the right and bottom edge replicate it.
/// Six-tap: see six_tap.h.
/// Chroma planes of 4:2:0 move by half the luma's vector and so need twice its precision, up to 16: bilinear by
/// sixteenths in the same way, (sum of weights * samples + 128) >> 8.
class SubpelPlanes {
  public:
    SubpelPlanes() = default;
    /// Copies the reference. With `border` > 0 every plane has that many samples around it, replicated from the
    /// reference's edge before interpolation (for Boundary::padded). The workers, where there are any, share the rows.
    SubpelPlanes(PlaneView reference, int precision, Interpolation interpolation, int border = 0,
                 Workers* workers = nullptr);
    /// Whole pels alone of a reference that stays the caller's and is not copied.
    static SubpelPlanes whole_pels_of(PlaneView reference);
    /// Whole and half pels of a reference that stays the caller's and is not copied.
    static SubpelPlanes half_pels_of(PlaneView reference);

    int precision() const { return precision_; }
    int border() const { return planes_.empty() ? 0 : planes_.back().border(); }
    PlaneView plane(int fraction_x, int fraction_y) const { return views_[index_of(fraction_x, fraction_y)]; }
    /// Address of the reference at luma position (x, y) displaced by mv (a multiple of 8 / precision eighths).
    const std::uint8_t* at(int x, int y, Mv mv) const { return displaced(x, y, mv, 3); }
    /// Address of a chroma reference at chroma position (x, y) displaced by the luma vector mv, whose eighths of a luma
    /// sample are sixteenths of a chroma sample (a multiple of 16 / precision of them).
    const std::uint8_t* chroma_at(int x, int y, Mv mv) const { return displaced(x, y, mv, 4); }
    std::ptrdiff_t stride() const { return views_.front().stride; }

  private:
    /// The lowest `bits` of each component of the vector are its fraction.
    const std::uint8_t* displaced(int x, int y, Mv mv, int bits) const {
        const int fraction = (1 << bits) - 1, step_bits = bits - std::countr_zero(static_cast<unsigned>(precision_));
        const PlaneView& view = views_[index_of((mv.x & fraction) >> step_bits, (mv.y & fraction) >> step_bits)];
        return &view.at(x + (mv.x >> bits), y + (mv.y >> bits));
    }
    std::size_t index_of(int fraction_x, int fraction_y) const {
        return static_cast<std::size_t>(fraction_y * precision_ + fraction_x);
    }

    int precision_ = 1;
    std::vector<Plane> planes_;    ///< Those that are made here: all, or all but the first.
    std::vector<PlaneView> views_; ///< Of each plane, the first of which may be somebody else's.
};

} // namespace tandem
