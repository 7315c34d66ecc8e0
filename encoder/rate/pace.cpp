// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/rate/pace.h"

#include <algorithm>
#include <cmath>

namespace tandem {

namespace {

/// The quantiser of quality 23 where a macroblock of usual video has the usual complexity.
constexpr double middle_quantiser = 5, middle_quality = 23, usual_complexity = 900;

class ConstantPace final : public Pace {
  public:
    explicit ConstantPace(double quantiser) : quantiser_(quantiser) {}
    double quantiser(const PlannedPicture&, const PaceView&) override { return quantiser_; }

  private:
    double quantiser_;
};

class QualityPace final : public Pace {
  public:
    explicit QualityPace(const RateSettings& settings)
        : quantiser_(usual_quantiser(settings.quality)), exponent_(1 - settings.compression) {}
    double quantiser(const PlannedPicture&, const PaceView& view) override {
        const double complexity = std::clamp(view.outlook.complexity() / usual_complexity, 0.125, 8.0);
        return quantiser_ * std::pow(complexity, exponent_);
    }

  private:
    double quantiser_, exponent_;
};

/// The quantiser at which what comes keeps the rate, by the model of sizes that is learnt on the way, and what was
/// spent too much or too little is made up for within a few seconds.
class AveragePace final : public Pace {
  public:
    AveragePace(const RateSettings& settings, Rational pictures_per_second)
        : per_picture_(settings.bits_per_second / pictures_per_second.value()),
          window_(seconds_to_make_up * settings.tolerance * settings.bits_per_second),
          exponent_(1 - settings.compression), least_(settings.least_quantiser), most_(settings.largest_quantiser) {}

    double quantiser(const PlannedPicture& picture, const PaceView& view) override {
        const double debt = view.spent - per_picture_ * static_cast<double>(view.pictures) - still_to_come(view);
        const double target = per_picture_ * std::clamp(1 - debt / window_, 0.3, 2.0);
        const double even = quantiser_for(view, target);
        if (picture.type == PictureType::intra) lend(view, even);
        return even * std::pow(view.outlook.swing(), exponent_);
    }

  private:
    static constexpr double seconds_to_make_up = 1.5;

    double quantiser_for(const PaceView& view, double target) const {
        double low = least_ / 4, high = most_ * 4;
        for (int i = 0; i < 30; ++i) {
            const double middle = std::sqrt(low * high);
            (mean_bits(view, middle) > target ? low : high) = middle;
        }
        return high;
    }
    /// An I picture takes more than a picture's share; what it takes is spread over the pictures up to the next one.
    void lend(const PaceView& view, double quantiser) {
        const std::size_t i = index_of(PictureType::intra);
        const double bits = view.model.bits(PictureType::intra, view.outlook.cost(PictureType::intra),
                                            quantiser * view.type_factors[i]);
        lent_ = std::max(bits - mean_bits(view, quantiser), 0.0);
    }
    double still_to_come(const PaceView& view) const {
        const Outlook& outlook = view.outlook;
        const double rest = 1 - (outlook.since_intra() - 1.0) / std::max(outlook.plan().keyint, 1);
        // At an I picture its predecessor's is paid back.
        return outlook.since_intra() == 1 ? 0 : lent_ * std::max(rest, 0.0);
    }

    double per_picture_, window_, exponent_, least_, most_;
    double lent_ = 0;
};

} // namespace

double usual_quantiser(double quality) { return middle_quantiser * std::exp2((quality - middle_quality) / 6); }

double mean_bits(const PaceView& view, double quantiser) {
    double bits = 0;
    for (const PictureType type : picture_types) {
        const double factor = view.type_factors[index_of(type)];
        bits += view.outlook.share(type) * view.model.bits(type, view.outlook.cost(type), quantiser * factor);
    }
    return bits;
}

std::unique_ptr<Pace> make_constant_pace(double quantiser) { return std::make_unique<ConstantPace>(quantiser); }

std::unique_ptr<Pace> make_quality_pace(const RateSettings& settings) {
    return std::make_unique<QualityPace>(settings);
}

std::unique_ptr<Pace> make_average_pace(const RateSettings& settings, Rational pictures_per_second) {
    return std::make_unique<AveragePace>(settings, pictures_per_second);
}

} // namespace tandem
