// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/rate/pace/average_pace.h"

#include <algorithm>
#include <cmath>

#include "encoder/rate/pace/long_run.h"
#include "encoder/rate/quantiser_search.h"

namespace tandem {

namespace {

// Times are in seconds, and bits too: so many seconds of the rate.

/// Of the long run, and the time over which a debt is paid back while nothing else is asked for.
constexpr double memory = 60, time_to_pay_back = 12;
/// What the sum of all bits may be away from the rate: so much of the time that has passed, within limits; half of it
/// where nothing is foreseen, and at the end.
constexpr double tolerated_part = 0.02, least_tolerated = 0.2, most_tolerated = 10, times_when_strict = 0.5;
/// What was left may be spent on what comes up to so many times what is tolerated; the rest is for later.
constexpr double most_spent_of_it = 2;
/// How long it may go on as foreseen beyond the pictures that are known, or as the latest ones were; how long the end
/// is at least.
constexpr double guessed_time = 1, least_time = 0.5;
/// A picture gets from so many to so many times its share.
constexpr double least_share = 0.3, most_share = 2;

class AveragePace final : public Pace {
  public:
    AveragePace(const RateSettings& settings, const OutlookPlan& plan)
        : per_picture_(settings.bits_per_second / plan.pictures_per_second),
          pictures_per_second_(plan.pictures_per_second), tolerance_(settings.tolerance),
          exponent_(1 - settings.compression), least_(settings.least_quantiser), most_(settings.largest_quantiser),
          pays_back_(!settings.is_followed),
          long_run_(plan, std::exp(-1 / std::max(memory * plan.pictures_per_second, 1.0))) {}

    double quantiser(const PlannedPicture& picture, const PaceView& view) override {
        const double even = bounded(steady_quantiser(view), view);
        if (picture.type == PictureType::intra) lend(view, even);
        return even * std::pow(view.outlook.swing(), exponent_);
    }
    void coded(PictureType type, double quantiser, double bits) override { long_run_.add(type, quantiser, bits); }

  private:
    /// At which the pictures of the past would have kept the rate, and a debt is paid back slowly.
    double steady_quantiser(const PaceView& view) const {
        const double share = pays_back_ ? 1 - debt(view) / (time_to_pay_back * tolerance_) : 1;
        return quantiser_for(share, [&](double quantiser) { return long_run_.mean_bits(view, quantiser); });
    }

    /// Whether the end is in view, where the rate is to be met.
    bool has_end(const PaceView& view) const { return pays_back_ && view.foresight.is_to_the_end(); }

    /// What comes leads no farther from the rate than is tolerated.
    double bounded(double quantiser, const PaceView& view) const {
        const double passed = seconds(static_cast<double>(view.pictures));
        double tolerated = std::clamp(tolerated_part * passed, least_tolerated, most_tolerated) * tolerance_;
        const bool is_strict = view.foresight.pictures().empty() || has_end(view);
        if (is_strict) tolerated *= times_when_strict;
        double debt = this->debt(view);
        const double foreseen_time = seconds(static_cast<double>(view.foresight.pictures().size()));
        double time = foreseen_time + guessed_time;
        // It may go on as dear as it is foreseen; that it may go on as cheap is nothing to spend bits for.
        double known_time = foreseen_time > 0 ? foreseen_time : time;
        if (has_end(view)) {
            debt = spent_too_much(view);
            time = known_time = std::max(foreseen_time, least_time);
        }
        const auto bits = [&](double each) { return mean_bits_ahead(view, each) + paid_back_ahead(view, each); };
        const double left = std::min(-debt, most_spent_of_it * tolerated);
        const double finest = quantiser_for(1 + (tolerated + left) / time, bits);
        const double coarsest = quantiser_for(1 - (tolerated + debt) / known_time, bits);
        // To code once more what is shown already would be no use of bits that are left: an I picture has them.
        if (view.outlook.shows_nothing_new()) return std::max(quantiser, finest);
        return std::clamp(quantiser, finest, std::max(coarsest, finest));
    }

    /// The quantiser at which `bits` of it are so many times a picture's share of the rate.
    template <class Bits> double quantiser_for(double share, const Bits& bits) const {
        const double target = per_picture_ * std::clamp(share, least_share, most_share);
        return finest_quantiser(least_ / 4, most_ * 4, 30, [&](double each) { return bits(each) > target; });
    }

    /// An I picture takes more than a picture's share; what it takes is spread over the pictures up to the next one.
    void lend(const PaceView& view, double quantiser) {
        lent_ = excess_of_intra(view, view.outlook.cost(PictureType::intra), quantiser);
    }
    /// What an I picture of this cost takes beyond a picture on average.
    double excess_of_intra(const PaceView& view, double cost, double quantiser) const {
        const double bits = view.bits({PictureType::intra, cost, PictureType::intra}, quantiser);
        return std::max(bits - mean_bits(view, quantiser), 0.0);
    }
    /// Of what an I picture was lent, the part that is not paid back once there are so many pictures from it on.
    double still_lent(const PaceView& view, double lent, double pictures) const {
        return lent * std::max(1 - pictures / std::max(view.outlook.plan().keyint, 1), 0.0);
    }
    /// Before the picture at hand; at an I picture its predecessor's is paid back.
    double still_lent(const PaceView& view) const {
        const int since_intra = view.outlook.since_intra();
        return since_intra == 1 ? 0 : still_lent(view, lent_, since_intra - 1.0);
    }
    /// What each of the foreseen pictures pays back of what I pictures take, in the mean; negative where they are lent
    /// more. Nothing is lent beyond the end.
    double paid_back_ahead(const PaceView& view, double quantiser) const {
        const auto pictures = view.foresight.pictures();
        if (pictures.empty() || has_end(view)) return 0;
        const auto count = static_cast<double>(pictures.size());
        const auto last = std::find_if(pictures.rbegin(), pictures.rend(),
                                       [](const ExpectedPicture& each) { return each.type == PictureType::intra; });
        const double afterwards = last == pictures.rend()
                                      ? still_lent(view, lent_, view.outlook.since_intra() - 1.0 + count)
                                      : still_lent(view, excess_of_intra(view, last->cost, quantiser),
                                                   static_cast<double>(last - pictures.rbegin()) + 1);
        return (still_lent(view) - afterwards) / count;
    }
    /// The bits that were spent too much but for those that are lent; negative: too few.
    double debt(const PaceView& view) const { return spent_too_much(view) - seconds(still_lent(view) / per_picture_); }
    double spent_too_much(const PaceView& view) const {
        return seconds(view.spent / per_picture_ - static_cast<double>(view.pictures));
    }
    double seconds(double pictures) const { return pictures / pictures_per_second_; }

    double per_picture_, pictures_per_second_, tolerance_, exponent_, least_, most_;
    const bool pays_back_; ///< At once and at the end: in a pass that another follows, sizes at much the same quantiser
                           ///< say more of what pictures take at others.
    double lent_ = 0;
    LongRun long_run_;
};

} // namespace

std::unique_ptr<Pace> make_average_pace(const RateSettings& settings, const OutlookPlan& plan) {
    return std::make_unique<AveragePace>(settings, plan);
}

} // namespace tandem
