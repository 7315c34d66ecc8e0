// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/rate/controlled_rate.h"

#include <algorithm>
#include <cmath>
#include <deque>

#include "encoder/rate/buffer_guard.h"
#include "encoder/rate/pace/average_pace.h"
#include "encoder/rate/pace/pace.h"
#include "encoder/rate/pace/planned_pace.h"
#include "encoder/rate/quantiser_search.h"
#include "machine/errors.h"

namespace tandem {

namespace {

/// Enough to meet a cut and the end; more would make more pictures wait.
constexpr int wanted_beforehand = 12;

/// The memory of PaceView::latest.
constexpr double latest_seconds = 0.3;

std::unique_ptr<Pace> make_pace(const RateSettings& settings, const RateStream& stream) {
    if (settings.mode() == RateMode::quantiser) return make_constant_pace(stream.quantiser);
    if (settings.mode() == RateMode::quality) return make_quality_pace(settings);
    if (settings.before.empty()) return make_average_pace(settings, stream.plan);
    return make_planned_pace(settings, stream.type_factors, stream.pictures_per_second, stream.plan,
                             buffer_of(settings, stream));
}

/// Whether macroblocks have quantisers of their own.
bool is_spread(const PlannedPicture& picture) { return picture.importance || picture.adaptive; }

class ControlledRate final : public RateControl {
  public:
    ControlledRate(const RateSettings& settings, const RateStream& stream)
        : settings_(settings), stream_(stream), pace_(make_pace(settings, stream)), outlook_(stream.plan),
          latest_(stream.plan, latest_seconds), model_(stream.plan.macroblocks, stream.plan.rows),
          foresight_(stream.plan.macroblocks) {
        if (const auto first = pace_->first_quantiser()) likely_quantiser_ = within_limits(*first);
        const auto buffer = buffer_of(settings, stream);
        if (!buffer) return;
        const bool spends_all = settings.constant || (settings.mode() == RateMode::average &&
                                                      settings.vbv_bits_per_second <= settings.bits_per_second);
        guard_.emplace(*buffer, settings.largest_quantiser, spends_all);
    }

    Quality plan(const PlannedPicture& picture, const PictureCosts& costs) override;
    std::optional<Quality> accept(const PlannedPicture& picture, const Quality& quality,
                                  const PictureBits& bits) override;
    void coded(const PlannedPicture& picture, const Quality& quality, std::uint64_t bits,
               std::uint64_t stuffing) override;
    bool wants_costs() const override { return true; }
    int wants_foreseen() const override {
        return settings_.mode() == RateMode::average && settings_.before.empty() ? wanted_beforehand : 0;
    }
    int delay() const override { return guard_ ? 0 : settings_.mode() == RateMode::average ? stream_.delay : -1; }
    std::optional<double> likely_quantiser() const override { return likely_quantiser_; }
    const Vbv* constant_buffer() const override { return guard_ && settings_.constant ? &guard_->vbv() : nullptr; }
    std::int64_t underflows() const override { return underflows_; }

  private:
    /// A planned picture whose size is not known yet, or not to be known yet.
    struct InFlight {
        ExpectedPicture picture;
        double foreseen;
        double quantiser; ///< As planned for its type; the mean over macroblocks may be another.
        double bits = 0;  ///< Once it is coded.
        double stuffing = 0;
        bool is_coded = false;
    };
    PaceView view() const;
    void learn(int pictures_not_yet);
    double limited(double quantiser);
    double within_limits(double quantiser) const;
    const GivenPicture* given(const PlannedPicture& picture) const;
    void take(const PlannedPicture& picture, const Quality& quality, std::int64_t bits);
    double zoned(const PlannedPicture& picture, double quantiser) const;
    Quality spread(const PlannedPicture& picture, const EvenQuantisers& even) const;
    Quality with_coarser_rows(const Quality& quality, const PictureBits& bits, const CoarserRows& rows);
    Quality coarser(const PlannedPicture& picture, const Quality& quality, double quantiser);

    RateSettings settings_;
    RateStream stream_;
    std::unique_ptr<Pace> pace_;
    std::optional<BufferGuard> guard_;
    Outlook outlook_, latest_;
    SizeModel model_;
    Foresight foresight_;
    std::deque<InFlight> in_flight_;
    std::size_t in_flight_coded_ = 0;
    std::int64_t planned_ = 0;
    std::int64_t known_again_ = 0;        ///< So many pictures are planned when the first of a surprise is known.
    std::int64_t with_coarser_rows_ = -1; ///< The display index of the last picture that got them.
    std::int64_t underflows_ = 0;
    double spent_ = 0;          ///< By the pictures that are known.
    double last_quantiser_ = 0; ///< Of P pictures, before the buffer had its say; 0: there was none.
    std::optional<double> likely_quantiser_;
};

PaceView ControlledRate::view() const {
    double spent = spent_;
    for (const InFlight& each : in_flight_)
        spent += each.foreseen;
    return {outlook_,
            latest_,
            model_,
            foresight_,
            planned_,
            spent,
            stream_.type_factors,
            {settings_.least_quantiser, settings_.largest_quantiser}};
}

/// Takes in what pictures took, but for the last so many planned ones, however many of these are coded already.
void ControlledRate::learn(int pictures_not_yet) {
    while (in_flight_.size() > static_cast<std::size_t>(pictures_not_yet) && in_flight_.front().is_coded) {
        const InFlight done = in_flight_.front();
        in_flight_.pop_front();
        --in_flight_coded_;
        spent_ += done.bits + done.stuffing;
        model_.learn(done.picture.type, done.picture.cost, done.quantiser, done.bits);
        if (done.picture.law != done.picture.type)
            model_.learn(done.picture.law, done.picture.cost, done.quantiser, done.bits);
        pace_->coded(done.picture.type, done.quantiser, done.bits);
    }
}

/// A quantiser of P pictures that is not too far from the one before, unless the pictures are others; and not finer
/// while nothing is known yet of these.
double ControlledRate::limited(double quantiser) {
    if (last_quantiser_ > 0) {
        const double step = std::exp2(settings_.step / 6);
        const double least = planned_ < known_again_ ? last_quantiser_ : last_quantiser_ / step;
        const double most = outlook_.is_surprised() ? quantiser : last_quantiser_ * step;
        quantiser = std::clamp(quantiser, least, std::max(most, least));
    }
    if (outlook_.is_surprised() && planned_ >= known_again_) known_again_ = planned_ + delay() + 1;
    // Beyond the limits it would take as long to come back.
    last_quantiser_ = std::clamp(quantiser, settings_.least_quantiser / 2, settings_.largest_quantiser * 2);
    return last_quantiser_;
}

double ControlledRate::within_limits(double quantiser) const {
    return rounded_quantiser(std::clamp(quantiser, settings_.least_quantiser, settings_.largest_quantiser));
}

double ControlledRate::zoned(const PlannedPicture& picture, double quantiser) const {
    for (auto zone = settings_.zones.rbegin(); zone != settings_.zones.rend(); ++zone) {
        if (picture.display_index < zone->first || picture.display_index > zone->last) continue;
        return zone->quantiser ? *zone->quantiser : quantiser / zone->bits;
    }
    return quantiser;
}

/// What somebody wants of the picture, if anything. Throws InputError for a type that it does not have.
const GivenPicture* ControlledRate::given(const PlannedPicture& picture) const {
    const auto wish =
        std::lower_bound(settings_.given.begin(), settings_.given.end(), picture.display_index,
                         [](const GivenPicture& each, std::int64_t display) { return each.display_index < display; });
    if (wish == settings_.given.end() || wish->display_index != picture.display_index) return nullptr;
    if (wish->type && *wish->type != picture.type) {
        constexpr std::array<const char*, 3> names{"an I", "a P", "a B"};
        throw InputError("picture " + std::to_string(picture.display_index) + " is given as " +
                         names[index_of(*wish->type)] +
                         " picture; keyint, bframes, closed groups and the stream's "
                         "end allow " +
                         names[index_of(picture.type)] + " picture here");
    }
    return &*wish;
}

/// Over the macroblocks, by what they are worth to later pictures and by their texture.
Quality ControlledRate::spread(const PlannedPicture& picture, const EvenQuantisers& even) const {
    const double least = settings_.least_quantiser, largest = settings_.largest_quantiser;
    Quality quality = spread_quality(picture, even, {least, largest});
    const double mean = rounded_quantiser(std::clamp(quality.quantiser, least, largest));
    for (float& offset : quality.offsets)
        offset = static_cast<float>(std::clamp(quality.quantiser + static_cast<double>(offset), least, largest) - mean);
    quality.quantiser = mean;
    return quality;
}

Quality ControlledRate::plan(const PlannedPicture& picture, const PictureCosts& costs) {
    learn(std::max(delay(), 0));
    outlook_.add(picture.type, costs);
    latest_.add(picture.type, costs);
    const double cost = cost_of(picture.type, costs, stream_.plan.macroblocks);
    const PictureType law = size_law(picture.type, cost, static_cast<double>(costs.intra), stream_.plan.macroblocks);
    const ExpectedPicture expected{picture.type, cost, law};
    foresight_.add(expected, picture.prospect);
    const PaceView now = view();
    double quantiser = zoned(picture, limited(pace_->quantiser(picture, now)));
    if (guard_) quantiser = guard_->bounded(expected, quantiser, now);
    const double of_p_pictures = quantiser;
    likely_quantiser_ = within_limits(of_p_pictures);
    quantiser *= stream_.type_factors[index_of(picture.type)];
    const GivenPicture* wish = given(picture);
    const bool has_wish = wish != nullptr && wish->quantiser;
    if (has_wish) quantiser = *wish->quantiser;
    quantiser = within_limits(quantiser);
    in_flight_.push_back({expected, model_.bits(expected.law, cost, quantiser), quantiser});
    ++planned_;
    if (is_spread(picture) && !has_wish) return spread(picture, {rounded_quantiser(of_p_pictures), quantiser});
    return {quantiser, {}};
}

/// The rows above keep their quantisers.
Quality ControlledRate::with_coarser_rows(const Quality& quality, const PictureBits& bits, const CoarserRows& rows) {
    const auto macroblocks = static_cast<std::size_t>(stream_.plan.macroblocks);
    const std::size_t columns = macroblocks / bits.rows.size();
    Quality again = quality;
    again.offsets.resize(macroblocks, 0);
    double below = 0;
    for (std::size_t row = rows.first; row < bits.rows.size(); ++row)
        below += static_cast<double>(bits.rows[row]);
    for (std::size_t i = rows.first * columns; i < macroblocks; ++i) {
        const double own = quality.quantiser + static_cast<double>(again.offsets[i]);
        // A code more at least, or nothing changes.
        const double wanted = std::min(std::max(own * rows.times, own + 1), settings_.largest_quantiser);
        again.offsets[i] = static_cast<float>(wanted - quality.quantiser);
    }
    const double times = 1 + (rows.times - 1) * below / static_cast<double>(bits.all);
    in_flight_.at(in_flight_coded_).quantiser *= times;
    again.even = quality.even_quantiser() * times;
    return again;
}

Quality ControlledRate::coarser(const PlannedPicture& picture, const Quality& quality, double quantiser) {
    Quality again = quality;
    again.quantiser = std::min(rounded_quantiser(quantiser) + 1 / quantiser_grid, settings_.largest_quantiser);
    const double times = again.quantiser / quality.quantiser;
    again.even = quality.even_quantiser() * times;
    for (float& offset : again.offsets)
        offset = static_cast<float>(static_cast<double>(offset) * times);
    // What single rows lacked is now asked of all; and the coarsest is the same everywhere.
    const bool is_even = !is_spread(picture) || again.quantiser >= settings_.largest_quantiser;
    if (is_even) again.offsets = again.residual = {};
    in_flight_.at(in_flight_coded_).quantiser *= times;
    return again;
}

std::optional<Quality> ControlledRate::accept(const PlannedPicture& picture, const Quality& quality,
                                              const PictureBits& bits) {
    if (!guard_ || quality.quantiser >= settings_.largest_quantiser) return std::nullopt;
    const double limit = guard_->limit(view()), taken = static_cast<double>(bits.all);
    if (taken <= limit) return std::nullopt;
    // Rows get one chance.
    if (with_coarser_rows_ != picture.display_index) {
        if (const auto rows = coarser_rows(picture.type, bits, limit); rows) {
            with_coarser_rows_ = picture.display_index;
            return with_coarser_rows(quality, bits, *rows);
        }
    }
    return coarser(picture, quality, guard_->coarser(picture.type, quality.quantiser, taken, limit));
}

void ControlledRate::coded(const PlannedPicture& picture, const Quality& quality, std::uint64_t bits,
                           std::uint64_t stuffing) {
    InFlight& done = in_flight_.at(in_flight_coded_++);
    done.bits = static_cast<double>(bits);
    done.stuffing = static_cast<double>(stuffing);
    done.is_coded = true;
    if (guard_) take(picture, quality, static_cast<std::int64_t>(bits + stuffing));
}

void ControlledRate::take(const PlannedPicture& picture, const Quality& quality, std::int64_t bits) {
    const std::int64_t there = guard_->vbv().fullness();
    if (guard_->take(bits)) return;
    ++underflows_;
    if (settings_.soft) return;
    throw RunError("picture " + std::to_string(picture.display_index) + " takes " + std::to_string(bits) +
                   " bits at quantiser " + std::to_string(static_cast<int>(std::lround(quality.quantiser))) +
                   ", the coarsest, and a decoder's buffer has " + std::to_string(there) +
                   " at its time: the video needs a higher rate, a larger buffer or --vbv-soft");
}

} // namespace

std::optional<VbvDescription> buffer_of(const RateSettings& settings, const RateStream& stream) {
    if (settings.vbv_bits <= 0) return std::nullopt;
    const auto full = static_cast<double>(stream.declared_buffer_bits);
    return VbvDescription{stream.declared_bits_per_second, stream.declared_buffer_bits,
                          static_cast<std::int64_t>(settings.vbv_initial * full), stream.pictures_per_second,
                          settings.constant};
}

std::unique_ptr<RateControl> make_rate_control(const RateSettings& settings, const RateStream& stream) {
    return std::make_unique<ControlledRate>(settings, stream);
}

} // namespace tandem
