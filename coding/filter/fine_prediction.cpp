// SPDX-License-Identifier: BSD-2-Clause
#include "coding/filter/fine_prediction.h"

#include <algorithm>
#include <cstring>

#include "coding/filter/kernels/filter_kernels.h"

namespace tandem {

namespace {

/// By sixteenths of a sample, in 64ths.
constexpr FineTaps tap_weights{{{0, 0, 64, 0, 0, 0},
                                {1, -3, 63, 4, -1, 0},
                                {1, -5, 62, 8, -2, 0},
                                {2, -7, 60, 12, -3, 0},
                                {2, -9, 57, 17, -4, 1},
                                {2, -9, 53, 23, -6, 1},
                                {2, -9, 49, 28, -7, 1},
                                {2, -9, 44, 34, -8, 1},
                                {2, -9, 39, 39, -9, 2},
                                {1, -8, 34, 44, -9, 2},
                                {1, -7, 28, 49, -9, 2},
                                {1, -6, 23, 53, -9, 2},
                                {1, -4, 17, 57, -9, 2},
                                {0, -3, 12, 60, -7, 2},
                                {0, -2, 8, 62, -5, 1},
                                {0, -1, 4, 63, -3, 1}}};

/// The samples that a displaced square is made from, those of the plane or a copy that goes on beyond its edge.
template <int side> class Footprint {
  public:
    Footprint(PlaneView plane, int x, int y) {
        if (x >= 0 && y >= 0 && x + reach <= plane.width && y + reach <= plane.height) {
            first = &plane.at(x, y);
            stride = plane.stride;
            return;
        }
        for (int row = 0; row < reach; ++row) {
            const std::uint8_t* const from = plane.row(std::clamp(y + row, 0, plane.height - 1));
            for (int column = 0; column < reach; ++column)
                copy_[static_cast<std::size_t>(row * reach + column)] =
                    from[std::clamp(x + column, 0, plane.width - 1)];
        }
        first = copy_.data();
        stride = reach;
    }
    Footprint(const Footprint&) = delete;
    Footprint& operator=(const Footprint&) = delete;

    const std::uint8_t* first;
    std::ptrdiff_t stride;

  private:
    static constexpr int reach = side + fine_taps - 1;
    std::array<std::uint8_t, static_cast<std::size_t>(reach) * reach> copy_;
};

} // namespace

const FineTaps& fine_tap_weights() { return tap_weights; }

template <int side> void predict_finely(PlaneView plane, int x, int y, int right, int down, SquareOf<side>& to) {
    const Footprint<side> from(plane, x + (right >> 4) - fine_taps_before, y + (down >> 4) - fine_taps_before);
    const std::size_t across = static_cast<std::size_t>(right & 15), below = static_cast<std::size_t>(down & 15);
    if (across != 0 || below != 0)
        return filter_kernels().interpolate(from.first, from.stride, tap_weights[across].data(),
                                            tap_weights[below].data(), side, to.data());
    const std::uint8_t* const first = from.first + fine_taps_before * from.stride + fine_taps_before;
    for (int row = 0; row < side; ++row)
        std::memcpy(&to[static_cast<std::size_t>(row * side)], first + row * from.stride, side);
}

template void predict_finely<8>(PlaneView, int, int, int, int, SquareOf<8>&);
template void predict_finely<16>(PlaneView, int, int, int, int, SquareOf<16>&);

} // namespace tandem
