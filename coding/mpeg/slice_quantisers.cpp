// SPDX-License-Identifier: BSD-2-Clause
#include "coding/mpeg/slice_quantisers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace tandem {

namespace {

constexpr std::size_t most_codes = 32; // 0 is none.

std::uint8_t code_near(double quantiser) {
    return static_cast<std::uint8_t>(std::clamp<long>(std::lround(quantiser), 1, 31));
}

/// The cheapest codes of one slice.
class SliceCodes {
  public:
    SliceCodes(const Quality& quality, double mean, SliceExtent slice)
        : quality_(quality), mean_(mean), slice_(slice) {}

    void fill(std::span<std::uint8_t> codes) {
        from_.resize(static_cast<std::size_t>(slice_.end - slice_.first));
        for (int index = slice_.first; index < slice_.end; ++index)
            step(index);
        auto code = static_cast<std::size_t>(std::min_element(costs_.begin() + 1, costs_.end()) - costs_.begin());
        for (int index = slice_.end - 1; index >= slice_.first; --index) {
            codes[static_cast<std::size_t>(index)] = static_cast<std::uint8_t>(code);
            code = from_[static_cast<std::size_t>(index - slice_.first)][code];
        }
    }

  private:
    /// Bits that macroblock_quant takes: 5, and a macroblock_type that is 4 longer (tables B-3 and B-4 of 13818-2).
    static constexpr double change_bits = 9;

    void step(int index) {
        const auto i = static_cast<std::size_t>(index);
        const auto cheapest =
            static_cast<std::size_t>(std::min_element(costs_.begin() + 1, costs_.end()) - costs_.begin());
        const double change = index == slice_.first ? 0 : costs_[cheapest] + change_bits;
        const double wanted = std::clamp(mean_ + static_cast<double>(quality_.offsets[i]), 1.0, 31.0);
        const double weight = static_cast<double>(quality_.residual[i]) / wanted;
        auto& from = from_[static_cast<std::size_t>(index - slice_.first)];
        for (std::size_t code = 1; code < most_codes; ++code) {
            const bool stays = costs_[code] <= change;
            const double ratio = static_cast<double>(code) / wanted;
            // (ratio - 1) (1 - 1 / ratio) is the square of the logarithm for small differences.
            costs_[code] = (stays ? costs_[code] : change) + weight * (ratio - 1) * (1 - 1 / ratio);
            from[code] = static_cast<std::uint8_t>(stays ? code : cheapest);
        }
    }

    const Quality& quality_;
    const double mean_;
    const SliceExtent slice_;
    std::array<double, most_codes> costs_{}; ///< Of the cheapest way to each code at the macroblock at hand.
    std::vector<std::array<std::uint8_t, most_codes>> from_; ///< By macroblock of the slice: the code before.
};

} // namespace

void spread_quantiser(const Quality& quality, std::span<const SliceExtent> slices, std::span<std::uint8_t> codes) {
    double owed = 0; // What the slices so far lack of the quantiser, each by as much as its code was rounded.
    for (const SliceExtent& slice : slices) {
        if (!quality.residual.empty()) {
            SliceCodes(quality, quality.quantiser, slice).fill(codes);
            continue;
        }
        const std::uint8_t code = code_near(quality.quantiser + owed);
        owed += quality.quantiser - code;
        owed = std::clamp(owed, -0.5, 0.5); // At the ends of the scale nothing can be made up for.
        for (auto i = static_cast<std::size_t>(slice.first); i < static_cast<std::size_t>(slice.end); ++i)
            codes[i] = quality.offsets.empty() ? code : code_near(code + static_cast<double>(quality.offsets[i]));
    }
}

} // namespace tandem
