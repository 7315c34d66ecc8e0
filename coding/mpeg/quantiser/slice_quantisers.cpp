// SPDX-License-Identifier: BSD-2-Clause
#include "coding/mpeg/quantiser/slice_quantisers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "coding/mpeg/quantiser/quantiser_scale.h"

namespace tandem {

namespace {

constexpr std::size_t most_codes = 32; // 0 is none.

std::uint8_t nearest_code(double code) { return static_cast<std::uint8_t>(std::clamp<long>(std::lround(code), 1, 31)); }

/// The cheapest codes of one slice.
class SliceCodes {
  public:
    SliceCodes(const Quality& quality, SliceExtent slice, bool non_linear) : quality_(quality), slice_(slice) {
        for (std::size_t code = 1; code < most_codes; ++code)
            quantisers_[code] = quantiser_of_code(static_cast<double>(code), non_linear);
    }

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
    /// Of what is predicted from a picture that is its like: what that picture's quantiser left is there to be coded.
    static constexpr double least_residual = 16;

    void step(int index) {
        const auto i = static_cast<std::size_t>(index);
        const auto cheapest =
            static_cast<std::size_t>(std::min_element(costs_.begin() + 1, costs_.end()) - costs_.begin());
        const double change = index == slice_.first ? 0 : costs_[cheapest] + change_bits;
        const double wanted = std::clamp(quality_.quantiser + static_cast<double>(quality_.offsets[i]), quantisers_[1],
                                         quantisers_[most_codes - 1]);
        const double weight = std::max(static_cast<double>(quality_.residual[i]), least_residual) / wanted;
        auto& from = from_[static_cast<std::size_t>(index - slice_.first)];
        for (std::size_t code = 1; code < most_codes; ++code) {
            const bool stays = costs_[code] <= change;
            const double ratio = quantisers_[code] / wanted;
            // (ratio - 1) (1 - 1 / ratio) is the square of the logarithm for small differences.
            costs_[code] = (stays ? costs_[code] : change) + weight * (ratio - 1) * (1 - 1 / ratio);
            from[code] = static_cast<std::uint8_t>(stays ? code : cheapest);
        }
    }

    const Quality& quality_;
    const SliceExtent slice_;
    std::array<double, most_codes> quantisers_{};
    std::array<double, most_codes> costs_{}; ///< Of the cheapest way to each code at the macroblock at hand.
    std::vector<std::array<std::uint8_t, most_codes>> from_; ///< By macroblock of the slice: the code before.
};

} // namespace

void spread_quantiser(const Quality& quality, std::span<const SliceExtent> slices, bool non_linear,
                      std::span<std::uint8_t> codes) {
    const double mean = code_of_quantiser(quality.quantiser, non_linear);
    const auto with_offset = [&](std::size_t i) {
        return code_of_quantiser(quality.quantiser + static_cast<double>(quality.offsets[i]), non_linear) - mean;
    };
    double owed = 0; // What the slices so far lack of the mean, each by as much as its code was rounded.
    for (const SliceExtent& slice : slices) {
        if (!quality.residual.empty()) {
            SliceCodes(quality, slice, non_linear).fill(codes);
            continue;
        }
        const std::uint8_t code = nearest_code(mean + owed);
        owed += mean - code;
        owed = std::clamp(owed, -0.5, 0.5); // At the ends of the scale nothing can be made up for.
        for (auto i = static_cast<std::size_t>(slice.first); i < static_cast<std::size_t>(slice.end); ++i)
            codes[i] = quality.offsets.empty() ? code : nearest_code(code + with_offset(i));
    }
}

} // namespace tandem
