// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/rate/pace/foresight.h"

namespace tandem {

namespace {

/// The cost of a macroblock at which usual_worth counts as much as what was learnt.
constexpr double usual_cost_of_a_macroblock = 100;
constexpr double keep = 0.9;

} // namespace

Foresight::Foresight(int macroblocks) {
    const double usual = usual_cost_of_a_macroblock * macroblocks;
    sums_.fill({usual_worth * usual, usual});
}

void Foresight::add(PictureType type, double cost, const Prospect& prospect) {
    pictures_.clear();
    is_to_the_end_ = prospect.is_to_the_end;
    if (!prospect.pictures) return;
    const std::vector<ForeseenPicture>& known = *prospect.pictures;
    Sums& sums = sums_[index_of(type)];
    sums.cost = keep * sums.cost + cost;
    sums.foreseen = keep * sums.foreseen + static_cast<double>(known[prospect.place].cost);
    pictures_.push_back({type, cost});
    for (std::size_t i = prospect.place + 1; i < known.size(); ++i) {
        const Sums& worth = sums_[index_of(known[i].type)];
        const double times = prospect.is_exact ? 1 : worth.cost / worth.foreseen;
        pictures_.push_back({known[i].type, static_cast<double>(known[i].cost) * times});
    }
}

} // namespace tandem
