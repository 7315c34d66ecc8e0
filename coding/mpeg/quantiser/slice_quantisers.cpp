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

/// The cheapest codes of one slice. They lie between the quantisers that its macroblocks want: beyond the least or the
/// greatest of these each further code loses more everywhere.
class SliceCodes {
  public:
    SliceCodes(const Quality& quality, SliceExtent slice, bool non_linear) : quality_(quality), slice_(slice) {
        for (std::size_t code = 1; code < most_codes; ++code) {
            quantisers_[code] = quantiser_of_code(static_cast<double>(code), non_linear);
            inverses_[code] = 1 / quantisers_[code];
        }
    }

    void fill(std::span<std::uint8_t> codes) {
        const auto count = static_cast<std::size_t>(slice_.end - slice_.first);
        const auto first = static_cast<std::size_t>(slice_.first);
        set_range();
        costs_.resize(count + 1);
        costs_[0].fill(0);
        change_.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            change_[i] = i == 0 ? 0 : costs_[i][cheapest_of(costs_[i])] + change_bits;
            step(first + i, costs_[i], change_[i], costs_[i + 1]);
        }
        std::size_t code = cheapest_of(costs_[count]);
        for (std::size_t i = count; i-- > 0;) {
            codes[first + i] = static_cast<std::uint8_t>(code);
            if (costs_[i][code] > change_[i]) code = cheapest_of(costs_[i]);
        }
    }

  private:
    using Costs = std::array<double, most_codes>; ///< Of the cheapest way to each code.

    /// Bits that macroblock_quant takes: 5, and a macroblock_type that is 4 longer (tables B-3 and B-4 of 13818-2).
    static constexpr double change_bits = 9;
    /// Of what is predicted from a picture that is its like: what that picture's quantiser left is there to be coded.
    static constexpr double least_residual = 16;

    double wanted(std::size_t macroblock) const {
        return std::clamp(quality_.quantiser + static_cast<double>(quality_.offsets[macroblock]), quantisers_[1],
                          quantisers_[most_codes - 1]);
    }

    void set_range() {
        double least = quantisers_[most_codes - 1], greatest = quantisers_[1];
        for (int macroblock = slice_.first; macroblock < slice_.end; ++macroblock) {
            least = std::min(least, wanted(static_cast<std::size_t>(macroblock)));
            greatest = std::max(greatest, wanted(static_cast<std::size_t>(macroblock)));
        }
        least_code_ = most_codes - 1;
        while (quantisers_[least_code_] > least)
            --least_code_;
        greatest_code_ = least_code_;
        while (quantisers_[greatest_code_] < greatest)
            ++greatest_code_;
    }

    /// `change`: the costs of coming from another code.
    void step(std::size_t macroblock, const Costs& before, double change, Costs& behind) const {
        const double wanted = this->wanted(macroblock), inverse = 1 / wanted;
        const double weight = std::max(static_cast<double>(quality_.residual[macroblock]), least_residual) * inverse;
        for (std::size_t code = least_code_; code <= greatest_code_; ++code) {
            // A ratio and its inverse come to 2 and, for small differences, the square of the ratio's logarithm.
            const double loss = quantisers_[code] * inverse + wanted * inverses_[code] - 2;
            behind[code] = std::min(before[code], change) + weight * loss;
        }
    }

    std::size_t cheapest_of(const Costs& costs) const {
        std::size_t cheapest = least_code_;
        for (std::size_t code = least_code_ + 1; code <= greatest_code_; ++code)
            cheapest = costs[code] < costs[cheapest] ? code : cheapest;
        return cheapest;
    }

    const Quality& quality_;
    const SliceExtent slice_;
    std::array<double, most_codes> quantisers_{}, inverses_{}; ///< By code.
    std::size_t least_code_ = 1, greatest_code_ = 1;
    std::vector<Costs> costs_;   ///< Before each macroblock of the slice, and behind the last.
    std::vector<double> change_; ///< What it costs to come to a macroblock from another code.
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
