// SPDX-License-Identifier: BSD-2-Clause
#include "me/samples/interpolation.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "machine/kernel_table.h"
#include "machine/workers.h"
#include "me/kernels/interpolation_kernels.h"
#include "me/kernels/interpolation_variants.h"
#include "me/samples/plane_area.h"
#include "me/samples/six_tap.h"

namespace tandem {

namespace {

/// The last sample of a row has no right neighbour and stands for it.
std::uint8_t bilinear_last(std::uint8_t above, std::uint8_t below, int ay) {
    return static_cast<std::uint8_t>(((16 - ay) * above + ay * below + 8) >> 4);
}

void interpolate(const PlaneArea& whole, int first, int end, int ax, int ay, const PlaneArea& out) {
    const InterpolationKernels& kernels = interpolation_kernels();
    const int last = whole.width() - 1;
    for (int y = first; y < end; ++y) {
        const std::uint8_t *above = whole.row(y), *below = whole.row(y + 1);
        std::uint8_t* row = out.row(y);
        kernels.bilinear_row(above, below, last, ax, ay, row);
        row[last] = bilinear_last(above[last], below[last], ay);
    }
}

/// The rows of half pels right of, below, and right below the samples of `above`.
void interpolate_half_pels(const std::uint8_t* above, const std::uint8_t* below, int width, std::uint8_t* horizontal,
                           std::uint8_t* vertical, std::uint8_t* diagonal) {
    const int last = width - 1;
    interpolation_kernels().half_pel_rows(above, below, last, horizontal, vertical, diagonal);
    horizontal[last] = above[last];
    vertical[last] = diagonal[last] = bilinear_last(above[last], below[last], 8);
}

} // namespace

SubpelPlanes::SubpelPlanes(PlaneView reference, int precision, Interpolation interpolation, int border,
                           Workers* workers)
    : precision_(precision) {
    if (precision != 1 && precision != 2 && precision != 4 && precision != 8 && precision != 16) {
        throw std::invalid_argument(std::to_string(precision) + " positions per pel; there may be 1, 2, 4, 8 or 16");
    }
    for (int i = 0; i < precision * precision; ++i)
        planes_.emplace_back(reference.width, reference.height, border);
    for (const Plane& plane : planes_)
        views_.push_back(plane.view());
    copy_and_extend(reference, planes_[0].view(), workers);
    planes_[0].extend_border();
    if (interpolation == Interpolation::six_tap) {
        if (precision > 4) throw std::invalid_argument("six-tap interpolation to 1/8 pel; it ends at 1/4");
        interpolate_six_tap(planes_, precision, workers);
        return;
    }
    const std::vector<PlaneArea> areas(planes_.begin(), planes_.end());
    for_bands(workers, areas[0].height(), reference.width * precision * precision, [&](int first, int end) {
        if (precision == 2) {
            for (int y = first; y < end; ++y)
                interpolate_half_pels(areas[0].row(y), areas[0].row(y + 1), areas[0].width(), areas[1].row(y),
                                      areas[2].row(y), areas[3].row(y));
            return;
        }
        const int step = 16 / precision;
        for (int i = 1; i < precision * precision; ++i)
            interpolate(areas[0], first, end, i % precision * step, i / precision * step,
                        areas[static_cast<std::size_t>(i)]);
    });
}

SubpelPlanes SubpelPlanes::whole_pels_of(PlaneView reference) {
    SubpelPlanes made;
    made.views_.push_back(reference);
    return made;
}

SubpelPlanes SubpelPlanes::half_pels_of(PlaneView reference) {
    SubpelPlanes made;
    made.precision_ = 2;
    made.views_.push_back(reference);
    made.planes_.reserve(3);
    for (int i = 0; i < 3; ++i) {
        const Plane& plane = made.planes_.emplace_back(reference.width, reference.height);
        made.views_.push_back(plane.view());
        if (plane.stride() != reference.stride)
            throw std::invalid_argument("a reference has the stride of a plane of its size");
    }
    for (int y = 0; y < reference.height; ++y)
        interpolate_half_pels(reference.row(y), reference.row(std::min(y + 1, reference.height - 1)), reference.width,
                              made.planes_[0].view().row(y), made.planes_[1].view().row(y),
                              made.planes_[2].view().row(y));
    return made;
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

void weighted_rows_scalar(const std::uint8_t* a, const std::uint8_t* b, const std::uint8_t* c, const std::uint8_t* d,
                          int count, std::uint16_t* sums) {
    for (int x = 0; x < count; ++x)
        sums[x] = static_cast<std::uint16_t>(a[x] + 3 * (b[x] + c[x]) + d[x]);
}

void halved_row_scalar(const std::uint16_t* sums, int count, std::uint8_t* out) {
    for (int x = 0; x < count; ++x)
        out[x] = static_cast<std::uint8_t>(
            (sums[2 * x] + 3 * (sums[2 * x + 1] + sums[2 * x + 2]) + sums[2 * x + 3] + 32) >> 6);
}

constexpr InterpolationKernels scalar_kernels{SimdLevel::scalar, half_pel_rows_scalar, bilinear_row_scalar,
                                              weighted_rows_scalar, halved_row_scalar};
#ifdef TANDEM_SIMD
constexpr InterpolationKernels avx2_kernels{SimdLevel::avx2, half_pel_rows_avx2, bilinear_row_avx2, weighted_rows_avx2,
                                            halved_row_avx2};
constexpr InterpolationKernels avx512_kernels{SimdLevel::avx512, half_pel_rows_avx512, bilinear_row_avx512,
                                              weighted_rows_avx2, halved_row_avx2};
constexpr std::array<const InterpolationKernels*, 3> kernel_table{&scalar_kernels, &avx2_kernels, &avx512_kernels};
#else
constexpr std::array<const InterpolationKernels*, 1> kernel_table{&scalar_kernels};
#endif

} // namespace

std::span<const InterpolationKernels* const> all_interpolation_kernels() { return runnable_rows(kernel_table); }

const InterpolationKernels& interpolation_kernels() { return row_in_force(kernel_table); }

} // namespace tandem
