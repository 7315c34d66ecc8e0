// SPDX-License-Identifier: BSD-2-Clause
#include "coding/mpeg/vectors/vector_choice.h"

#include <algorithm>
#include <array>
#include <memory>

#include "bitstream/mpeg/code_length.h"
#include "coding/mpeg/reference.h"
#include "me/kernels/distortion.h"
#include "me/samples/interpolation.h"

namespace tandem {

namespace {

/// The candidates of one macroblock and the best chain that ends in each.
struct Step {
    VectorCandidates candidates;
    std::array<std::uint64_t, VectorCandidates::most> cost;
    std::array<std::uint8_t, VectorCandidates::most> previous;
};

/// What a chain costs with the candidate that it comes from, as one number: the least is the cheapest, of equal ones
/// the first, and is found without a branch, of which none could be foretold.
class Way {
  public:
    Way() = default; ///< Dearer than any.
    Way(std::uint64_t cost, std::size_t from) : key_(cost << from_bits | from) {}
    auto operator<=>(const Way&) const = default;
    std::uint64_t cost() const { return key_ >> from_bits; }
    std::size_t from() const { return key_ & ((1U << from_bits) - 1); }

  private:
    static constexpr int from_bits = 5;
    static_assert(VectorCandidates::most <= 1 << from_bits);
    std::uint64_t key_ = UINT64_MAX;
};

/// The cheapest chain so far and the candidate in which it ends.
Way cheapest_end(const Step& step) {
    Way cheapest;
    for (std::size_t i = 0; i < static_cast<std::size_t>(step.candidates.count); ++i)
        cheapest = std::min(cheapest, Way(step.cost[i], i));
    return cheapest;
}

class Chooser {
  public:
    explicit Chooser(const VectorChoiceInput& input)
        : in_(input), kernels_(distortion_kernels()), vector_bits_(input.f_code),
          largest_rate_(weighted(most_component_bits(input.f_code[0]) + most_component_bits(input.f_code[1]))) {}

    std::uint32_t collect(int column, int row, VectorCandidates& candidates) const;
    void extend(const Step* before, Step& step) const;
    void drop_hopeless(VectorCandidates& candidates) const;

  private:
    Way cheapest_way(const Step& before, Mv mv) const;
    /// Of a vector of the macroblock in this column and row.
    std::uint32_t sad(Mv mv, int column, int row) const {
        if (!in_.rings.empty()) {
            const auto macroblock = static_cast<std::size_t>(row * in_.field->columns() + column);
            if (const std::uint32_t* known = in_.rings[macroblock].at(mv)) return *known;
        }
        const int x = column * 16, y = row * 16;
        const HalfPelPlace place = half_pel_place(in_.reference, x, y, mv);
        return kernels_.half_pel_sad(&in_.current.at(x, y), in_.current.stride, place.samples, in_.reference.stride,
                                     place.half_x, place.half_y);
    }
    /// With more than one candidate the search has measured it.
    std::uint32_t sad_at_zero(std::span<const Candidate> found, int column, int row) const {
        const auto zero =
            std::find_if(found.begin(), found.end(), [](const Candidate& c) { return has_vector(c) && c.mv == Mv{}; });
        return zero != found.end() ? zero->distortion : sad({}, column, row);
    }
    void add_neighbours(int column, int row, VectorCandidates& candidates) const;
    /// In a P picture zero is the "no MC" type without a vector.
    bool is_no_mc(Mv mv) const { return in_.type == PictureType::predicted && mv == Mv{}; }
    /// Weighted bits of macroblock_type and vector.
    std::uint64_t rate(Mv mv, Mv before) const { return weighted(is_no_mc(mv) ? 1 : vector_bits_(mv, before)); }
    std::uint64_t weighted(int bits) const {
        return (static_cast<std::uint64_t>(in_.lambda_q8) * static_cast<std::uint64_t>(bits)) >> 8;
    }
    std::uint64_t largest_gain(Mv mv, Mv other) const;
    static int most_component_bits(int f_code) { return code_length_tables::motion_code.back() + f_code - 1; }

    const VectorChoiceInput& in_;
    const DistortionKernels& kernels_;
    MotionVectorBits vector_bits_;
    std::uint64_t largest_rate_; ///< Of one vector.
};

/// The best vectors of the four neighbours, where they are new.
void Chooser::add_neighbours(int column, int row, VectorCandidates& candidates) const {
    const MotionField& field = *in_.field;
    const int own = candidates.count, x = column * 16, y = row * 16;
    const Candidate* here = field.block(column, row).data();
    const std::ptrdiff_t beside = field.candidates(), below = beside * field.columns();
    const std::array<Mv, 4> vectors{column > 0 ? here[-beside].mv : Mv{}, // Zero is no new one.
                                    column + 1 < field.columns() ? here[beside].mv : Mv{},
                                    row > 0 ? here[-below].mv : Mv{}, row + 1 < field.rows() ? here[below].mv : Mv{}};
#pragma GCC unroll 4
    for (std::size_t side = 0; side < vectors.size(); ++side) {
        const Mv mv = vectors[side];
        bool is_new = inside_picture(mv, x, y, in_.current.width, in_.current.height);
        is_new &= !candidates.holds(mv, own);
#pragma GCC unroll 3
        for (std::size_t before = 0; before < side; ++before)
            is_new &= mv != vectors[before];
        candidates.mv[static_cast<std::size_t>(candidates.count)] = mv;
        candidates.count += is_new; // Without a branch: none could be foretold.
    }
    for (auto i = static_cast<std::size_t>(own); i < static_cast<std::size_t>(candidates.count); ++i)
        candidates.sad[i] = sad(candidates.mv[i], column, row);
}

/// Fills `candidates`; returns the SAD at zero.
std::uint32_t Chooser::collect(int column, int row, VectorCandidates& candidates) const {
    const std::span<const Candidate> found = in_.field->block(column, row);
    const std::uint32_t sad_zero = sad_at_zero(found, column, row);
    const std::uint32_t best = found.front().distortion;
    candidates.count = 0;
    candidates.add({}, sad_zero);
    const std::uint64_t gain = static_cast<std::uint64_t>(in_.null_gain) * 256;
    if (sad_zero <= in_.null_threshold || (in_.null_gain > 0 && sad_zero <= best + gain)) return sad_zero;
    for (const Candidate& candidate : found) {
        if (!has_vector(candidate)) break;
        if (!candidates.holds(candidate.mv, candidates.count)) candidates.add(candidate.mv, candidate.distortion);
    }
    add_neighbours(column, row, candidates);
    return sad_zero;
}

/// By how much less, at most, the bits of a macroblock's vector and of the one after it cost with `mv` than with
/// `other`. The code of a difference is never longer than those of two differences that add up to it, less one bit for
/// each component: so no neighbour makes up for more than the bits from one vector to the other.
std::uint64_t Chooser::largest_gain(Mv mv, Mv other) const {
    const std::uint64_t of_one = weighted(vector_bits_(mv, other) - 2) + 1;
    if (is_no_mc(other)) return of_one; // Its own bit is the least that there is.
    return of_one + (is_no_mc(mv) ? largest_rate_ : of_one);
}

/// Leaves out those that another beats whatever stands before and after them: no cheapest chain holds one.
void Chooser::drop_hopeless(VectorCandidates& candidates) const {
    if (candidates.count == 1) return;
    const auto all = static_cast<std::size_t>(candidates.count);
    const auto least = static_cast<std::size_t>(std::min_element(candidates.sad.begin(), candidates.sad.begin() + all) -
                                                candidates.sad.begin());
    const Mv best = candidates.mv[least];
    const std::uint64_t sad = candidates.sad[least];
    std::size_t count = 0;
    for (std::size_t i = 0; i < all; ++i) {
        const bool stays = candidates.sad[i] <= sad + largest_gain(candidates.mv[i], best);
        candidates.mv[count] = candidates.mv[i];
        candidates.sad[count] = candidates.sad[i];
        count += stays;
    }
    candidates.count = static_cast<int>(count);
}

/// The cheapest way to a vector from the step before; of equal ones from the candidate that stands first.
Way Chooser::cheapest_way(const Step& before, Mv mv) const {
    if (is_no_mc(mv)) { // Costs the same after any.
        const Way end = cheapest_end(before);
        return {end.cost() + rate(mv, {}), end.from()};
    }
    Way cheapest;
    for (std::size_t i = 0; i < static_cast<std::size_t>(before.candidates.count); ++i)
        cheapest = std::min(cheapest, Way(before.cost[i] + rate(mv, before.candidates.mv[i]), i));
    return cheapest;
}

/// Finds, for each candidate, the cheapest way to it from the step before (null: the slice starts, prediction is zero).
/// Where there is one way only, what it costs is part of every chain, and counts as nothing.
void Chooser::extend(const Step* before, Step& step) const {
    const VectorCandidates& candidates = step.candidates;
    if (candidates.count == 1 && (before == nullptr || before->candidates.count == 1)) {
        step.cost[0] = 0;
        step.previous[0] = 0;
        return;
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(candidates.count); ++i) {
        const Mv mv = candidates.mv[i];
        const Way way = before == nullptr ? Way{rate(mv, {}), 0} : cheapest_way(*before, mv);
        step.cost[i] = way.cost() + candidates.sad[i];
        step.previous[i] = static_cast<std::uint8_t>(way.from());
    }
}

} // namespace

void choose_vectors(const VectorChoiceInput& input, SliceExtent slice, std::span<ChosenVector> chosen,
                    std::span<VectorCandidates> candidates) {
    const Chooser chooser(input);
    const int columns = input.field->columns();
    const auto length = static_cast<std::size_t>(slice.end - slice.first);
    const auto steps = std::make_unique_for_overwrite<Step[]>(length);
    for (std::size_t i = 0; i < length; ++i) {
        const int macroblock = slice.first + static_cast<int>(i);
        chosen[static_cast<std::size_t>(macroblock)].sad_zero =
            chooser.collect(macroblock % columns, macroblock / columns, steps[i].candidates);
        if (!candidates.empty()) candidates[static_cast<std::size_t>(macroblock)] = steps[i].candidates;
        chooser.drop_hopeless(steps[i].candidates);
        chooser.extend(i == 0 ? nullptr : &steps[i - 1], steps[i]);
    }
    std::size_t pick = cheapest_end(steps[length - 1]).from();
    for (std::size_t i = length; i-- > 0; pick = steps[i].previous[pick]) {
        ChosenVector& out = chosen[static_cast<std::size_t>(slice.first) + i];
        out.mv = steps[i].candidates.mv[pick];
        out.sad = steps[i].candidates.sad[pick];
    }
}

} // namespace tandem
