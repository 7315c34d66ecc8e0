// SPDX-License-Identifier: BSD-2-Clause
#include "coding/mpeg/decide.h"

#include <algorithm>

#include "bitstream/mpeg/code_length.h"
#include "coding/mpeg/kernels/transform.h"
#include "coding/mpeg/vectors/joint_vectors.h"
#include "me/kernels/distortion.h"

namespace tandem {

namespace {

constexpr int samples = 16 * 16;

/// A macroblock and what the slice has coded before it.
struct Place {
    int index = 0;
    int x = 0, y = 0;
    bool starts_slice = false;
    Mv forward_before, backward_before; ///< Vector predictors (13818-2 clause 7.6.3.4).
    Mode before;                        ///< The macroblock to the left; no flags at the start of a slice.
    TriedModes* tried = nullptr;        ///< Gets what is measured; null: nobody asks.
};

constexpr Mode intra_mode{mb_intra, {}, {}};
Mode forward_mode(Mv mv) { return {mb_forward, mv, {}}; }
Mode backward_mode(Mv mv) { return {mb_backward, {}, mv}; }
Mode both_mode(Mv forward, Mv backward) { return {mb_forward | mb_backward, forward, backward}; }

class Decider {
  public:
    explicit Decider(const DecideInput& input) : in(input), distortion(distortion_kernels()) {}

    std::uint32_t measure(BlockDistortion metric, const Mode& mode, const Place& place) const {
        Prediction prediction;
        predict_luma(*in.references, mode.flags, mode.forward, mode.backward, place.x, place.y, prediction);
        return metric(&in.source.at(place.x, place.y), in.source.stride, prediction.data[0], prediction.stride[0], 16,
                      16);
    }
    std::uint32_t squared_error(const Mode& mode, const Place& place) const {
        const std::uint32_t error = measure(distortion.ssd, mode, place);
        if (place.tried != nullptr) place.tried->add({mode, false, error, 0, static_cast<double>(error)});
        return error;
    }
    /// 256 times the variance of the source.
    std::uint32_t variance(const Place& place) const {
        std::uint32_t sum = 0, squares = 0;
        transform_kernels().sums(&in.source.at(place.x, place.y), in.source.stride, sum, squares);
        const std::uint32_t error =
            squares - static_cast<std::uint32_t>(static_cast<std::uint64_t>(sum) * sum / samples);
        if (place.tried != nullptr)
            place.tried->add({intra_mode, false, error, 0, static_cast<double>(error) + in.intra_threshold});
        return error;
    }
    /// Sum of |x - mean|: the SAD that an intra macroblock stands for, its DC apart.
    std::uint32_t deviation(const Place& place) const {
        const auto sum_abs_from = transform_kernels().sum_abs_from;
        const std::uint8_t* at = &in.source.at(place.x, place.y);
        const std::uint32_t sum = sum_abs_from(at, in.source.stride, 0);
        return sum_abs_from(at, in.source.stride, static_cast<int>((sum + samples / 2) / samples));
    }
    Mode forward(const Place& place) const { return forward_mode(at(in.forward, place).mv); }
    Mode backward(const Place& place) const { return backward_mode(at(in.backward, place).mv); }
    Mode both(const Place& place) const { return both_mode(at(in.forward, place).mv, at(in.backward, place).mv); }
    /// The macroblock's entry of a list by macroblock.
    template <typename T> static const T& at(std::span<const T> by_macroblock, const Place& place) {
        return by_macroblock[static_cast<std::size_t>(place.index)];
    }

    std::uint32_t lambda_q8(const Place& place) const {
        return in.lambdas_q8.empty() ? in.lambda_q8 : at(in.lambdas_q8, place);
    }

    const DecideInput& in;
    const DistortionKernels& distortion;
};

/// The mode with the least squared error of those a B picture has.
Mode least_squared_error(const Decider& d, const Place& place, std::uint32_t& error) {
    Mode best;
    error = UINT32_MAX;
    for (const Mode& mode : {d.forward(place), d.backward(place), d.both(place)}) {
        const std::uint32_t squared = d.squared_error(mode, place);
        if (squared < error) {
            error = squared;
            best = mode;
        }
    }
    return best;
}

bool plus_threshold_below(std::uint32_t value, int threshold, std::uint32_t other) {
    return static_cast<std::int64_t>(value) + threshold < static_cast<std::int64_t>(other);
}

/// Test Model 5, chapter 6: intra when compensation is worse than the picture's own variance and not small anyway.
bool tm5_intra(const Decider& d, const Place& place, std::uint32_t squared_error) {
    return squared_error >= 9 * samples && plus_threshold_below(d.variance(place), d.in.intra_threshold, squared_error);
}

ModeList tm5_predicted(const Decider& d, const Place& place) {
    const Mode moved = d.forward(place);
    const std::uint32_t moved_error = d.squared_error(moved, place);
    if (tm5_intra(d, place, moved_error)) return intra_mode;
    const Mode still{mb_forward, {}, {}};
    const std::uint64_t still_error = d.squared_error(still, place);
    const bool moves = 4 * still_error > 5 * static_cast<std::uint64_t>(moved_error) && still_error >= 9 * samples;
    return moves ? moved : still;
}

ModeList tm5_bidirectional(const Decider& d, const Place& place) {
    std::uint32_t error = 0;
    const Mode best = least_squared_error(d, place, error);
    return tm5_intra(d, place, error) ? intra_mode : best;
}

/// Simulation Model 3 as in Berkeley's encoder: inter when the error per sample is at most 64, or below the variance.
bool sm3_intra(const Decider& d, const Place& place, std::uint32_t squared_error) {
    return squared_error > 64 * samples &&
           plus_threshold_below(d.variance(place), d.in.intra_threshold, squared_error + 1);
}

ModeList sm3_predicted(const Decider& d, const Place& place) {
    const ChosenVector& found = Decider::at(d.in.forward, place);
    const std::uint64_t still = found.sad_zero;
    const std::uint64_t moved = found.sad;
    const bool stays = still <= 256 || (still < 768 ? 2 * moved >= still : 11 * moved >= 10 * still);
    const Mode mode{mb_forward, stays ? Mv{} : found.mv, {}};
    return sm3_intra(d, place, d.squared_error(mode, place)) ? intra_mode : mode;
}

ModeList sm3_bidirectional(const Decider& d, const Place& place) {
    std::uint32_t error = 0;
    const Mode best = least_squared_error(d, place, error);
    return sm3_intra(d, place, error) ? intra_mode : best;
}

/// Keeps the modes of least SAD + lambda * bits of macroblock_type and vectors, and of what intra costs beyond its
/// residual.
template <int most> class CostDecider {
  public:
    CostDecider(const Decider& d, const Place& place) : d_(d), place_(place) {}

    /// `distortion` is the mode's SAD.
    void offer(const Mode& mode, std::uint32_t distortion) { keep(mode, distortion, bits(mode)); }
    void offer_measured(const Mode& mode) { offer(mode, d_.measure(d_.distortion.sad, mode, place_)); }
    void offer_intra() {
        // Six DCs at about 6 bits each: coarse, but the AC part is what the deviation stands for.
        constexpr int dc_bits_estimate = 36;
        const int bits = macroblock_type_bits(d_.in.type, mb_intra, true) + dc_bits_estimate;
        const std::int64_t least = d_.in.intra_threshold; // Without any deviation.
        if (place_.tried == nullptr && !is_wanted(cost(least, bits)) && !is_worth_a_trial(cost(least, bits))) return;
        const std::int64_t distortion = least + d_.deviation(place_), cost = this->cost(distortion, bits);
        const bool replaces_last = !is_wanted(cost) && is_worth_a_trial(cost);
        keep(intra_mode, distortion, bits);
        if (replaces_last) list_.mode[most - 1] = intra_mode;
    }
    const ModeList& list() const { return list_; }

  private:
    std::int64_t cost(std::int64_t distortion, int bits) const {
        return distortion + ((static_cast<std::int64_t>(d_.lambda_q8(place_)) * bits) >> 8);
    }
    /// Whether there is room for a mode of this cost, or one that costs more.
    bool is_wanted(std::int64_t cost) const { return list_.count < most || cost < costs_[most - 1]; }
    /// Whether intra may be better than the first mode for all that it costs: noise has many vectors of nearly its
    /// deviation, whose residuals take more bits than noise itself.
    bool is_worth_a_trial(std::int64_t intra_cost) const { return most > 1 && 4 * intra_cost <= 5 * costs_[0]; }
    /// Of modes that cost the same, those offered first.
    void keep(const Mode& mode, std::int64_t distortion, int bits) {
        const std::int64_t cost = this->cost(distortion, bits);
        if (place_.tried != nullptr && d_.in.decision == Decision::cost) {
            const int threshold = mode == intra_mode ? d_.in.intra_threshold : 0;
            place_.tried->add({mode, false, distortion - threshold, bits, static_cast<double>(cost)});
        }
        if (!is_wanted(cost)) return;
        const std::span<const Mode> kept = list_.all();
        if (std::find(kept.begin(), kept.end(), mode) != kept.end()) return; // Offered before, at the same cost.
        auto place = static_cast<std::size_t>(list_.count < most ? list_.count++ : most - 1);
        for (; place > 0 && cost < costs_[place - 1]; --place) {
            costs_[place] = costs_[place - 1];
            list_.mode[place] = list_.mode[place - 1];
        }
        costs_[place] = cost;
        list_.mode[place] = mode;
    }
    int bits(const Mode& mode) const {
        const bool predicted = d_.in.type == PictureType::predicted;
        if (predicted && mode.forward == Mv{}) return macroblock_type_bits(d_.in.type, 0, true);
        const bool repeats = !predicted && mode == place_.before;
        if (repeats) return 1; // Skipped, if its residual vanishes too.
        int sum = macroblock_type_bits(d_.in.type, mode.flags, true);
        if (mode.flags & mb_forward) sum += motion_vector_bits(mode.forward, place_.forward_before, d_.in.f_code[0]);
        if (mode.flags & mb_backward) sum += motion_vector_bits(mode.backward, place_.backward_before, d_.in.f_code[1]);
        return sum;
    }

    const Decider& d_;
    const Place& place_;
    ModeList list_;
    std::array<std::int64_t, most> costs_;
};
using CheapestMode = CostDecider<1>;
using CheapestModes = CostDecider<ModeList::most>;

/// What the macroblock before is coded as, where its vectors stay inside the picture here too.
void offer_repetition(const Decider& d, const Place& place, CheapestMode& choice) {
    const Mode& before = place.before;
    const bool can_repeat = (before.flags & (mb_forward | mb_backward)) != 0 &&
                            inside_picture(before.forward, place.x, place.y, d.in.source.width, d.in.source.height) &&
                            inside_picture(before.backward, place.x, place.y, d.in.source.width, d.in.source.height);
    if (can_repeat) choice.offer_measured(before);
}

ModeList cost_predicted(const Decider& d, const Place& place) {
    const ChosenVector& found = Decider::at(d.in.forward, place);
    CheapestMode choice(d, place);
    choice.offer(forward_mode({}), found.sad_zero);
    choice.offer(d.forward(place), found.sad);
    choice.offer_intra();
    return choice.list();
}

ModeList cost_bidirectional(const Decider& d, const Place& place) {
    CheapestMode choice(d, place);
    choice.offer(d.forward(place), Decider::at(d.in.forward, place).sad);
    choice.offer(d.backward(place), Decider::at(d.in.backward, place).sad);
    choice.offer_measured(d.both(place));
    offer_repetition(d, place, choice);
    choice.offer_intra();
    return choice.list();
}

/// Of every vector that was to choose from.
ModeList rd_predicted(const Decider& d, const Place& place) {
    CheapestModes choice(d, place);
    const VectorCandidates& vectors = Decider::at(d.in.forward_candidates, place);
    for (std::size_t i = 0; i < static_cast<std::size_t>(vectors.count); ++i)
        choice.offer(forward_mode(vectors.mv[i]), vectors.sad[i]);
    choice.offer_intra();
    return choice.list();
}

/// Of every vector that was to choose from, in both directions with the other one's choice; and of two that fit each
/// other.
ModeList rd_bidirectional(const Decider& d, const Place& place) {
    CheapestModes choice(d, place);
    const Mode both = d.both(place);
    const VectorCandidates& forward = Decider::at(d.in.forward_candidates, place);
    for (std::size_t i = 0; i < static_cast<std::size_t>(forward.count); ++i) {
        choice.offer(forward_mode(forward.mv[i]), forward.sad[i]);
        choice.offer_measured(both_mode(forward.mv[i], both.backward));
    }
    const VectorCandidates& backward = Decider::at(d.in.backward_candidates, place);
    for (std::size_t i = 0; i < static_cast<std::size_t>(backward.count); ++i) {
        choice.offer(backward_mode(backward.mv[i]), backward.sad[i]);
        choice.offer_measured(both_mode(both.forward, backward.mv[i]));
    }
    const JointVectors joint = step_jointly(d.in, place.index, place.starts_slice);
    choice.offer(both_mode(joint.mv[0], joint.mv[1]), joint.sad);
    choice.offer_intra();
    return choice.list();
}

struct DecisionRow {
    Decision decision;
    ModeList (*predicted)(const Decider&, const Place&);
    ModeList (*bidirectional)(const Decider&, const Place&);
};

constexpr std::array<DecisionRow, 4> decisions{{
    {Decision::tm5, tm5_predicted, tm5_bidirectional},
    {Decision::sm3, sm3_predicted, sm3_bidirectional},
    {Decision::cost, cost_predicted, cost_bidirectional},
    {Decision::rd, rd_predicted, rd_bidirectional},
}};

const DecisionRow& row_of(Decision decision) {
    return *std::find_if(decisions.begin(), decisions.end(),
                         [&](const DecisionRow& row) { return row.decision == decision; });
}

/// Carries the vector predictors past a macroblock: reset by intra, and in P pictures by one without a vector.
void follow(PictureType type, const Mode& mode, Place& place) {
    if (mode.flags & mb_intra) place.forward_before = place.backward_before = {};
    if (mode.flags & mb_forward) place.forward_before = mode.forward;
    if (mode.flags & mb_backward) place.backward_before = mode.backward;
    if (type == PictureType::predicted && (mode.flags & mb_forward) == 0) place.forward_before = {};
    place.before = mode;
}

} // namespace

void decide_slice(const DecideInput& input, SliceExtent slice, MpegPicture& picture, std::span<ModeList> lists,
                  std::span<TriedModes> tried) {
    const Decider decider(input);
    const DecisionRow& row = row_of(input.decision);
    Place place;
    for (int index = slice.first; index < slice.end; ++index) {
        const auto i = static_cast<std::size_t>(index);
        place.index = index;
        place.starts_slice = index == slice.first;
        place.x = index % picture.mb_columns * 16;
        place.y = index / picture.mb_columns * 16;
        place.tried = tried.empty() ? nullptr : &tried[i];
        if (place.tried != nullptr) place.tried->count = 0;
        // What a B picture rebuilds is no one's reference: nothing drifts on.
        const bool must_refresh = input.type == PictureType::predicted && !input.coded_since_intra.empty() &&
                                  input.coded_since_intra[i] + 1 >= input.intra_refresh;
        const bool intra = input.type == PictureType::intra || must_refresh;
        const ModeList list = intra                                  ? intra_mode
                              : input.type == PictureType::predicted ? row.predicted(decider, place)
                                                                     : row.bidirectional(decider, place);
        if (!lists.empty()) lists[i] = list;
        const Mode& mode = list.mode.front();
        picture.flags[i] = mode.flags;
        picture.forward[i] = mode.forward;
        picture.backward[i] = mode.backward;
        follow(input.type, mode, place);
    }
}

} // namespace tandem
