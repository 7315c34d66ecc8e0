// SPDX-License-Identifier: BSD-2-Clause
#include "coding/mpeg/slice_quantisers.h"

#include <algorithm>
#include <cmath>

namespace tandem {

namespace {

std::uint8_t code_near(double quantiser) {
    return static_cast<std::uint8_t>(std::clamp<long>(std::lround(quantiser), 1, 31));
}

} // namespace

void spread_quantiser(const Quality& quality, std::span<const SliceExtent> slices, std::span<std::uint8_t> codes) {
    double owed = 0; // What the slices so far lack of the quantiser, each by as much as its code was rounded.
    for (const SliceExtent& slice : slices) {
        const std::uint8_t code = code_near(quality.quantiser + owed);
        owed += quality.quantiser - code;
        owed = std::clamp(owed, -0.5, 0.5); // At the ends of the scale nothing can be made up for.
        for (auto i = static_cast<std::size_t>(slice.first); i < static_cast<std::size_t>(slice.end); ++i)
            codes[i] = quality.offsets.empty() ? code : code_near(code + static_cast<double>(quality.offsets[i]));
    }
}

} // namespace tandem
