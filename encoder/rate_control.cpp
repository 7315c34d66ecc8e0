// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/rate_control.h"

#include "encoder/motion_ahead.h"

namespace tandem {

namespace {

class ConstantQuantiser : public RateControl {
  public:
    explicit ConstantQuantiser(const Settings& settings) : settings_(settings) {}
    bool wants_costs() const override { return false; }
    int delay() const override { return -1; }
    Quality plan(const PlannedPicture& picture, const PictureCosts&) override {
        return {static_cast<double>(quantiser_code(settings_, picture.type)), {}};
    }
    std::optional<Quality> accept(const PlannedPicture&, const Quality&, std::uint64_t) override { return {}; }
    void coded(const PlannedPicture&, const Quality&, std::uint64_t) override {}

  private:
    const Settings settings_;
};

} // namespace

std::unique_ptr<RateControl> make_constant_quantiser(const Settings& settings) {
    return std::make_unique<ConstantQuantiser>(settings);
}

} // namespace tandem
