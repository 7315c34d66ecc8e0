// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/lookahead/cost_table.h"

namespace tandem {

namespace {

std::uint64_t sum_of(const Predictions& predictions) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < predictions.intra->size(); ++i)
        sum += predictions.cheapest(i).cost;
    return sum;
}

/// What a map holds for a key; null: nothing.
template <class Map, class Key> const typename Map::mapped_type* find(const Map& map, const Key& key) {
    const auto found = map.find(key);
    return found == map.end() ? nullptr : &found->second;
}

/// The costs among what a map holds for a key; null: nothing.
template <class Map, class Key> auto find_costs(const Map& map, const Key& key) {
    const auto* known = find(map, key);
    return known == nullptr ? nullptr : known->costs.get();
}

} // namespace

void CostRow::sum_up() {
    if (!intra_sum_) intra_sum_ = sum_of(unpredicted());
    for (auto& [distance, known] : forward_)
        if (!known.sum) known.sum = sum_of(predicted(distance));
    for (auto& [distances, known] : both_)
        if (!known.sum) known.sum = sum_of(between(distances.first, distances.second));
}

Predictions CostRow::predicted(int distance) const { return {intra_.get(), find_costs(forward_, distance)}; }

Predictions CostRow::between(int before, int after) const {
    return {intra_.get(), find_costs(forward_, before), find_costs(backward_, after),
            find_costs(both_, std::pair(before, after))};
}

std::uint64_t CostRow::predicted_sum(int distance) const {
    const auto* forward = find(forward_, distance);
    return forward == nullptr ? intra_sum() : forward->sum.value();
}

std::uint64_t CostRow::between_sum(int before, int after) const {
    const auto* both = find(both_, std::pair(before, after));
    return both == nullptr ? intra_sum() : both->sum.value();
}

} // namespace tandem
