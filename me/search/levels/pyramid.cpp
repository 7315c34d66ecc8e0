// SPDX-License-Identifier: BSD-2-Clause
#include "me/search/levels/pyramid.h"

#include <algorithm>
#include <vector>

#include "me/kernels/interpolation_kernels.h"

namespace tandem {

namespace {

/// The four rows about a row of the smaller plane, weighted, with one sum more on the left and two on the right.
void weigh_rows(PlaneView from, int y, std::uint16_t* sums) {
    const auto row = [&](int offset) { return from.row(std::clamp(2 * y + offset, 0, from.height - 1)); };
    interpolation_kernels().weighted_rows(row(-1), row(0), row(1), row(2), from.width, sums + 1);
    sums[0] = sums[1];
    sums[from.width + 1] = sums[from.width + 2] = sums[from.width];
}

Plane halved(PlaneView from, int border, Workers& workers) {
    Plane to((from.width + 1) / 2, (from.height + 1) / 2, border);
    const MutablePlaneView view = to.view();
    for_bands(&workers, view.height, 2 * from.width, [&](int first, int end) {
        std::vector<std::uint16_t> sums(static_cast<std::size_t>(from.width) + 3);
        for (int y = first; y < end; ++y) {
            weigh_rows(from, y, sums.data());
            interpolation_kernels().halved_row(sums.data(), view.width, view.row(y));
        }
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
