// SPDX-License-Identifier: BSD-2-Clause
#include "me/interpolation.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

#include "me/interpolation_kernels.h"
#include "me/simd_variants.h"
#include "me/six_tap.h"
#include "video/kernel_table.h"

namespace tandem {

namespace {

/// The samples of a plane and of its border, as one rectangle.
struct Area {
    int first, end_x, end_y;
};

Plane copy_with_border(PlaneView from, int border) {
    Plane copy(from.width, from.height, border);
    for (int y = 0; y < from.height; ++y) {
        std::memcpy(copy.view().row(y), from.row(y), static_cast<std::size_t>(from.width));
    }
    copy.extend_border();
    return copy;
}

/// The last sample of a row has no right neighbour and stands for it.
std::uint8_t bilinear_last(std::uint8_t above, std::uint8_t below, int ay) {
    return static_cast<std::uint8_t>(((16 - ay) * above + ay * below + 8) >> 4);
}

void interpolate(const Plane& whole, const Area& area, int ax, int ay, Plane& out) {
    const InterpolationKernels& kernels = interpolation_kernels();
    const PlaneView from = whole.view();
    const int count = area.end_x - area.first - 1;
    for (int y = area.first; y < area.end_y; ++y) {
        const std::uint8_t* above = from.row(y) + area.first;
        const std::uint8_t* below = from.row(std::min(y + 1, area.end_y - 1)) + area.first;
        std::uint8_t* row = out.view().row(y) + area.first;
        kernels.bilinear_row(above, below, count, ax, ay, row);
        row[count] = bilinear_last(above[count], below[count], ay);
    }
}

void interpolate_half_pel(const Plane& whole, const Area& area, Plane& horizontal, Plane& vertical, Plane& diagonal) {
    const InterpolationKernels& kernels = interpolation_kernels();
    const PlaneView from = whole.view();
    const int count = area.end_x - area.first - 1;
    for (int y = area.first; y < area.end_y; ++y) {
        const std::uint8_t* above = from.row(y) + area.first;
        const std::uint8_t* below = from.row(std::min(y + 1, area.end_y - 1)) + area.first;
        std::uint8_t* h = horizontal.view().row(y) + area.first;
        std::uint8_t* v = vertical.view().row(y) + area.first;
        std::uint8_t* d = diagonal.view().row(y) + area.first;
        kernels.half_pel_rows(above, below, count, h, v, d);
        h[count] = above[count];
        v[count] = d[count] = bilinear_last(above[count], below[count], 8);
    }
}

} // namespace

SubpelPlanes::SubpelPlanes(PlaneView reference, int precision, Interpolation interpolation, int border)
    : precision_(precision) {
    if (precision != 1 && precision != 2 && precision != 4 && precision != 8 && precision != 16) {
        throw std::invalid_argument(std::to_string(precision) + " positions per pel; there may be 1, 2, 4, 8 or 16");
    }
    planes_.push_back(copy_with_border(reference, border));
    for (int i = 1; i < precision * precision; ++i)
        planes_.emplace_back(reference.width, reference.height, border);
    if (interpolation == Interpolation::six_tap) {
        if (precision > 4) throw std::invalid_argument("six-tap interpolation to 1/8 pel; it ends at 1/4");
        interpolate_six_tap(planes_, precision);
        return;
    }
    const Area area{-border, reference.width + border, reference.height + border};
    if (precision == 2) {
        interpolate_half_pel(planes_[0], area, planes_[1], planes_[2], planes_[3]);
        return;
    }
    const int step = 16 / precision;
    for (int i = 1; i < precision * precision; ++i) {
        interpolate(planes_[0], area, i % precision * step, i / precision * step, planes_[static_cast<std::size_t>(i)]);
    }
}

namespace {

void half_pel_rows_scalar(const std::uint8_t* above, const std::uint8_t* below, int count, std::uint8_t* horizontal,
                          std::uint8_t* vertical, std::uint8_t* diagonal) {
    for (int x = 0; x < count; ++x) {
        const int top = above[x] + above[x + 1];
        const int bottom = below[x] + below[x + 1];
        horizontal[x] = static_cast<std::uint8_t>((top + 1) >> 1);
        vertical[x] = static_cast<std::uint8_t>((above[x] + below[x] + 1) >> 1);
        diagonal[x] = static_cast<std::uint8_t>((top + bottom + 2) >> 2);
    }
}

void bilinear_row_scalar(const std::uint8_t* above, const std::uint8_t* below, int count, int ax, int ay,
                         std::uint8_t* out) {
    const int a = (16 - ax) * (16 - ay), b = ax * (16 - ay), c = (16 - ax) * ay, d = ax * ay;
    for (int x = 0; x < count; ++x) {
        out[x] =
            static_cast<std::uint8_t>((a * above[x] + b * above[x + 1] + c * below[x] + d * below[x + 1] + 128) >> 8);
    }
}

constexpr InterpolationKernels scalar_kernels{SimdLevel::scalar, half_pel_rows_scalar, bilinear_row_scalar};
#ifdef TANDEM_SIMD
constexpr InterpolationKernels avx2_kernels{SimdLevel::avx2, half_pel_rows_avx2, bilinear_row_avx2};
constexpr InterpolationKernels avx512_kernels{SimdLevel::avx512, half_pel_rows_avx512, bilinear_row_avx512};
constexpr std::array<const InterpolationKernels*, 3> kernel_table{&scalar_kernels, &avx2_kernels, &avx512_kernels};
#else
constexpr std::array<const InterpolationKernels*, 1> kernel_table{&scalar_kernels};
#endif

} // namespace

std::span<const InterpolationKernels* const> all_interpolation_kernels() { return runnable_rows(kernel_table); }

const InterpolationKernels& interpolation_kernels() { return row_in_force(kernel_table); }

} // namespace tandem
