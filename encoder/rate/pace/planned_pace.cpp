// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/rate/pace/planned_pace.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>

#include "encoder/rate/bits_by_quantiser.h"
#include "encoder/rate/quantiser_search.h"
#include "machine/errors.h"

namespace tandem {

namespace {

/// Of the pictures about each one that say how complex it is: the width of the bell curve, as in x264's cplxblur.
constexpr double blur_pictures = 20;
constexpr int blur_reach = 60;

/// What a picture of the pass before takes at other quantisers: what it takes at any, and what falls with them, which
/// is nothing of a picture that is skipped.
class ElasticPicture {
  public:
    ElasticPicture(const PassRecord& record, const OutlookPlan& plan)
        : type_(record.type), before_(static_cast<double>(record.bits)), always_(always_of(record, plan)),
          law_(law_of(record, plan.macroblocks), plan.macroblocks, before_ - always_, record.quantiser) {}

    PictureType type() const { return type_; }
    double always() const { return always_; }
    double elastic(double quantiser) const { return always_ < before_ ? law_.bits(quantiser) : 0; }
    double size() const { return law_.size(); }
    /// By what power of the quantiser so many elastic bits fall.
    double exponent(double bits) const { return law_.exponent(bits); }

  private:
    static double always_of(const PassRecord& record, const OutlookPlan& plan) {
        const auto bits = static_cast<double>(record.bits);
        if (record.type == PictureType::intra)
            return std::min(SizeModel::always(record.type, plan.macroblocks), 0.9 * bits);
        return std::min(bits_of_skipped(plan.macroblocks, plan.rows), bits);
    }
    static PictureType law_of(const PassRecord& record, int macroblocks) {
        return size_law(record.type, static_cast<double>(record.inter), static_cast<double>(record.intra), macroblocks);
    }

    PictureType type_;
    double before_, always_;
    BitsByQuantiser law_;
};

/// How complex each picture is by itself, beside the mean: an I picture says nothing where others do.
std::vector<double> complexities(const std::vector<ElasticPicture>& pictures) {
    const bool any_inter =
        std::ranges::any_of(pictures, [](const ElasticPicture& each) { return each.type() != PictureType::intra; });
    std::array<double, 3> sums{}, counts{};
    for (const ElasticPicture& picture : pictures) {
        sums[index_of(picture.type())] += picture.size();
        counts[index_of(picture.type())] += 1;
    }
    std::vector<double> relative;
    for (const ElasticPicture& picture : pictures) {
        const std::size_t i = index_of(picture.type());
        const bool counted = picture.type() != PictureType::intra || !any_inter;
        relative.push_back(counted ? picture.size() * counts[i] / std::max(sums[i], 1.0) : -1);
    }
    return relative;
}

std::vector<double> blurred(const std::vector<double>& values) {
    std::vector<double> smooth;
    const int count = static_cast<int>(values.size());
    for (int i = 0; i < count; ++i) {
        double sum = 0, weights = 0;
        for (int j = std::max(i - blur_reach, 0); j <= std::min(i + blur_reach, count - 1); ++j) {
            if (values[static_cast<std::size_t>(j)] < 0) continue;
            const double weight = std::exp(-0.5 * (j - i) * (j - i) / (blur_pictures * blur_pictures));
            sum += weight * values[static_cast<std::size_t>(j)];
            weights += weight;
        }
        smooth.push_back(std::max(weights > 0 ? sum / weights : 1, 0.02));
    }
    return smooth;
}

std::vector<ElasticPicture> elastic_pictures(const RateSettings& settings, const OutlookPlan& stream) {
    std::vector<ElasticPicture> pictures;
    for (const PassRecord& record : settings.before)
        pictures.emplace_back(record, stream);
    return pictures;
}

struct PassPlan {
    std::vector<double> quantisers; ///< Of P pictures, by place in coding order.
    std::vector<double> bits;       ///< Expected.
    std::vector<double> elastic;    ///< Of these, what quantisers change: nothing of a picture that is skipped.
};

/// Shares out bits so that the whole keeps the rate and complex parts are quantised as the compression says; with a
/// buffer, so that none of the expected pictures underflows it where quantisers can help that.
class Planner {
  public:
    Planner(const RateSettings& settings, const std::vector<ElasticPicture>& pictures,
            const std::array<double, 3>& type_factors, Rational pictures_per_second)
        : settings_(settings), pictures_(pictures), factors_(type_factors),
          total_(settings.bits_per_second / pictures_per_second.value() * static_cast<double>(settings.before.size())) {
        for (const double complexity : blurred(complexities(pictures_)))
            weights_.push_back(std::pow(complexity, 1 - settings.compression));
    }

    PassPlan plan(const std::optional<VbvDescription>& buffer) {
        settle();
        for (int i = 0; buffer && i < 60 && relieve(*buffer); ++i)
            settle();
        return std::move(plan_);
    }

  private:
    double elastic_of(std::size_t i, double quantiser) const {
        const ElasticPicture& picture = pictures_[i];
        return picture.elastic(std::clamp(quantiser * factors_[index_of(picture.type())], settings_.least_quantiser,
                                          settings_.largest_quantiser));
    }
    /// Finds the one factor of all weights that keeps the total.
    void settle() {
        const auto is_too_fine = [&](double factor) {
            double sum = 0;
            for (std::size_t picture = 0; picture < weights_.size(); ++picture)
                sum += pictures_[picture].always() + elastic_of(picture, factor * weights_[picture]);
            return sum > total_;
        };
        const double factor =
            finest_quantiser(settings_.least_quantiser / 50, settings_.largest_quantiser * 50, 40, is_too_fine);
        plan_ = {};
        for (std::size_t picture = 0; picture < weights_.size(); ++picture) {
            plan_.quantisers.push_back(factor * weights_[picture]);
            plan_.elastic.push_back(elastic_of(picture, plan_.quantisers.back()));
            plan_.bits.push_back(pictures_[picture].always() + plan_.elastic.back());
        }
    }
    /// Makes the pictures coarser that empty the buffer, from where it was full. False where none does.
    bool relieve(const VbvDescription& description) {
        Vbv vbv(description);
        std::size_t full = 0;
        bool changed = false;
        for (std::size_t i = 0; i < plan_.bits.size(); ++i) {
            if (vbv.fullness() >= description.buffer_bits) full = i;
            const double left = static_cast<double>(vbv.fullness()) - plan_.bits[i];
            if (left < 0.05 * static_cast<double>(description.buffer_bits)) {
                for (std::size_t j = full; j <= i; ++j)
                    weights_[j] *= 1.04;
                full = i + 1;
                changed = true;
            }
            vbv.take(std::llround(plan_.bits[i]));
        }
        return changed;
    }

    const RateSettings& settings_;
    const std::vector<ElasticPicture>& pictures_;
    std::array<double, 3> factors_;
    double total_;
    std::vector<double> weights_; ///< Of each picture's quantiser beside the others.
    PassPlan plan_;
};

class PlannedPace final : public Pace {
  public:
    PlannedPace(const RateSettings& settings, const std::array<double, 3>& type_factors, Rational pictures_per_second,
                const OutlookPlan& stream, const std::optional<VbvDescription>& buffer)
        : records_(settings.before), pictures_(elastic_pictures(settings, stream)),
          plan_(Planner(settings, pictures_, type_factors, pictures_per_second).plan(buffer)),
          ahead_(std::accumulate(plan_.elastic.begin(), plan_.elastic.end(), 0.0)),
          mean_bits_(ahead_ / static_cast<double>(plan_.bits.size())) {}

    std::optional<double> first_quantiser() const override { return plan_.quantisers.front(); }
    double quantiser(const PlannedPicture& picture, const PaceView& view) override {
        const auto at = static_cast<std::size_t>(view.pictures);
        check(picture, at);
        const double surplus = known_ + std::accumulate(in_flight_.begin(), in_flight_.end(), 0.0) - expected_;
        // A surplus is made up for over all that is left, so that no scene pays for another; the rate has to be right
        // at the end alone.
        const double share = std::clamp((ahead_ - surplus) / ahead_, 0.4, 2.0), wanted = share / bias();
        in_flight_.push_back(plan_.bits[at] + (share - 1) * plan_.elastic[at]);
        expected_ += plan_.bits[at];
        ahead_ = std::max(ahead_ - plan_.elastic[at], plan_.bits.back());
        return plan_.quantisers[at] / std::pow(wanted, 1 / exponent(at));
    }

    void coded(PictureType /*type*/, double quantiser, double bits) override {
        const std::size_t at = coded_++;
        in_flight_.pop_front();
        known_ += bits;
        const double elastic = bits - pictures_[at].always();
        if (plan_.elastic[at] == 0 && elastic <= 0) return;
        taken_ = keep * taken_ + std::max(elastic, 0.0);
        foreseen_ = keep * foreseen_ + pictures_[at].elastic(quantiser);
    }

  private:
    static constexpr double keep = 0.99;
    /// By what power of P pictures' quantisers the elastic bits about a picture fall.
    double exponent(std::size_t at) const {
        const double own = pictures_[at].exponent(plan_.elastic[at]) / SizeModel::exponent(records_[at].type);
        return own * SizeModel::exponent(PictureType::predicted);
    }
    /// What pictures take beside what was expected of them, of elastic bits. At first so many as the memory holds count
    /// as foreseen rightly.
    double bias() const {
        const double trusted = std::pow(keep, static_cast<double>(coded_)) / (1 - keep) * mean_bits_;
        return std::clamp((taken_ + trusted) / (foreseen_ + trusted), 0.5, 2.0);
    }
    void check(const PlannedPicture& picture, std::size_t at) const {
        if (at >= records_.size()) {
            throw InputError("the pass before had " + std::to_string(records_.size()) +
                             " pictures, and now there are more");
        }
        const PassRecord& record = records_[at];
        if (record.display_index == picture.display_index && record.type == picture.type) return;
        throw InputError("picture " + std::to_string(at) +
                         " in coding order is not the one of the pass before: " + "then it was number " +
                         std::to_string(record.display_index) + " on display, now it is number " +
                         std::to_string(picture.display_index) + ", or its type is another");
    }

    std::vector<PassRecord> records_;
    std::vector<ElasticPicture> pictures_;
    PassPlan plan_;
    double ahead_;     ///< Elastic bits of the pictures that are still to be planned.
    double mean_bits_; ///< Elastic ones of the pictures.
    std::size_t coded_ = 0;
    double expected_ = 0;          ///< Of all pictures planned so far.
    double known_ = 0;             ///< Bits of those that are coded.
    std::deque<double> in_flight_; ///< What the others are to take.
    double taken_ = 0, foreseen_ = 0;
};

} // namespace

std::unique_ptr<Pace> make_planned_pace(const RateSettings& settings, const std::array<double, 3>& type_factors,
                                        Rational pictures_per_second, const OutlookPlan& stream,
                                        const std::optional<VbvDescription>& buffer) {
    return std::make_unique<PlannedPace>(settings, type_factors, pictures_per_second, stream, buffer);
}

} // namespace tandem
