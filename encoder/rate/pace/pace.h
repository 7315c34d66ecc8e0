// SPDX-License-Identifier: BSD-2-Clause
// How fast bits are spent: the quantiser before limits, types and buffers have their say.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>

#include "encoder/pictures/picture_order.h"
#include "encoder/rate/outlook.h"
#include "encoder/rate/pace/foresight.h"
#include "encoder/rate/rate_settings.h"
#include "encoder/rate_control.h"

namespace tandem {

/// What a pace may know when a picture is planned.
struct PaceView {
    const Outlook& outlook; ///< The picture at hand included.
    const Outlook& latest;  ///< The same with a memory of a few pictures.
    const SizeModel& model;
    const Foresight& foresight;
    std::int64_t pictures = 0;                   ///< Before this one.
    double spent = 0;                            ///< Bits of these: those not known yet as the model foresees them.
    std::array<double, 3> type_factors{1, 1, 1}; ///< A type's quantiser beside that of P pictures.
    QuantiserLimits limits{};

    /// What a picture of a type has at a quantiser of P pictures.
    double own_quantiser(PictureType type, double quantiser) const {
        return std::clamp(quantiser * type_factors[index_of(type)], limits.least, limits.largest);
    }
    /// What a picture is expected to take at a quantiser of P pictures.
    double bits(const ExpectedPicture& picture, double quantiser) const {
        return model.bits(picture.law, picture.cost, own_quantiser(picture.type, quantiser));
    }
};

/// The bits that a picture takes on average at a quantiser of P pictures, the types coming as they do.
double mean_bits(const PaceView& view, double quantiser);
/// The same of the pictures that are held back; where none are, of pictures like the latest.
double mean_bits_ahead(const PaceView& view, double quantiser);

class Pace {
  public:
    virtual ~Pace() = default;
    /// What quantiser() will say first, more or less; nothing: that hangs on the pictures.
    virtual std::optional<double> first_quantiser() const { return std::nullopt; }
    /// The quantiser that a P picture would have here, in the codec's unit and yet without limits.
    virtual double quantiser(const PlannedPicture& picture, const PaceView& view) = 0;
    /// What a picture took at the quantiser that it had in the end, in coding order.
    virtual void coded(PictureType /*type*/, double /*quantiser*/, double /*bits*/) {}
};

/// Of P pictures of usual video, at a quality (RateSettings::quality).
double usual_quantiser(double quality);

std::unique_ptr<Pace> make_constant_pace(double quantiser);
/// RateMode::quality.
std::unique_ptr<Pace> make_quality_pace(const RateSettings& settings);

} // namespace tandem
