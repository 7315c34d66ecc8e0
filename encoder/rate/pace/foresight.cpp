// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/rate/pace/foresight.h"

namespace tandem {

namespace {

/// The cost of a macroblock at which usual_worth counts as much as what was learnt.
constexpr double usual_cost_of_a_macroblock = 100;
constexpr double keep = 0.9;

} // namespace

Foresight::Foresight(int macroblocks) : macroblocks_(macroblocks) {
    const double usual = usual_cost_of_a_macroblock * macroblocks;
    sums_.fill({usual_worth * usual, usual});
}

void Foresight::add(const ExpectedPicture& picture, const Prospect& prospect) {
    pictures_.clear();
    is_to_the_end_ = prospect.is_to_the_end;
    if (!prospect.pictures) return;
    const std::vector<ForeseenPicture>& known = *prospect.pictures;
    Sums& sums = sums_[index_of(picture.type)];
    sums.cost = keep * sums.cost + picture.cost;
    sums.foreseen = keep * sums.foreseen + static_cast<double>(known[prospect.place].cost);
    pictures_.push_back(picture);
    for (std::size_t i = prospect.place + 1; i < known.size(); ++i) {
        const ForeseenPicture& each = known[i];
        const Sums& worth = sums_[index_of(each.type)];
        const double times = prospect.is_exact ? 1 : worth.cost / worth.foreseen;
        const double cost = static_cast<double>(each.cost) * times;
        const double intra_cost = static_cast<double>(each.intra) * times;
        pictures_.push_back({each.type, cost, size_law(each.type, cost, intra_cost, macroblocks_)});
    }
}

} // namespace tandem
