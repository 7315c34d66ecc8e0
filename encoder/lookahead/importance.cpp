// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/lookahead/importance.h"

#include <algorithm>
#include <array>

#include "encoder/portable_powers.h"

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
          carried_(types.size()) {
        for (std::vector<float>& picture : carried_)
            picture.resize(static_cast<std::size_t>(table.columns) * static_cast<std::size_t>(table.rows));
    }

    /// From all pictures after `wanted` in coding order, the last first.
    void carry_back_to(int wanted) {
        int anchor = last_anchor_before(static_cast<int>(types_.size()));
        while (anchor > wanted) {
            const int before = last_anchor_before(anchor);
            for (int at = anchor - 1; at > before; --at)
                carry(at, before, anchor);
            if (types_[static_cast<std::size_t>(anchor)] == PictureType::predicted) carry(anchor, before, anchor);
            anchor = before;
        }
    }
    const std::vector<float>& carried(int at) const { return carried_[static_cast<std::size_t>(at)]; }

    /// As the types have the picture predicted.
    CheapestPrediction cheapest(int at, std::size_t macroblock) const {
        const CostRow& row = table_.pictures[static_cast<std::size_t>(at)];
        const PictureType type = types_[static_cast<std::size_t>(at)];
        if (type == PictureType::intra || at == 0) return {row.intra(macroblock), nullptr, nullptr};
        const int before = last_anchor_before(at);
        if (type == PictureType::predicted) return row.predicted(at - before, macroblock);
        return row.between(at - before, next_anchor_after(at) - at, macroblock);
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
        for (std::size_t i = 0; i < row.macroblocks(); ++i) {
            const CheapestPrediction best =
                after == at ? row.predicted(at - before, i) : row.between(at - before, after - at, i);
            if (best.forward == nullptr && best.backward == nullptr) continue;
            const float deviation = static_cast<float>(best.cost) / cost_of_deviation;
            const float share = distortion_ / (distortion_ + deviation * deviation);
            const bool two = best.forward != nullptr && best.backward != nullptr;
            const float part = (1 + carried(at)[i]) * (two ? share / 4 : share);
            if (best.forward != nullptr) add(before, i, *best.forward, part);
            if (best.backward != nullptr) add(after, i, *best.backward, part);
        }
    }

    /// To the four macroblocks that the displaced one covers parts of; what lies outside of the picture is lost.
    void add(int to, std::size_t macroblock, Mv mv, float amount) {
        constexpr int side = 16 * eighths_per_pel;
        const int column = static_cast<int>(macroblock) % table_.columns;
        const int row = static_cast<int>(macroblock) / table_.columns;
        const int x = column * side + mv.x, y = row * side + mv.y;
        const int left = x >> 7, top = y >> 7;
        static_assert(side == 1 << 7);
        const std::array<int, 2> across{side - (x & (side - 1)), x & (side - 1)};
        const std::array<int, 2> down{side - (y & (side - 1)), y & (side - 1)};
        std::vector<float>& carried = carried_[static_cast<std::size_t>(to)];
        for (int j = 0; j < 2; ++j) {
            for (int i = 0; i < 2; ++i) {
                if (left + i < 0 || left + i >= table_.columns || top + j < 0 || top + j >= table_.rows) continue;
                const int area = across[static_cast<std::size_t>(i)] * down[static_cast<std::size_t>(j)];
                carried[static_cast<std::size_t>((top + j) * table_.columns + left + i)] +=
                    amount * static_cast<float>(area) / static_cast<float>(side * side);
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
    Importance importance;
    for (std::size_t i = 0; i < row.macroblocks(); ++i) {
        const double worth = 1 + static_cast<double>(carrying.carried(wanted)[i]);
        importance.factor.push_back(static_cast<float>(power(worth, -strength)));
        importance.residual.push_back(static_cast<float>(carrying.cheapest(wanted, i).cost));
    }
    return importance;
}

} // namespace tandem
