// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/rate/outlook.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tandem {

namespace {

/// A picture that costs so many times the mean is a surprise. A cut of usual video is none: it costs 3 to 5 times what
/// prediction left before it, and what follows costs as little again.
constexpr double surprising = 6;
/// What the past counts after a surprise.
constexpr double kept_when_surprised = 0.1;
/// In seconds: several groups, so that types are about as frequent when one of them has just come.
constexpr double memory_of_types = 8;
constexpr double swing_keep = 0.9, complexity_keep = 0.95;
/// What P and B pictures usually cost beside I pictures, until one has come.
constexpr std::array<double, 3> usual_costs{1, 0.35, 0.28};

double keep_for(double seconds, const OutlookPlan& plan) {
    return std::exp(-1 / std::max(seconds * plan.pictures_per_second, 1.0));
}

} // namespace

Outlook::Outlook(const OutlookPlan& plan, double memory_in_seconds)
    : plan_(plan), keep_(keep_for(memory_in_seconds, plan)), keep_of_counts_(keep_for(memory_of_types, plan)) {
    // As many pictures as come to an I picture, as the pattern has them.
    const double anchors = std::max<double>(plan.keyint - 1, 0) / (plan.bframes + 1);
    counts_ = {1, anchors, anchors * plan.bframes};
}

void Outlook::add(PictureType type, const PictureCosts& costs) {
    const std::size_t i = index_of(type);
    const double cost = cost_of(type, costs, plan_.macroblocks);
    for (double& count : counts_)
        count *= keep_of_counts_;
    counts_[i] += 1;
    surprised_ = cost > surprising * this->cost(type);
    if (weights_[i] > 0) {
        const double limited = std::clamp(cost / (costs_[i] / weights_[i]), 0.1, 10.0);
        swing_ = std::pow(swing_, swing_keep) * std::pow(limited, 1 - swing_keep);
    }
    if (surprised_) {
        costs_[i] *= kept_when_surprised;
        weights_[i] *= kept_when_surprised;
        expect_the_same(type, cost);
    }
    latest_[i] = cost;
    latest_[index_of(PictureType::intra)] = cost_of(PictureType::intra, costs, plan_.macroblocks);
    costs_[i] = keep_ * costs_[i] + cost;
    weights_[i] = keep_ * weights_[i] + 1;
    if (type != PictureType::intra) {
        complexity_ = complexity_keep * complexity_ + cost / plan_.macroblocks;
        complexity_weight_ = complexity_keep * complexity_weight_ + 1;
    }
    shows_nothing_new_ = type != PictureType::intra && cost <= least_cost(plan_.macroblocks);
    since_intra_ = type == PictureType::intra ? 1 : since_intra_ + 1;
    since_anchor_ = type == PictureType::bidirectional ? since_anchor_ + 1 : 0;
}

void Outlook::expect_the_same(PictureType type, double cost) {
    for (const PictureType other : {PictureType::predicted, PictureType::bidirectional}) {
        const std::size_t j = index_of(other);
        latest_[j] = std::max(latest_[j], cost * usual_costs[j] / usual_costs[index_of(type)]);
    }
}

double Outlook::cost(PictureType type) const {
    const std::size_t i = index_of(type);
    if (weights_[i] > 0) return costs_[i] / weights_[i];
    for (const PictureType other : {PictureType::predicted, PictureType::bidirectional, PictureType::intra}) {
        const std::size_t j = index_of(other);
        if (weights_[j] > 0) return costs_[j] / weights_[j] * usual_costs[i] / usual_costs[j];
    }
    return plan_.macroblocks;
}

double Outlook::cost_soon(PictureType type) const {
    const double latest = latest_[index_of(type)];
    return type == PictureType::intra ? latest : std::max(cost(type), latest);
}

double Outlook::share(PictureType type) const {
    return counts_[index_of(type)] / std::accumulate(counts_.begin(), counts_.end(), 0.0);
}

double Outlook::complexity() const {
    if (complexity_weight_ > 0) return complexity_ / complexity_weight_;
    return cost(PictureType::predicted) / plan_.macroblocks;
}

std::vector<PictureType> Outlook::next(int pictures) const {
    std::vector<PictureType> types;
    int since_intra = since_intra_, since_anchor = since_anchor_;
    for (int i = 0; i < pictures; ++i) {
        PictureType type = PictureType::predicted;
        if (since_anchor < plan_.bframes && since_intra > 0)
            type = PictureType::bidirectional;
        else if (since_intra >= plan_.keyint - plan_.bframes)
            type = PictureType::intra;
        since_anchor = type == PictureType::bidirectional ? since_anchor + 1 : 0;
        since_intra = type == PictureType::intra ? 1 : since_intra + 1;
        types.push_back(type);
    }
    return types;
}

} // namespace tandem
