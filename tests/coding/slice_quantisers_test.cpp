// SPDX-License-Identifier: BSD-2-Clause
#include "coding/mpeg/slice_quantisers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace tandem {
namespace {

std::vector<std::uint8_t> spread(const Quality& quality, int slices, int length = 3) {
    std::vector<SliceExtent> extents;
    for (int i = 0; i < slices; ++i)
        extents.push_back({i * length, (i + 1) * length});
    std::vector<std::uint8_t> codes(static_cast<std::size_t>(slices * length));
    spread_quantiser(quality, extents, codes);
    return codes;
}

TEST(SliceQuantisers, AWholeQuantiserIsEverywhere) {
    for (const int code : {1, 8, 31})
        EXPECT_EQ(spread({static_cast<double>(code), {}}, 5),
                  std::vector<std::uint8_t>(15, static_cast<std::uint8_t>(code)));
}

TEST(SliceQuantisers, AFractionIsKeptOnTheMean) {
    for (double quantiser = 1; quantiser <= 31; quantiser += 0.07) {
        const auto codes = spread({quantiser, {}}, 68);
        const double mean = std::accumulate(codes.begin(), codes.end(), 0.0) / static_cast<double>(codes.size());
        EXPECT_NEAR(mean, quantiser, 0.5 / 68 + 1e-9);
        for (std::size_t i = 0; i < codes.size(); ++i) {
            EXPECT_LT(std::abs(codes[i] - quantiser), 1.0);
            EXPECT_EQ(codes[i], codes[i / 3 * 3]) << "a slice has one code";
        }
    }
}

TEST(SliceQuantisers, TheScaleHasEnds) {
    EXPECT_EQ(spread({0.2, {}}, 9), std::vector<std::uint8_t>(27, 1));
    EXPECT_EQ(spread({99, {}}, 9), std::vector<std::uint8_t>(27, 31));
}

TEST(SliceQuantisers, OffsetsAreAddedToEachMacroblock) {
    const std::vector<float> offsets{0.4F, 0.6F, -9.0F, 40.0F, 0.0F, -1.0F};
    EXPECT_EQ(spread({4, offsets}, 2), (std::vector<std::uint8_t>{4, 5, 1, 31, 4, 3}));
}

} // namespace
} // namespace tandem
