// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/lookahead/cost_table.h"

#include <numeric>

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
    return known == nullptr ? nullptr : &known->costs;
}

} // namespace

CostRow::CostRow(Costs intra)
    : intra_(std::move(intra)), intra_sum_(std::accumulate(intra_.begin(), intra_.end(), std::uint64_t{0})) {}

void CostRow::set_forward(int distance, PredictedCosts costs) {
    Known<PredictedCosts>& known = forward_[distance] = {std::move(costs), 0};
    known.sum = sum_of(predicted(distance));
}

void CostRow::set_backward(int distance, PredictedCosts costs) { backward_[distance] = {std::move(costs), 0}; }

void CostRow::set_both(int before, int after, Costs costs) {
    Known<Costs>& known = both_[{before, after}] = {std::move(costs), 0};
    known.sum = sum_of(between(before, after));
}

Predictions CostRow::predicted(int distance) const { return {&intra_, find_costs(forward_, distance)}; }

Predictions CostRow::between(int before, int after) const {
    return {&intra_, find_costs(forward_, before), find_costs(backward_, after),
            find_costs(both_, std::pair(before, after))};
}

std::uint64_t CostRow::predicted_sum(int distance) const {
    const auto* forward = find(forward_, distance);
    return forward == nullptr ? intra_sum_ : forward->sum;
}

std::uint64_t CostRow::between_sum(int before, int after) const {
    const auto* both = find(both_, std::pair(before, after));
    return both == nullptr ? intra_sum_ : both->sum;
}

} // namespace tandem
