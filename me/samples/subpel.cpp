// SPDX-License-Identifier: BSD-2-Clause
#include "me/samples/subpel.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <stdexcept>

#include "me/block.h"
#include "me/null_rules.h"
#include "me/rates.h"
#include "me/search/block_search.h"
#include "video/fetch_lines.h"

namespace tandem {

namespace {

/// Of a MeasuredRing, from the whole vector on.
constexpr auto places_of_ring = [] {
    std::array<Mv, MeasuredRing::positions> places;
    for (int i = 0; i < static_cast<int>(places.size()); ++i)
        places[static_cast<std::size_t>(i)] = {static_cast<std::int16_t>((i % 3 - 1) * eighths_per_half_pel),
                                               static_cast<std::int16_t>((i / 3 - 1) * eighths_per_half_pel)};
    return places;
}();

constexpr std::array<Mv, 8> neighbours{{{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}}};

/// What the refinements of all blocks have in common.
struct Refinement {
    PlaneView current;
    const SubpelPlanes& reference;
    const SearchParams& params;
    const ChromaPair* chroma;
    VectorLimits limits;
    Rates rates{params.lambda_q8};
    const DistortionKernels& kernels = distortion_kernels();
    PlaneView whole = reference.plane(0, 0);
    int border = params.boundary == Boundary::padded ? reference.border() : 0;
    int step = eighths_per_pel / params.precision;               ///< Of the finest grid.
    bool has_planes = reference.precision() >= params.precision; ///< Else SADs of 16x16 samples at half pels are all
                                                                 ///< that is asked for.
    /// Whether refining a whole vector is measuring the half pels about it, and nothing else.
    bool is_of_rings = params.precision == 2 && params.grid == 1 && chroma == nullptr;
};

/// One block's refinement: the positions it may look at and how it measures them.
class BlockRefinement {
  public:
    BlockRefinement(const Refinement& all, const BlockRect& block, Mv predictor, MeasuredRing& ring)
        : all_(all), current_(all.current.row(block.y) + block.x), block_(block), predictor_(predictor), ring_(ring),
          allowed_(allowed_eighths(block, all.whole.width, all.whole.height, all.border)) {}

    /// Inside what the boundary allows and on the grid.
    bool allows(Mv mv) const { return allowed_.contains(mv.x, mv.y) && ((mv.x | mv.y) & (all_.step - 1)) == 0; }

    Candidate measure(Mv mv) {
        ++evaluated_;
        const std::uint32_t distortion = distortion_at(mv) + chroma_distortion(mv);
        return {mv, distortion, cost_of(distortion, mv, predictor_, all_.params.lambda_q8, all_.params.rate_unit)};
    }

    /// Positions measured so far.
    std::uint64_t evaluated() const { return evaluated_; }
    /// Counts one that need not be measured.
    void count_one() { ++evaluated_; }

    /// Offers the best position reached from each of the candidates that are allowed.
    void refine_all(std::span<const Candidate> candidates, CandidateList& list) {
        for (const Candidate& candidate : candidates) {
            if (!has_vector(candidate) || !allows(candidate.mv)) continue;
            list.offer(best_from(candidate.mv));
        }
    }

    /// The best position reached from a vector that is allowed.
    Candidate best_from(Mv start) { return is_one_ring(start) ? best_of_ring(start) : refine(start); }

  private:
    /// The first ring is measured together with its middle.
    Candidate refine(Mv start) {
        Candidate best;
        best.mv = start;
        int step = eighths_per_half_pel / all_.params.grid;
        do {
            best = best_around(best, step);
            step /= 2;
        } while (step >= all_.step);
        return best;
    }

    /// Whether refining it is measuring all half pels about a whole vector, and nothing else.
    bool is_one_ring(Mv mv) const {
        constexpr int step = eighths_per_half_pel;
        return all_.is_of_rings && (mv.x | mv.y) % eighths_per_pel == 0 &&
               allowed_.contains(mv.x - step, mv.y - step) && allowed_.contains(mv.x + step, mv.y + step);
    }

    /// The best of a whole vector and the half pels about it.
    Candidate best_of_ring(Mv centre) {
        std::array<std::uint32_t, MeasuredRing::positions>& distortions = ring_.about(centre);
        const std::uint32_t centre_rate = rate(centre);
        unsigned good = measure_ring(centre, centre_rate - all_.rates.least(), distortions);
        evaluated_ += MeasuredRing::positions;
        Candidate best = at_rate(centre, distortions[middle], centre_rate);
        for (; good != 0; good &= good - 1) {
            const auto i = static_cast<std::size_t>(std::countr_zero(good));
            const Mv offset = places_of_ring[i];
            const Mv mv{static_cast<std::int16_t>(centre.x + offset.x), static_cast<std::int16_t>(centre.y + offset.y)};
            const Candidate half_pel = at_rate(mv, distortions[i], rate(mv));
            if (better(half_pel.cost, half_pel.mv, best.cost, best.mv)) best = half_pel;
        }
        return best;
    }
    std::uint32_t rate(Mv mv) const { return all_.rates.of(vector_bits(mv, predictor_, all_.params.rate_unit)); }
    static Candidate at_rate(Mv mv, std::uint32_t distortion, std::uint32_t rate) {
        return {mv, distortion, cost_of(distortion, rate)};
    }

    /// A whole vector and the half pels about it, row by row. Returns a bit for each half pel that differs by no more
    /// than the whole vector and `more`.
    unsigned measure_ring(Mv centre, std::uint32_t more,
                          std::array<std::uint32_t, MeasuredRing::positions>& distortions) const {
        const SearchParams& params = all_.params;
        if (params.metric == Metric::sad && params.interpolation == Interpolation::bilinear && block_.width == 16 &&
            block_.height == 16)
            return all_.kernels.half_pel_sads(current_, all_.current.stride,
                                              all_.reference.at(block_.x, block_.y, centre), all_.reference.stride(),
                                              more, distortions.data());
        const int x = block_.x + centre.x / eighths_per_pel, y = block_.y + centre.y / eighths_per_pel;
        const std::ptrdiff_t stride = all_.reference.stride();
        const auto at = [&](int right, int below) { return &all_.reference.plane(right, below).at(x, y); };
        const std::uint8_t *right = at(1, 0), *below = at(0, 1), *both = at(1, 1);
        const std::array<const std::uint8_t*, 9> addresses{
            both - stride - 1, below - stride, both - stride, right - 1, at(0, 0), right, both - 1, below, both};
        all_.kernels.many(params.metric, current_, all_.current.stride, addresses.data(), stride, block_.width,
                          block_.height, static_cast<int>(addresses.size()), distortions.data());
        const std::uint64_t most = std::uint64_t{distortions[middle]} + more;
        unsigned good = 0; // Without a branch: none could be foretold.
        for (std::size_t i = 0; i < distortions.size(); ++i)
            good |= static_cast<unsigned>(distortions[i] <= most) << i;
        return good & ~(1U << middle);
    }

    /// The better of the centre and its neighbours; a centre without a cost is measured too.
    Candidate best_around(const Candidate& centre, int step) {
        std::array<Mv, 9> tried;
        std::size_t count = 0;
        if (centre.cost == UINT32_MAX) tried[count++] = centre.mv;
        for (const Mv& offset : neighbours) {
            const int x = centre.mv.x + offset.x * step;
            const int y = centre.mv.y + offset.y * step;
            if (step < all_.step || !allowed_.contains(x, y)) continue;
            tried[count++] = {static_cast<std::int16_t>(x), static_cast<std::int16_t>(y)};
        }
        std::array<std::uint32_t, 9> distortions;
        measure_many(std::span(tried).first(count), distortions.data());
        Candidate best = centre;
        for (std::size_t i = 0; i < count; ++i) {
            if (distortions[i] > best.cost) continue; // Most are: no rate need be known.
            const std::uint32_t distortion = distortions[i] + chroma_distortion(tried[i]);
            const std::uint32_t cost =
                cost_of(distortion, tried[i], predictor_, all_.params.lambda_q8, all_.params.rate_unit);
            if (better(cost, tried[i], best.cost, best.mv)) best = {tried[i], distortion, cost};
        }
        return best;
    }

    std::uint32_t chroma_distortion(Mv mv) const {
        return all_.chroma ? all_.chroma->distortion(all_.kernels.of(all_.params.metric), block_, mv) : 0;
    }

    void measure_many(std::span<const Mv> vectors, std::uint32_t* distortions) {
        evaluated_ += vectors.size();
        distortions_at(vectors, distortions);
    }

    /// Of luma alone, as the next one.
    std::uint32_t distortion_at(Mv mv) const {
        if (!all_.has_planes) {
            const HalfPelPlace place = half_pel_place(all_.whole, block_.x, block_.y, mv);
            return all_.kernels.half_pel_sad(current_, all_.current.stride, place.samples, all_.whole.stride,
                                             place.half_x, place.half_y);
        }
        return all_.kernels.of(all_.params.metric)(current_, all_.current.stride,
                                                   all_.reference.at(block_.x, block_.y, mv), all_.reference.stride(),
                                                   block_.width, block_.height);
    }

    /// At most 9.
    void distortions_at(std::span<const Mv> vectors, std::uint32_t* distortions) const {
        if (!all_.has_planes) {
            for (const Mv& mv : vectors)
                *distortions++ = distortion_at(mv);
            return;
        }
        std::array<const std::uint8_t*, 9> addresses;
        for (std::size_t i = 0; i < vectors.size(); ++i)
            addresses[i] = all_.reference.at(block_.x, block_.y, vectors[i]);
        all_.kernels.many(all_.params.metric, current_, all_.current.stride, addresses.data(), all_.reference.stride(),
                          block_.width, block_.height, static_cast<int>(vectors.size()), distortions);
    }

    static constexpr std::size_t middle = MeasuredRing::positions / 2;

    const Refinement& all_;
    const std::uint8_t* current_;
    BlockRect block_;
    Mv predictor_;
    MeasuredRing& ring_;
    Window allowed_;
    std::uint64_t evaluated_ = 0;
};

/// The same as refine_block() for the only candidate of a block where zero does not win over better vectors that were
/// measured: then zero, which takes part in every refinement and is counted, needs measuring only where there is no
/// candidate, or where it may be kept unsearched.
std::uint64_t refine_alone(BlockRefinement& refinement, const SearchParams& params, const BlockRect& block,
                           Candidate& candidate) {
    const bool has_start = has_vector(candidate) && refinement.allows(candidate.mv);
    if (has_start && !may_settle_for_zero(params)) {
        candidate = refinement.best_from(candidate.mv);
        refinement.count_one();
        return refinement.evaluated();
    }
    const Candidate zero = refinement.measure({});
    const bool is_settled = settles_for_zero(params, zero.distortion, block.samples());
    candidate = has_start && !is_settled ? refinement.best_from(candidate.mv) : zero;
    return refinement.evaluated();
}

/// How many positions were measured.
std::uint64_t refine_block(const Refinement& all, const BlockRect& block, Mv predictor, std::span<Candidate> slots,
                           MeasuredRing& ring) {
    const SearchParams& params = all.params;
    BlockRefinement refinement(all, block, predictor, ring);
    if (slots.size() == 1 && predictor == Mv{} && params.null_gain == 0)
        return refine_alone(refinement, params, block, slots.front());
    CandidateList list(static_cast<int>(slots.size()));
    const Candidate zero = refinement.measure({});
    ForcedCandidates forced;
    forced.add(zero);
    if (settles_for_zero(params, zero.distortion, block.samples())) {
        list.offer(zero);
        list.store(slots);
        return refinement.evaluated();
    }
    const bool in_range = std::abs(predictor.x) <= eighths_per_pel * all.limits.x &&
                          std::abs(predictor.y) <= eighths_per_pel * all.limits.y;
    if (predictor != Mv{} && in_range && refinement.allows(predictor)) forced.add(refinement.measure(predictor));
    refinement.refine_all(slots, list);
    if (list.empty()) list.offer(zero);
    store_block(params, block, zero, forced, list, slots);
    return refinement.evaluated();
}

/// Asks for samples a line of the cache further to the right: the current picture's, and those of all planes where the
/// block's best vector leads, as its neighbours' mostly do.
void fetch_ahead(PlaneView current, const SubpelPlanes& reference, const BlockRect& block, Mv mv) {
    constexpr int ahead = 64;
    fetch_lines(current.row(block.y) + block.x + ahead, current.stride, block.width, block.height);
    const int x = block.x + mv.x / eighths_per_pel + ahead, y = block.y + mv.y / eighths_per_pel;
    for (int plane = 0; plane < reference.precision() * reference.precision(); ++plane) {
        const PlaneView view = reference.plane(plane % reference.precision(), plane / reference.precision());
        fetch_lines(view.data + y * view.stride + x, view.stride, block.width, block.height);
    }
}

/// Whether half pels can be made as they are asked for.
bool needs_no_planes(const SearchParams& params, const MotionField& field) {
    return params.precision == 2 && params.interpolation == Interpolation::bilinear && params.metric == Metric::sad &&
           field.block_width() == 16 && field.block_height() == 16 && field.picture_width() % 16 == 0 &&
           field.picture_height() % 16 == 0;
}

} // namespace

void refine_subpel(PlaneView current, const SubpelPlanes& reference, const SearchParams& params,
                   const MotionField* hint, int first_row, int end_row, MotionField& field, const ChromaPair* chroma,
                   std::span<MeasuredRing> rings) {
    if (reference.precision() < params.precision && !needs_no_planes(params, field))
        throw std::invalid_argument("half pels without planes are bilinear ones for SADs of whole blocks of 16x16");
    const Refinement all{current, reference, params, chroma,
                         vector_limits(params, field.picture_width(), field.picture_height())};
    MeasuredRing nobodys;
    for (int row = first_row; row < end_row; ++row) {
        for (int column = 0; column < field.columns(); ++column) {
            const BlockRect block = block_rect(field, column, row);
            MeasuredRing& ring =
                rings.empty() ? nobodys : rings[static_cast<std::size_t>(row * field.columns() + column)];
            ring.clear();
            fetch_ahead(current, reference, block, field.best(column, row).mv);
            field.add_evaluated(
                row, refine_block(all, block, predictor_of(params, hint, column, row), field.block(column, row), ring));
        }
    }
}

} // namespace tandem
