// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/lookahead/importance.h"

#include <algorithm>
#include <array>

#include "encoder/rate/portable_powers.h"

namespace tandem {

namespace {

/// The cost of a block of 8x8 independent differences with a standard deviation of 1: a coefficient of the 4x4 Hadamard
/// transform has a deviation of 4 and a mean size of 4 * sqrt(2 / pi); there are 64, and the sum is halved.
constexpr float cost_of_deviation = 102;

/// The mean squared error that a quantiser_scale_code leaves in the half-size picture, where that of the high
/// frequencies is not seen. The factor was measured: docs/plan.md.
double distortion_of(double quantiser) { return 0.1 * quantiser * quantiser; }

class Carrying {
  public:
    Carrying(const CostTable& table, std::span<const PictureType> types, double quantiser)
        : table_(table), types_(types), distortion_(static_cast<float>(distortion_of(quantiser))),
          carried_(types.size()) {}

    /// From all pictures after `wanted` in coding order, the last first.
    void carry_back_to(int wanted) {
        for (std::size_t at = static_cast<std::size_t>(wanted); at < carried_.size(); ++at)
            carried_[at].resize(static_cast<std::size_t>(table_.columns) * static_cast<std::size_t>(table_.rows));
        int anchor = last_anchor_before(static_cast<int>(types_.size()));
        while (anchor > wanted) {
            const int before = last_anchor_before(anchor);
            for (int at = anchor - 1; at > before; --at)
                carry(at, before, anchor);
            if (types_[static_cast<std::size_t>(anchor)] == PictureType::predicted) carry(anchor, before, anchor);
            anchor = before;
        }
    }
    /// Empty where nothing was carried back.
    const std::vector<float>& carried(int at) const { return carried_[static_cast<std::size_t>(at)]; }

    /// As the types have the picture predicted.
    Predictions predictions(int at) const {
        const CostRow& row = table_.pictures[static_cast<std::size_t>(at)];
        const PictureType type = types_[static_cast<std::size_t>(at)];
        if (type == PictureType::intra || at == 0) return row.unpredicted();
        const int before = last_anchor_before(at);
        if (type == PictureType::predicted) return row.predicted(at - before);
        return row.between(at - before, next_anchor_after(at) - at);
    }

  private:
    int last_anchor_before(int at) const {
        do
            --at;
        while (at > 0 && types_[static_cast<std::size_t>(at)] == PictureType::bidirectional);
        return at;
    }
    int next_anchor_after(int at) const {
        do
            ++at;
        while (at < static_cast<int>(types_.size()) &&
               types_[static_cast<std::size_t>(at)] == PictureType::bidirectional);
        return at;
    }

    void carry(int at, int before, int after) {
        const CostRow& row = table_.pictures[static_cast<std::size_t>(at)];
        const std::vector<float>& leaning = carried(at);
        const Predictions predictions = after == at ? row.predicted(at - before) : row.between(at - before, after - at);
        for (std::size_t i = 0; i < row.macroblocks(); ++i) {
            const CheapestPrediction best = predictions.cheapest(i);
            if (best.forward == nullptr && best.backward == nullptr) continue;
            const float deviation = static_cast<float>(best.cost) / cost_of_deviation;
            const float share = distortion_ / (distortion_ + deviation * deviation);
            const bool two = best.forward != nullptr && best.backward != nullptr;
            const float part = (1 + leaning[i]) * (two ? share / 4 : share);
            if (best.forward != nullptr) add(i, *best.forward, part, carried_[static_cast<std::size_t>(before)]);
            if (best.backward != nullptr) add(i, *best.backward, part, carried_[static_cast<std::size_t>(after)]);
        }
    }

    /// To the four macroblocks that the displaced one covers parts of; what lies outside of the picture is lost.
    void add(std::size_t macroblock, Mv mv, float amount, std::vector<float>& carried) const {
        constexpr int side = 16 * eighths_per_pel;
        const int column = static_cast<int>(macroblock) % table_.columns;
        const int row = static_cast<int>(macroblock) / table_.columns;
        const int x = column * side + mv.x, y = row * side + mv.y;
        const int left = x >> 7, top = y >> 7;
        static_assert(side == 1 << 7);
        const std::array<int, 2> across{side - (x & (side - 1)), x & (side - 1)};
        const std::array<int, 2> down{side - (y & (side - 1)), y & (side - 1)};
        const float unit = amount / static_cast<float>(side * side);
        for (int j = 0; j < 2; ++j) {
            for (int i = 0; i < 2; ++i) {
                const int area = across[static_cast<std::size_t>(i)] * down[static_cast<std::size_t>(j)];
                const bool is_inside =
                    left + i >= 0 && left + i < table_.columns && top + j >= 0 && top + j < table_.rows;
                if (area == 0 || !is_inside) continue;
                carried[static_cast<std::size_t>((top + j) * table_.columns + left + i)] +=
                    unit * static_cast<float>(area);
            }
        }
    }

    const CostTable& table_;
    const std::span<const PictureType> types_;
    const float distortion_;
    std::vector<std::vector<float>> carried_; ///< By picture and macroblock: what leans on it, in distortions.
};

} // namespace

Importance importance_of(const CostTable& table, std::span<const PictureType> types, int wanted, double quantiser,
                         double strength) {
    Carrying carrying(table, types, quantiser);
    const bool is_reference = types[static_cast<std::size_t>(wanted)] != PictureType::bidirectional;
    if (is_reference) carrying.carry_back_to(wanted);
    const CostRow& row = table.pictures[static_cast<std::size_t>(wanted)];
    const Predictions predictions = carrying.predictions(wanted);
    const std::vector<float>& leaning = carrying.carried(wanted);
    Importance importance;
    importance.factor.assign(row.macroblocks(), 1);
    for (std::size_t i = 0; i < leaning.size(); ++i) {
        const double worth = 1 + static_cast<double>(leaning[i]);
        importance.factor[i] = static_cast<float>(power(worth, -strength));
    }
    for (std::size_t i = 0; i < row.macroblocks(); ++i)
        importance.residual.push_back(static_cast<float>(predictions.cheapest(i).cost));
    return importance;
}

} // namespace tandem
