// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/rate/pace/long_run.h"

#include <algorithm>
#include <cmath>

namespace tandem {

namespace {

/// As many pictures as what is foreseen counts for beside what is known.
constexpr double foreseen_pictures = 8;

} // namespace

LongRun::LongRun(const OutlookPlan& plan, double keep)
    : keep_(keep), least_(bits_of_skipped(plan.macroblocks, plan.rows)) {
    const double anchors = std::max<double>(plan.keyint - 1, 0) / (plan.bframes + 1);
    const std::array<double, 3> shares{1, anchors, anchors * plan.bframes};
    for (std::size_t i = 0; i < shares.size(); ++i)
        sums_[i].share = shares[i];
}

void LongRun::add(PictureType type, double quantiser, double bits) {
    for (Sums& sums : sums_)
        sums = {keep_ * sums.share, keep_ * sums.count, keep_ * sums.skipped, keep_ * sums.bits};
    Sums& own = sums_[index_of(type)];
    own.share += 1;
    own.count += 1;
    if (is_skipped(type, bits, least_))
        own.skipped += 1;
    else
        own.bits += bits * std::pow(quantiser, SizeModel::exponent(type));
}

double LongRun::mean_bits(const PaceView& view, double quantiser) const {
    double bits = 0, shares = 0;
    for (const PictureType type : picture_types) {
        const Sums& sums = sums_[index_of(type)];
        const double own = view.own_quantiser(type, quantiser);
        const double foreseen = foreseen_pictures * view.model.bits(type, view.outlook.cost(type), own);
        const double changed = sums.bits / std::pow(own, SizeModel::exponent(type));
        const double taken = std::max(changed, (sums.count - sums.skipped) * least_) + sums.skipped * least_;
        bits += sums.share * (taken + foreseen) / (sums.count + foreseen_pictures);
        shares += sums.share;
    }
    return bits / shares;
}

} // namespace tandem
