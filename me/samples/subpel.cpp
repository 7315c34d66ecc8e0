// SPDX-License-Identifier: BSD-2-Clause
#include "me/samples/subpel.h"

#include <cstdlib>

#include "me/block.h"
#include "me/null_rules.h"
#include "me/search/block_search.h"

namespace tandem {

namespace {

constexpr std::array<Mv, 8> neighbours{{{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}}};

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

/// How many positions were measured.
std::uint64_t refine_block(PlaneView current, const SubpelPlanes& reference, const SearchParams& params,
                           const VectorLimits& limits, const BlockRect& block, Mv predictor, const ChromaPair* chroma,
                           std::span<Candidate> slots) {
    BlockRefinement refinement(current, reference, params, block, predictor, chroma);
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
    for (const Candidate& candidate : slots) {
        if (!has_vector(candidate) || !refinement.allows(candidate.mv)) continue;
        list.offer(refinement.refine(candidate.mv));
    }
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
