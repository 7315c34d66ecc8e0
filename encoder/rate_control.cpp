// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/rate_control.h"

#include <algorithm>
#include <cstdlib>

#include "encoder/motion_ahead.h"

namespace tandem {

namespace {

class ConstantQuantiser : public RateControl {
  public:
    explicit ConstantQuantiser(const Settings& settings) : settings_(settings) {}
    bool wants_costs() const override { return false; }
    int delay() const override { return -1; }
    Quality plan(const PlannedPicture& picture, const PictureCosts&) override {
        if (picture.importance) return [&]{ Quality q = quality_by_importance(settings_.qp*(picture.type==PictureType::bidirectional?(std::getenv("TBB")?std::atof(std::getenv("TBB")):1.0):1.0), *picture.importance); return q; }();
        return {static_cast<double>(quantiser_code(settings_, picture.type)), {}};
    }
    std::optional<Quality> accept(const PlannedPicture&, const Quality&, std::uint64_t) override { return {}; }
    void coded(const PlannedPicture&, const Quality&, std::uint64_t) override {}

  private:
    const Settings settings_;
};

} // namespace

Quality quality_by_importance(double quantiser, const Importance& importance) {
    // Measured: the mean over a stream is then about the same as with the fixed factors.
    static const double base = std::getenv("TB") ? std::atof(std::getenv("TB")) : 1.4;
    const double coarsest = base * quantiser;
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
