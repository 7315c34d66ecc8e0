// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/rate_control.h"

#include <algorithm>
#include <cmath>

#include "coding/mpeg/quantiser/quantiser_scale.h"
#include "encoder/pictures/motion_ahead.h"

namespace tandem {

namespace {

class ConstantQuantiser : public RateControl {
  public:
    explicit ConstantQuantiser(const Settings& settings) : settings_(settings), limits_{quantiser(1), quantiser(31)} {}
    bool wants_costs() const override { return false; }
    int delay() const override { return -1; }
    std::optional<double> likely_quantiser() const override { return quantiser(settings_.qp); }
    Quality plan(const PlannedPicture& picture, const PictureCosts&) override {
        return spread_quality(picture, {quantiser(settings_.qp), quantiser(quantiser_code(settings_, picture.type))},
                              limits_);
    }
    std::optional<Quality> accept(const PlannedPicture&, const Quality&, const PictureBits&) override { return {}; }
    void coded(const PlannedPicture&, const Quality&, std::uint64_t, std::uint64_t) override {}

  private:
    double quantiser(int code) const { return quantiser_of_code(code, settings_.non_linear_quantiser); }

    const Settings settings_;
    const QuantiserLimits limits_;
};

/// What each macroblock's quantiser is multiplied by.
std::vector<float> factors_of(const PlannedPicture& picture) {
    std::vector<float> factors = picture.importance ? picture.importance->factor : picture.adaptive->factor;
    if (!picture.importance || !picture.adaptive) return factors;
    for (std::size_t i = 0; i < factors.size(); ++i)
        factors[i] *= picture.adaptive->factor[i];
    return factors;
}

} // namespace

Quality spread_quality(const PlannedPicture& picture, const EvenQuantisers& even, QuantiserLimits limits) {
    if (!picture.importance && !picture.adaptive) return {even.own, {}};
    // Streams are then about as large as with the fixed factors; B pictures are best somewhat coarser: docs/plan.md.
    const double of_the_least = (picture.type == PictureType::bidirectional ? 1.61 : 1.4) * even.of_p_pictures;
    const double quantiser = picture.importance ? of_the_least : even.own;
    const std::vector<float> factors = factors_of(picture);
    double sum = 0;
    for (const float factor : factors)
        sum += static_cast<double>(factor);
    Quality quality;
    quality.even = even.own;
    quality.quantiser = std::clamp(quantiser * sum / static_cast<double>(factors.size()), limits.least, limits.largest);
    for (const float factor : factors)
        quality.offsets.push_back(static_cast<float>(quantiser * static_cast<double>(factor) - quality.quantiser));
    quality.residual = picture.importance ? picture.importance->residual : picture.adaptive->residual;
    return quality;
}

std::unique_ptr<RateControl> make_constant_quantiser(const Settings& settings) {
    return std::make_unique<ConstantQuantiser>(settings);
}

} // namespace tandem
