// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/rate/pace/pace.h"

#include <algorithm>
#include <cmath>

namespace tandem {

namespace {

/// The quantiser of quality 23 where a macroblock of usual video has the usual complexity.
constexpr double middle_quantiser = 5, middle_quality = 23, usual_complexity = 900;

class ConstantPace final : public Pace {
  public:
    explicit ConstantPace(double quantiser) : quantiser_(quantiser) {}
    std::optional<double> first_quantiser() const override { return quantiser_; }
    double quantiser(const PlannedPicture&, const PaceView&) override { return quantiser_; }

  private:
    double quantiser_;
};

class QualityPace final : public Pace {
  public:
    explicit QualityPace(const RateSettings& settings)
        : quantiser_(usual_quantiser(settings.quality.value())), exponent_(1 - settings.compression) {}
    std::optional<double> first_quantiser() const override { return quantiser_; }
    double quantiser(const PlannedPicture&, const PaceView& view) override {
        const double complexity = std::clamp(view.outlook.complexity() / usual_complexity, 0.125, 8.0);
        return quantiser_ * std::pow(complexity, exponent_);
    }

  private:
    double quantiser_, exponent_;
};

/// Pictures of the types that are usual, as `like` has their costs.
double mean_bits_of(const PaceView& view, const Outlook& like, double quantiser) {
    double bits = 0;
    for (const PictureType type : picture_types)
        bits += view.outlook.share(type) * view.bits({type, like.cost(type), type}, quantiser);
    return bits;
}

} // namespace

double usual_quantiser(double quality) { return middle_quantiser * std::exp2((quality - middle_quality) / 6); }

double mean_bits(const PaceView& view, double quantiser) { return mean_bits_of(view, view.outlook, quantiser); }

double mean_bits_ahead(const PaceView& view, double quantiser) {
    const auto pictures = view.foresight.pictures();
    if (pictures.empty()) return mean_bits_of(view, view.latest, quantiser);
    double bits = 0;
    for (const ExpectedPicture& each : pictures)
        bits += view.bits(each, quantiser);
    return bits / static_cast<double>(pictures.size());
}

std::unique_ptr<Pace> make_constant_pace(double quantiser) { return std::make_unique<ConstantPace>(quantiser); }

std::unique_ptr<Pace> make_quality_pace(const RateSettings& settings) {
    return std::make_unique<QualityPace>(settings);
}

} // namespace tandem
