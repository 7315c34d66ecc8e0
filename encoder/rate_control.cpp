// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/rate_control.h"

#include <algorithm>
#include <cmath>

#include "encoder/motion_ahead.h"

namespace tandem {

namespace {

class ConstantQuantiser : public RateControl {
  public:
    explicit ConstantQuantiser(const Settings& settings) : settings_(settings) {}
    bool wants_costs() const override { return false; }
    int delay() const override { return -1; }
    Quality plan(const PlannedPicture& picture, const PictureCosts&) override {
        if (picture.importance) return quality_by_importance(settings_.qp, picture.type, *picture.importance);
        return {static_cast<double>(quantiser_code(settings_, picture.type)), {}};
    }
    std::optional<Quality> accept(const PlannedPicture&, const Quality&, const PictureBits&) override { return {}; }
    void coded(const PlannedPicture&, const Quality&, std::uint64_t) override {}

  private:
    const Settings settings_;
};

} // namespace

Quality quality_by_importance(double quantiser, PictureType type, const Importance& importance) {
    // Streams are then about as large as with the fixed factors; B pictures are best somewhat coarser: docs/plan.md.
    const double coarsest = (type == PictureType::bidirectional ? 1.61 : 1.4) * quantiser;
    Quality quality;
    double sum = 0;
    for (const float factor : importance.factor)
        sum += static_cast<double>(factor);
    quality.quantiser = std::clamp(coarsest * sum / static_cast<double>(importance.factor.size()), 1.0, 31.0);
    for (const float factor : importance.factor)
        quality.offsets.push_back(static_cast<float>(coarsest * static_cast<double>(factor) - quality.quantiser));
    quality.residual = importance.residual;
    return quality;
}

std::unique_ptr<RateControl> make_constant_quantiser(const Settings& settings) {
    return std::make_unique<ConstantQuantiser>(settings);
}

} // namespace tandem
