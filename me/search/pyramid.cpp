// SPDX-License-Identifier: BSD-2-Clause
#include "me/search/pyramid.h"

#include <algorithm>

namespace tandem {

namespace {

/// 1 3 3 1 down the columns of four rows, for the samples of a row and one more on each side.
void filter_columns(PlaneView from, int y, std::uint16_t* sums) {
    const auto row = [&](int offset) { return from.row(std::clamp(2 * y + offset, 0, from.height - 1)); };
    const std::uint8_t *a = row(-1), *b = row(0), *c = row(1), *d = row(2);
    for (int x = 0; x < from.width; ++x) {
        sums[x + 1] = static_cast<std::uint16_t>(a[x] + 3 * (b[x] + c[x]) + d[x]);
    }
    sums[0] = sums[1];
    sums[from.width + 1] = sums[from.width + 2] = sums[from.width];
}

/// The same along the row, for every sample, and then the even ones: in steps that the compiler can vectorise.
void halve_row(PlaneView from, int y, std::uint16_t* sums, std::uint16_t* means, std::uint8_t* to, int width) {
    filter_columns(from, y, sums);
    for (int x = 0; x < 2 * width - 1; ++x) {
        const int sum = sums[x] + 3 * (sums[x + 1] + sums[x + 2]) + sums[x + 3];
        means[x] = static_cast<std::uint16_t>(static_cast<std::uint16_t>(sum + 32) >> 6);
    }
    for (int x = 0; x < width; ++x)
        to[x] = static_cast<std::uint8_t>(means[2 * x]);
}

Plane halved(PlaneView from, int border, Workers& workers) {
    Plane to((from.width + 1) / 2, (from.height + 1) / 2, border);
    const std::size_t length = static_cast<std::size_t>(from.width) + 3;
    const MutablePlaneView view = to.view();
    for_bands(&workers, view.height, 2 * from.width, [&](int first, int end) {
        std::vector<std::uint16_t> sums(2 * length);
        for (int y = first; y < end; ++y)
            halve_row(from, y, sums.data(), sums.data() + length, view.row(y), view.width);
    });
    to.extend_border();
    return to;
}

} // namespace

Pyramid::Pyramid(PlaneView plane, int levels, int border, Workers& workers) : base_(plane) {
    for (int i = 1; i < levels; ++i) {
        border = (border + 1) / 2;
        smaller_.push_back(halved(level(i - 1), border, workers));
    }
}

PlaneView Pyramid::level(int index) const {
    return index == 0 ? base_ : smaller_[static_cast<std::size_t>(index - 1)].view();
}

} // namespace tandem
