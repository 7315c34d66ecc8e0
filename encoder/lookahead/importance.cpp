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

/// Macroblocks on each side: what is displaced further lies at the margin's rim, where it covers the margin alone.
constexpr int margin = 2;

} // namespace

int Leanings::last_anchor_before(int at) const {
    do
        --at;
    while (at > 0 && pictures_[static_cast<std::size_t>(at)].type == PictureType::bidirectional);
    return at;
}

int Leanings::next_anchor_after(int at) const {
    do
        ++at;
    while (at < static_cast<int>(count_) && pictures_[static_cast<std::size_t>(at)].type == PictureType::bidirectional);
    return at;
}

void Leanings::prepare(const CostTable& table, std::span<const PictureType> types, double quantiser, Workers& workers) {
    columns_ = table.columns;
    rows_ = table.rows;
    count_ = types.size();
    if (pictures_.size() < count_) pictures_.resize(count_);
    for (std::size_t at = 0; at < count_; ++at)
        pictures_[at].type = at == 0 ? PictureType::intra : types[at]; // Nothing before the first is known.
    const auto distortion = static_cast<float>(distortion_of(quantiser));
    workers.for_each(static_cast<int>(count_), [&](int at, int) {
        Picture& picture = pictures_[static_cast<std::size_t>(at)];
        picture.before = last_anchor_before(at);
        picture.after = next_anchor_after(at);
        const CostRow& row = table.pictures[static_cast<std::size_t>(at)];
        const Predictions predictions = picture.type == PictureType::intra ? row.unpredicted()
                                        : picture.type == PictureType::predicted
                                            ? row.predicted(at - picture.before)
                                            : row.between(at - picture.before, picture.after - at);
        fill(predictions, distortion, picture);
    });
}

void Leanings::fill(const Predictions& predictions, float distortion, Picture& picture) const {
    const std::size_t count = predictions.intra->size();
    picture.residual.resize(count);
    picture.share.resize(count);
    picture.forward.resize(count);
    picture.backward.resize(picture.type == PictureType::bidirectional ? count : 0);
    for (std::size_t i = 0; i < count; ++i) {
        const CheapestPrediction best = predictions.cheapest(i);
        picture.residual[i] = static_cast<float>(best.cost);
        const float deviation = static_cast<float>(best.cost) / cost_of_deviation;
        const float share = distortion / (distortion + deviation * deviation);
        const bool two = best.forward != nullptr && best.backward != nullptr;
        picture.share[i] = two ? share / 4 : share;
        picture.forward[i] = place_of(i, best.forward);
        if (!picture.backward.empty()) picture.backward[i] = place_of(i, best.backward);
    }
}

std::size_t Leanings::index(int column, int row) const {
    const int stride = columns_ + 2 * margin;
    return static_cast<std::size_t>((std::clamp(row, -margin, rows_) + margin) * stride +
                                    std::clamp(column, -margin, columns_) + margin);
}

/// Null: nothing is predicted, and so no part is anywhere.
Leanings::Place Leanings::place_of(std::size_t macroblock, const Mv* mv) const {
    Place place;
    if (mv == nullptr) return place;
    constexpr int side = 16 * eighths_per_pel;
    static_assert(side == 1 << 7);
    const int x = static_cast<int>(macroblock) % columns_ * side + mv->x;
    const int y = static_cast<int>(macroblock) / columns_ * side + mv->y;
    const int right = x & (side - 1), lower = y & (side - 1);
    place.first = static_cast<std::int32_t>(index(x >> 7, y >> 7));
    constexpr float whole = side * side;
    place.parts = {static_cast<float>((side - right) * (side - lower)) / whole,
                   static_cast<float>(right * (side - lower)) / whole,
                   static_cast<float>((side - right) * lower) / whole, static_cast<float>(right * lower) / whole};
    return place;
}

void Leanings::carry(const Picture& picture, const Carried& leaning, const std::vector<Place>& places,
                     Carried& to) const {
    const auto stride = static_cast<std::size_t>(columns_ + 2 * margin);
    std::size_t i = 0;
    for (int row = 0; row < rows_; ++row) {
        const float* const own = &leaning[index(0, row)];
        for (int column = 0; column < columns_; ++column, ++i) {
            const float part = (1 + own[column]) * picture.share[i];
            float* const covered = &to[static_cast<std::size_t>(places[i].first)];
            covered[0] += part * places[i].parts[0];
            covered[1] += part * places[i].parts[1];
            covered[stride] += part * places[i].parts[2];
            covered[stride + 1] += part * places[i].parts[3];
        }
    }
}

/// From all pictures after `wanted` in coding order, the last first.
Leanings::Carried Leanings::carried_back_to(int wanted) const {
    const Carried none(static_cast<std::size_t>((columns_ + 2 * margin) * (rows_ + 2 * margin)), 0.0F);
    int anchor = last_anchor_before(static_cast<int>(count_));
    Carried of_anchor = none;
    while (anchor > wanted) {
        const int before = last_anchor_before(anchor);
        Carried of_before = none;
        for (int at = anchor - 1; at > before; --at) {
            const Picture& picture = pictures_[static_cast<std::size_t>(at)];
            carry(picture, none, picture.forward, of_before);
            carry(picture, none, picture.backward, of_anchor);
        }
        const Picture& picture = pictures_[static_cast<std::size_t>(anchor)];
        if (picture.type == PictureType::predicted) carry(picture, of_anchor, picture.forward, of_before);
        of_anchor = std::move(of_before);
        anchor = before;
    }
    return of_anchor;
}

Importance Leanings::importance(int wanted, double strength) const {
    const Picture& picture = pictures_[static_cast<std::size_t>(wanted)];
    Importance importance;
    importance.factor.assign(picture.residual.size(), 1);
    importance.borne_by_others.assign(picture.residual.size(), 0);
    importance.residual = picture.residual;
    if (picture.type == PictureType::bidirectional) return importance;
    const Carried leaning = carried_back_to(wanted);
    std::size_t i = 0;
    for (int row = 0; row < rows_; ++row) {
        for (int column = 0; column < columns_; ++column, ++i) {
            const double worth = 1 + static_cast<double>(leaning[index(column, row)]);
            importance.factor[i] = static_cast<float>(power(worth, -strength));
            importance.borne_by_others[i] = static_cast<float>(1 - 1 / worth);
        }
    }
    return importance;
}

} // namespace tandem
