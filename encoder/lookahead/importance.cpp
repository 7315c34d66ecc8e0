// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/lookahead/importance.h"

#include <algorithm>
#include <functional>

#include "encoder/rate/portable_powers.h"

namespace tandem {

namespace {

/// The cost of a block of 8x8 independent differences with a standard deviation of 1: a coefficient of the 4x4 Hadamard
/// transform has a deviation of 4 and a mean size of 4 * sqrt(2 / pi); there are 64, and the sum is halved.
constexpr float cost_of_deviation = 102;

/// The mean squared error that a quantiser_scale_code leaves where nothing leans on it, in the half-size picture, where
/// that of the high frequencies is not seen. The factor was measured: docs/plan.md.
double distortion_of(double quantiser) { return 0.3 * quantiser * quantiser; }

/// Macroblocks on each side: what is displaced further lies at the margin's rim, where it covers the margin alone.
constexpr int margin = 2;

} // namespace

Leanings::Leanings(const CostTable& table, std::span<const PictureType> types, double quantiser, KnownLeanings& known,
                   Workers& workers)
    : columns_(table.columns), rows_(table.rows), distortion_(static_cast<float>(distortion_of(quantiser))),
      pictures_(types.size()) {
    known.resize(table.pictures.size());
    workers.for_each(static_cast<int>(types.size()), [&](int at, int) {
        const auto place = static_cast<std::size_t>(at);
        const Role role = role_of(at, types);
        if (!known[place] || known[place]->role != role) known[place] = lean(table.pictures[place], role);
        pictures_[place] = known[place];
    });
}

/// Nothing before the first picture is known.
Leanings::Role Leanings::role_of(int at, std::span<const PictureType> types) const {
    const auto is_anchor = [&](int picture) {
        return types[static_cast<std::size_t>(picture)] != PictureType::bidirectional;
    };
    const PictureType type = at == 0 ? PictureType::intra : types[static_cast<std::size_t>(at)];
    int before = 0, after = 0;
    if (type != PictureType::intra) {
        before = 1;
        while (!is_anchor(at - before))
            ++before;
    }
    if (type == PictureType::bidirectional) {
        after = 1;
        while (at + after < static_cast<int>(types.size()) && !is_anchor(at + after))
            ++after;
    }
    return {type, before, after};
}

Leanings::PicturePtr Leanings::lean(const CostRow& costs, const Role& role) const {
    const Predictions predictions = role.type == PictureType::intra       ? costs.unpredicted()
                                    : role.type == PictureType::predicted ? costs.predicted(role.before)
                                                                          : costs.between(role.before, role.after);
    const std::size_t count = predictions.intra->size();
    auto picture = std::make_shared<Picture>();
    picture->role = role;
    picture->residual.resize(count);
    picture->variance.resize(count);
    picture->forward.resize(count);
    picture->backward.resize(role.type == PictureType::bidirectional ? count : 0);
    for (std::size_t i = 0; i < count; ++i) {
        const CheapestPrediction best = predictions.cheapest(i);
        picture->residual[i] = static_cast<float>(best.cost);
        const float deviation = static_cast<float>(best.cost) / cost_of_deviation;
        picture->variance[i] = deviation * deviation;
        picture->forward[i] = place_of(i, best.forward);
        if (picture->backward.empty()) continue;
        picture->backward[i] = place_of(i, best.backward);
        if (best.forward == nullptr || best.backward == nullptr) continue;
        for (float& part : picture->forward[i].parts)
            part /= 4;
        for (float& part : picture->backward[i].parts)
            part /= 4;
    }
    return picture;
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

Leanings::Carried Leanings::nothing() const {
    return Carried(static_cast<std::size_t>((columns_ + 2 * margin) * (rows_ + 2 * margin)), 0.0F);
}

/// `leaning` on the picture; null: nothing does.
void Leanings::carry(const Picture& picture, const Carried* leaning, const std::vector<Place>& places,
                     Carried& to) const {
    const auto stride = static_cast<std::size_t>(columns_ + 2 * margin);
    std::size_t i = 0;
    for (int row = 0; row < rows_; ++row) {
        const float* const own = leaning == nullptr ? nullptr : &(*leaning)[index(0, row)];
        for (int column = 0; column < columns_; ++column, ++i) {
            const float worth = own == nullptr ? 1 : 1 + own[column];
            const float part = distortion_ / (distortion_ / worth + picture.variance[i]);
            float* const covered = &to[static_cast<std::size_t>(places[i].first)];
            covered[0] += part * places[i].parts[0];
            covered[1] += part * places[i].parts[1];
            covered[stride] += part * places[i].parts[2];
            covered[stride + 1] += part * places[i].parts[3];
        }
    }
}

/// The anchors behind `wanted`, the last first, with what the B pictures before each carry to the two about them: no
/// picture leans on those, so all of it is found at once.
std::vector<Leanings::Step> Leanings::steps_back_to(int wanted, Workers& workers) const {
    std::vector<Step> steps;
    for (int at = static_cast<int>(pictures_.size()) - 1; at > wanted; --at)
        if (picture(at).role.type != PictureType::bidirectional) steps.push_back({at, nothing(), nothing()});
    workers.for_each(2 * static_cast<int>(steps.size()), [&](int item, int) {
        Step& step = steps[static_cast<std::size_t>(item / 2)];
        for (int at = step.anchor - 1; picture(at).role.type == PictureType::bidirectional; --at) {
            if (item % 2 == 0)
                carry(picture(at), nullptr, picture(at).forward, step.to_before);
            else
                carry(picture(at), nullptr, picture(at).backward, step.to_anchor);
        }
    });
    return steps;
}

/// From all pictures after `wanted` in coding order, the last first.
Leanings::Carried Leanings::carried_back_to(int wanted, Workers& workers) const {
    Carried of_anchor = nothing();
    for (Step& step : steps_back_to(wanted, workers)) {
        std::ranges::transform(of_anchor, step.to_anchor, of_anchor.begin(), std::plus());
        const Picture& anchor = picture(step.anchor);
        if (anchor.role.type == PictureType::predicted) carry(anchor, &of_anchor, anchor.forward, step.to_before);
        of_anchor = std::move(step.to_before);
    }
    for (int at = wanted - 1; at > 0 && picture(at).role.type == PictureType::bidirectional; --at)
        carry(picture(at), nullptr, picture(at).backward, of_anchor);
    return of_anchor;
}

Importance Leanings::importance(int wanted, double strength, Workers& workers) const {
    const Picture& picture = this->picture(wanted);
    Importance importance;
    importance.factor.assign(picture.residual.size(), 1);
    importance.borne_by_others.assign(picture.residual.size(), 0);
    importance.residual = picture.residual;
    if (picture.role.type == PictureType::bidirectional) return importance;
    const Carried leaning = carried_back_to(wanted, workers);
    workers.for_each(rows_, [&](int row, int) {
        auto i = static_cast<std::size_t>(row * columns_);
        for (int column = 0; column < columns_; ++column, ++i) {
            const double worth = 1 + static_cast<double>(leaning[index(column, row)]);
            importance.factor[i] = static_cast<float>(power(worth, -strength));
            importance.borne_by_others[i] = static_cast<float>(1 - 1 / worth);
        }
    });
    return importance;
}

} // namespace tandem
