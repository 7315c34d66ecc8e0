// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/rate/buffer_guard.h"

#include <algorithm>
#include <cmath>

#include "encoder/rate/quantiser_search.h"

namespace tandem {

namespace {

/// Foreseen pictures leave to what nobody foresees what a cut takes at the coarsest quantiser: an I picture like the
/// one at hand, and from this to that part of the buffer. The one at hand leaves this part of what is there.
constexpr double least_reserve = 0.1, most_reserve = 0.4, left_over = 0.05;
/// What a foreseen picture may take beside what the model says.
constexpr double unforeseen = 1.15;
/// Of what is there, at most so much is kept back for what the pictures behind take at the coarsest quantiser.
constexpr double most_kept_back = 0.8;
/// Pictures that are foreseen, at most.
constexpr int most_foreseen = 64;
/// A picture that is coded again aims at this part of what it may have, and is coarser by this factor at least.
constexpr double aim = 0.93, least_step = 1.05, largest_step = 4;
/// The same where rows from below alone become coarser, which is by less.
constexpr double aim_of_rows = 0.99, largest_step_of_rows = 1.3;

} // namespace

BufferGuard::BufferGuard(const VbvDescription& description, double largest_quantiser, bool spends_all)
    : vbv_(description), largest_(largest_quantiser),
      per_picture_(static_cast<double>(description.bits_per_second) / description.pictures_per_second.value()),
      spends_all_(spends_all) {}

bool BufferGuard::holds(const ExpectedPicture& picture, double quantiser, const std::vector<ExpectedPicture>& next,
                        const PaceView& view) const {
    Vbv vbv = vbv_;
    const double first = view.bits(picture, quantiser);
    if (first > (1 - left_over) * static_cast<double>(vbv.fullness())) return false;
    vbv.take(std::llround(first));
    const auto size = static_cast<double>(vbv.description().buffer_bits);
    const double cut = view.model.bits(PictureType::intra, view.outlook.cost_soon(PictureType::intra), largest_);
    const double reserve = std::clamp(cut, least_reserve * size, most_reserve * size);
    // The reserve may be built up again over half the time that fills the buffer.
    const double pictures_to_reserve = std::max(size / per_picture_ / 2, 1.0);
    double after = 1;
    for (const ExpectedPicture& each : next) {
        if (vbv.fullness() >= vbv.description().buffer_bits)
            return true; // The picture at hand is no matter from here on.
        const double taken = view.bits(each, quantiser);
        const double kept = reserve * std::min(after / pictures_to_reserve, 1.0);
        if (static_cast<double>(vbv.fullness()) - taken < kept) return false;
        vbv.take(std::llround(taken));
        ++after;
    }
    return true;
}

std::vector<ExpectedPicture> BufferGuard::foreseen(const PaceView& view) const {
    const std::span<const ExpectedPicture> known = view.foresight.pictures();
    std::vector<ExpectedPicture> pictures;
    for (std::size_t i = 1; i < std::min<std::size_t>(known.size(), most_foreseen + 1); ++i)
        pictures.push_back(known[i]);
    if (view.foresight.is_to_the_end()) return pictures;
    const int until_intra = std::max(view.outlook.plan().keyint - view.outlook.since_intra(), 0) + 1;
    const std::vector<PictureType> usual = view.outlook.next(std::min(until_intra, most_foreseen));
    const double intra_cost = view.outlook.cost_soon(PictureType::intra);
    for (std::size_t i = pictures.size(); i < usual.size(); ++i) {
        const double cost = view.outlook.cost_soon(usual[i]);
        pictures.push_back({usual[i], cost, size_law(usual[i], cost, intra_cost, view.outlook.plan().macroblocks)});
    }
    return pictures;
}

double BufferGuard::needed_behind(const PaceView& view) const {
    double needed = 0;
    const std::vector<ExpectedPicture> next = foreseen(view);
    for (auto each = next.rbegin(); each != next.rend(); ++each) {
        const double bits = unforeseen * view.model.bits(each->law, each->cost, largest_);
        needed = bits + std::max(needed - per_picture_, 0.0);
    }
    return needed;
}

double BufferGuard::bounded(const ExpectedPicture& picture, double quantiser, const PaceView& view) const {
    const std::vector<ExpectedPicture> next = foreseen(view);
    const auto is_too_fine = [&](double each) { return !holds(picture, each, next, view); };
    if (is_too_fine(quantiser)) return finest_quantiser(quantiser, std::max(largest_ * 2, quantiser), 16, is_too_fine);
    const auto wanted = static_cast<double>(spends_all_ ? vbv_.makes_room() : 0);
    if (wanted <= 0 || view.bits(picture, quantiser) >= wanted) return quantiser;
    const double own = view.model.quantiser(picture.law, picture.cost, wanted);
    return std::min(own / view.type_factors[index_of(picture.type)], quantiser);
}

double BufferGuard::limit(const PaceView& view) const {
    const auto there = static_cast<double>(vbv_.fullness());
    return there - std::clamp(needed_behind(view) - per_picture_, 0.0, most_kept_back * there);
}

double BufferGuard::coarser(PictureType type, double quantiser, double bits_taken, double limit) const {
    const double step = std::pow(bits_taken / std::max(aim * limit, 1.0), 1 / SizeModel::exponent(type));
    return std::min(quantiser * std::clamp(step, least_step, largest_step), largest_);
}

std::optional<CoarserRows> coarser_rows(PictureType type, const PictureBits& bits, double limit) {
    double below = 0;
    for (std::size_t first = bits.rows.size(); first-- > bits.rows.size() / 2;) {
        below += static_cast<double>(bits.rows[first]);
        const double room = aim_of_rows * limit - (static_cast<double>(bits.all) - below);
        if (room <= 0) continue;
        const double times = std::pow(below / room, 1 / SizeModel::exponent(type));
        if (times <= largest_step_of_rows) return CoarserRows{first, times};
    }
    return std::nullopt;
}

} // namespace tandem
