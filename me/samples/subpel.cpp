// SPDX-License-Identifier: BSD-2-Clause
#include "me/samples/subpel.h"

#include <algorithm>
#include <cstdlib>

#include "me/block.h"
#include "me/null_rules.h"
#include "me/search/block_search.h"

namespace tandem {

namespace {

constexpr std::array<Mv, 8> neighbours{{{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}}};

/// The half-pel positions about whole vectors, each measured once however many of the vectors it is about. Positions of
/// a ring count row by row from 0 on; the vector itself is 4.
class HalfPelRings {
  public:
    static constexpr std::size_t positions = 9;

    HalfPelRings(const SubpelPlanes& reference, const BlockRect& block) : stride_(reference.stride()) {
        for (std::size_t plane = 0; plane < 4; ++plane)
            at_zero_[plane] =
                &reference.plane(static_cast<int>(plane % 2), static_cast<int>(plane / 2)).at(block.x, block.y);
    }

    void add(Mv centre) {
        const std::ptrdiff_t to = centre.y / eighths_per_pel * stride_ + centre.x / eighths_per_pel;
        const std::uint8_t* const whole = at_zero_[0] + to;
        const std::uint8_t *const right = at_zero_[1] + to, *const below = at_zero_[2] + to;
        const std::uint8_t* const both = at_zero_[3] + to;
        const std::array<const std::uint8_t*, positions> ring{
            both - stride_ - 1, below - stride_, both - stride_, right - 1, whole, right, both - 1, below, both};
        std::array<std::uint8_t, positions>& places = places_[centres_];
        if (centres_ == 0) {
            places = {0, 1, 2, 3, 4, 5, 6, 7, 8};
            std::copy(ring.begin(), ring.end(), addresses_.begin());
            addresses_count_ = positions;
            centre_[centres_++] = centre;
            return;
        }
        places.fill(unknown);
        for (std::size_t i = 0; i < centres_; ++i)
            share(i, (centre.x - centre_[i].x) / eighths_per_pel, (centre.y - centre_[i].y) / eighths_per_pel, places);
        for (std::size_t i = 0; i < positions; ++i) {
            if (places[i] != unknown) continue;
            places[i] = static_cast<std::uint8_t>(addresses_count_);
            addresses_[addresses_count_++] = ring[i];
        }
        centre_[centres_++] = centre;
    }

    void measure(const DistortionKernels& kernels, Metric metric, PlaneView current, const BlockRect& block) {
        kernels.many(metric, &current.at(block.x, block.y), current.stride, addresses_.data(), stride_, block.width,
                     block.height, static_cast<int>(addresses_count_), distortions_.data());
    }

    std::size_t centres() const { return centres_; }
    Mv centre(std::size_t index) const { return centre_[index]; }
    std::uint32_t distortion(std::size_t index, std::size_t position) const {
        return distortions_[places_[index][position]];
    }

  private:
    static constexpr std::uint8_t unknown = UINT8_MAX;

    /// The places of the positions that a vector has in common with one before it, so many pels away.
    void share(std::size_t before, int x, int y, std::array<std::uint8_t, positions>& places) const {
        if (std::abs(x) > 1 || std::abs(y) > 1) return;
        for (int row = std::max(-1, -1 - 2 * y); row <= std::min(1, 1 - 2 * y); ++row) {
            for (int column = std::max(-1, -1 - 2 * x); column <= std::min(1, 1 - 2 * x); ++column) {
                const int mine = 3 * row + column + 4, theirs = mine + 6 * y + 2 * x;
                places[static_cast<std::size_t>(mine)] = places_[before][static_cast<std::size_t>(theirs)];
            }
        }
    }

    std::ptrdiff_t stride_;
    std::array<const std::uint8_t*, 4> at_zero_;
    std::size_t centres_ = 0, addresses_count_ = 0;
    std::array<Mv, most_candidates> centre_;
    std::array<std::array<std::uint8_t, positions>, most_candidates> places_; ///< Of distortions.
    std::array<const std::uint8_t*, most_candidates * positions> addresses_;
    std::array<std::uint32_t, most_candidates * positions> distortions_;
};

/// One block's refinement: the positions it may look at and how it measures them.
class BlockRefinement {
  public:
    BlockRefinement(PlaneView current, const SubpelPlanes& reference, const SearchParams& params,
                    const BlockRect& block, Mv predictor, const ChromaPair* chroma)
        : current_(current.row(block.y) + block.x), current_stride_(current.stride), reference_(&reference),
          params_(&params), block_(block), predictor_(predictor), step_(eighths_per_pel / params.precision),
          kernels_(&distortion_kernels()), chroma_(chroma) {
        const PlaneView whole = reference.plane(0, 0);
        const int border = params.boundary == Boundary::padded ? reference.border() : 0;
        allowed_ = allowed_eighths(block, whole.width, whole.height, border);
    }

    /// Inside what the boundary allows and on the grid.
    bool allows(Mv mv) const { return allowed_.contains(mv.x, mv.y) && ((mv.x | mv.y) & (step_ - 1)) == 0; }

    Candidate measure(Mv mv) {
        ++evaluated_;
        const std::uint32_t distortion =
            kernels_->of(params_->metric)(current_, current_stride_, reference_->at(block_.x, block_.y, mv),
                                          reference_->stride(), block_.width, block_.height) +
            chroma_distortion(mv);
        return {mv, distortion, cost_of(distortion, mv, predictor_, params_->lambda_q8, params_->rate_unit)};
    }

    /// Positions measured so far.
    std::uint64_t evaluated() const { return evaluated_; }
    /// Counts one that need not be measured.
    void count_one() { ++evaluated_; }

    /// Offers the best position reached from each of the candidates that are allowed.
    void refine_all(std::span<const Candidate> candidates, PlaneView current, CandidateList& list) {
        HalfPelRings rings(*reference_, block_);
        for (const Candidate& candidate : candidates) {
            if (!has_vector(candidate) || !allows(candidate.mv)) continue;
            if (is_one_ring(candidate.mv))
                rings.add(candidate.mv);
            else
                list.offer(refine(candidate.mv));
        }
        if (rings.centres() == 0) return;
        rings.measure(*kernels_, params_->metric, current, block_);
        for (std::size_t i = 0; i < rings.centres(); ++i)
            list.offer(best_of_ring(rings, i));
    }

    /// The best position reached from `start`, which must be allowed. Its first ring is measured together with it.
    Candidate refine(Mv start) {
        Candidate best;
        best.mv = start;
        int step = eighths_per_half_pel / params_->grid;
        do {
            best = best_around(best, step);
            step /= 2;
        } while (step >= step_);
        return best;
    }

  private:
    /// Whether refining it is measuring all half pels about a whole vector, and nothing else.
    bool is_one_ring(Mv mv) const {
        constexpr int step = eighths_per_half_pel;
        return params_->precision == 2 && params_->grid == 1 && chroma_ == nullptr &&
               (mv.x | mv.y) % eighths_per_pel == 0 && allowed_.contains(mv.x - step, mv.y - step) &&
               allowed_.contains(mv.x + step, mv.y + step);
    }

    Candidate best_of_ring(const HalfPelRings& rings, std::size_t index) {
        const Mv centre = rings.centre(index);
        const auto along = [](int from, std::size_t place) {
            return static_cast<std::int16_t>(from + (static_cast<int>(place) - 1) * eighths_per_half_pel);
        };
        std::array<int, 3> bits_x, bits_y;
        for (std::size_t i = 0; i < 3; ++i) {
            bits_x[i] = component_bits(along(centre.x, i) - predictor_.x, params_->rate_unit);
            bits_y[i] = component_bits(along(centre.y, i) - predictor_.y, params_->rate_unit);
        }
        evaluated_ += HalfPelRings::positions;
        Candidate best;
        // The centre is mostly the best: what cannot be better is left without a rate.
        for (const std::size_t i : {4U, 0U, 1U, 2U, 3U, 5U, 6U, 7U, 8U}) {
            const std::uint32_t distortion = rings.distortion(index, i);
            if (distortion > best.cost) continue;
            const std::uint32_t cost = cost_of(distortion, rate_of(bits_x[i % 3] + bits_y[i / 3], params_->lambda_q8));
            if (cost > best.cost) continue;
            const Mv mv{along(centre.x, i % 3), along(centre.y, i / 3)};
            if (better(cost, mv, best.cost, best.mv)) best = {mv, distortion, cost};
        }
        return best;
    }

    /// The better of the centre and its neighbours; a centre without a cost is measured too.
    Candidate best_around(const Candidate& centre, int step) {
        std::array<Mv, 9> tried;
        std::size_t count = 0;
        if (centre.cost == UINT32_MAX) tried[count++] = centre.mv;
        for (const Mv& offset : neighbours) {
            const int x = centre.mv.x + offset.x * step;
            const int y = centre.mv.y + offset.y * step;
            if (step < step_ || !allowed_.contains(x, y)) continue;
            tried[count++] = {static_cast<std::int16_t>(x), static_cast<std::int16_t>(y)};
        }
        std::array<std::uint32_t, 9> distortions;
        measure_many(std::span(tried).first(count), distortions.data());
        Candidate best = centre;
        for (std::size_t i = 0; i < count; ++i) {
            if (distortions[i] > best.cost) continue; // Most are: no rate need be known.
            const std::uint32_t distortion = distortions[i] + chroma_distortion(tried[i]);
            const std::uint32_t cost =
                cost_of(distortion, tried[i], predictor_, params_->lambda_q8, params_->rate_unit);
            if (better(cost, tried[i], best.cost, best.mv)) best = {tried[i], distortion, cost};
        }
        return best;
    }

    std::uint32_t chroma_distortion(Mv mv) const {
        return chroma_ ? chroma_->distortion(kernels_->of(params_->metric), block_, mv) : 0;
    }

    /// Of luma alone.
    void measure_many(std::span<const Mv> vectors, std::uint32_t* distortions) {
        evaluated_ += vectors.size();
        std::array<const std::uint8_t*, 9> addresses;
        for (std::size_t i = 0; i < vectors.size(); ++i)
            addresses[i] = reference_->at(block_.x, block_.y, vectors[i]);
        kernels_->many(params_->metric, current_, current_stride_, addresses.data(), reference_->stride(), block_.width,
                       block_.height, static_cast<int>(vectors.size()), distortions);
    }

    const std::uint8_t* current_;
    std::ptrdiff_t current_stride_;
    const SubpelPlanes* reference_;
    const SearchParams* params_;
    BlockRect block_;
    Mv predictor_;
    int step_;
    const DistortionKernels* kernels_;
    const ChromaPair* chroma_;
    Window allowed_;
    std::uint64_t evaluated_ = 0;
};

/// The same as refine_block() for the only candidate of a block where zero is never preferred: then zero, which takes
/// part in every refinement and is counted, needs measuring where there is no candidate alone.
std::uint64_t refine_alone(BlockRefinement& refinement, PlaneView current, std::span<Candidate> slot) {
    CandidateList list(1);
    refinement.refine_all(slot, current, list);
    if (list.empty())
        list.offer(refinement.measure({}));
    else
        refinement.count_one();
    list.store(slot);
    return refinement.evaluated();
}

/// How many positions were measured.
std::uint64_t refine_block(PlaneView current, const SubpelPlanes& reference, const SearchParams& params,
                           const VectorLimits& limits, const BlockRect& block, Mv predictor, const ChromaPair* chroma,
                           std::span<Candidate> slots) {
    BlockRefinement refinement(current, reference, params, block, predictor, chroma);
    if (slots.size() == 1 && predictor == Mv{} && !prefers_zero(params))
        return refine_alone(refinement, current, slots);
    CandidateList list(static_cast<int>(slots.size()));
    const Candidate zero = refinement.measure({});
    ForcedCandidates forced;
    forced.add(zero);
    if (settles_for_zero(params, zero.distortion, block.samples())) {
        list.offer(zero);
        list.store(slots);
        return refinement.evaluated();
    }
    const bool in_range =
        std::abs(predictor.x) <= eighths_per_pel * limits.x && std::abs(predictor.y) <= eighths_per_pel * limits.y;
    if (predictor != Mv{} && in_range && refinement.allows(predictor)) forced.add(refinement.measure(predictor));
    refinement.refine_all(slots, current, list);
    if (list.empty()) list.offer(zero);
    store_block(params, block, zero, forced, list, slots);
    return refinement.evaluated();
}

} // namespace

void refine_subpel(PlaneView current, const SubpelPlanes& reference, const SearchParams& params,
                   const MotionField* hint, int first_row, int end_row, MotionField& field, const ChromaPair* chroma) {
    const VectorLimits limits = vector_limits(params, field.picture_width(), field.picture_height());
    for (int row = first_row; row < end_row; ++row) {
        for (int column = 0; column < field.columns(); ++column) {
            const std::uint64_t evaluated =
                refine_block(current, reference, params, limits, block_rect(field, column, row),
                             predictor_of(params, hint, column, row), chroma, field.block(column, row));
            field.add_evaluated(row, evaluated);
        }
    }
}

} // namespace tandem
