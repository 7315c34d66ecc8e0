// SPDX-License-Identifier: BSD-2-Clause
#include "coding/mpeg/vector_choice.h"

#include <algorithm>
#include <array>
#include <vector>

#include "bitstream/mpeg/code_length.h"
#include "coding/mpeg/reference.h"
#include "me/kernels/distortion.h"

namespace tandem {

namespace {

/// The candidates of one macroblock and the best chain that ends in each.
struct Step {
    VectorCandidates candidates;
    std::array<std::uint64_t, VectorCandidates::most> cost;
    std::array<std::uint8_t, VectorCandidates::most> previous;
};

class Chooser {
  public:
    explicit Chooser(const VectorChoiceInput& input) : in_(input), sad_(distortion_kernels().sad) {}

    std::uint32_t collect(int column, int row, VectorCandidates& candidates) const;
    void extend(const Step* before, Step& step) const;

  private:
    std::uint32_t measure(Mv mv, int x, int y) const {
        return sad_(&in_.current.at(x, y), in_.current.stride, in_.reference->at(x, y, mv), in_.reference->stride(), 16,
                    16);
    }
    /// Nearly always the search has measured it.
    std::uint32_t sad_at_zero(std::span<const Candidate> found, int x, int y) const {
        const auto zero =
            std::find_if(found.begin(), found.end(), [](const Candidate& c) { return has_vector(c) && c.mv == Mv{}; });
        return zero != found.end() ? zero->distortion : measure({}, x, y);
    }
    void add_neighbour(int column, int row, int x, int y, VectorCandidates& candidates) const;
    /// Weighted bits of macroblock_type and vector; in a P picture zero is the "no MC" type without a vector.
    std::uint64_t rate(Mv mv, Mv before) const {
        const bool no_mc = in_.type == PictureType::predicted && mv == Mv{};
        const int bits = no_mc ? 1 : motion_vector_bits(mv, before, in_.f_code);
        return (static_cast<std::uint64_t>(in_.lambda_q8) * static_cast<std::uint64_t>(bits)) >> 8;
    }

    const VectorChoiceInput& in_;
    BlockDistortion sad_;
};

void Chooser::add_neighbour(int column, int row, int x, int y, VectorCandidates& candidates) const {
    if (column < 0 || row < 0 || column >= in_.field->columns() || row >= in_.field->rows()) return;
    const Mv mv = in_.field->best(column, row).mv;
    if (candidates.holds(mv) || !inside_picture(mv, x, y, in_.current.width, in_.current.height)) return;
    candidates.add(mv, measure(mv, x, y));
}

/// Fills `candidates`; returns the SAD at zero.
std::uint32_t Chooser::collect(int column, int row, VectorCandidates& candidates) const {
    const int x = column * 16;
    const int y = row * 16;
    const std::span<const Candidate> found = in_.field->block(column, row);
    const std::uint32_t sad_zero = sad_at_zero(found, x, y);
    const std::uint32_t best = found.front().distortion;
    candidates.count = 0;
    candidates.add({}, sad_zero);
    const std::uint64_t gain = static_cast<std::uint64_t>(in_.null_gain) * 256;
    if (sad_zero <= in_.null_threshold || (in_.null_gain > 0 && sad_zero <= best + gain)) return sad_zero;
    for (const Candidate& candidate : found) {
        if (!has_vector(candidate)) break;
        if (!candidates.holds(candidate.mv)) candidates.add(candidate.mv, candidate.distortion);
    }
    add_neighbour(column - 1, row, x, y, candidates);
    add_neighbour(column + 1, row, x, y, candidates);
    add_neighbour(column, row - 1, x, y, candidates);
    add_neighbour(column, row + 1, x, y, candidates);
    return sad_zero;
}

/// Finds, for each candidate, the cheapest way to it from the step before (null: the slice starts, prediction is zero).
void Chooser::extend(const Step* before, Step& step) const {
    const VectorCandidates& candidates = step.candidates;
    for (std::size_t i = 0; i < static_cast<std::size_t>(candidates.count); ++i) {
        std::uint64_t least = before == nullptr ? rate(candidates.mv[i], {}) : UINT64_MAX;
        std::uint8_t from = 0;
        for (std::size_t j = 0; before != nullptr && j < static_cast<std::size_t>(before->candidates.count); ++j) {
            if (before->cost[j] >= least) continue; // Whatever the bits.
            const std::uint64_t cost = before->cost[j] + rate(candidates.mv[i], before->candidates.mv[j]);
            if (cost < least) {
                least = cost;
                from = static_cast<std::uint8_t>(j);
            }
        }
        step.cost[i] = least + candidates.sad[i];
        step.previous[i] = from;
    }
}

} // namespace

void choose_vectors(const VectorChoiceInput& input, SliceExtent slice, std::span<ChosenVector> chosen,
                    std::span<VectorCandidates> candidates) {
    const Chooser chooser(input);
    const int columns = input.field->columns();
    std::vector<Step> steps(static_cast<std::size_t>(slice.end - slice.first));
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const int macroblock = slice.first + static_cast<int>(i);
        chosen[static_cast<std::size_t>(macroblock)].sad_zero =
            chooser.collect(macroblock % columns, macroblock / columns, steps[i].candidates);
        chooser.extend(i == 0 ? nullptr : &steps[i - 1], steps[i]);
        if (!candidates.empty()) candidates[static_cast<std::size_t>(macroblock)] = steps[i].candidates;
    }
    std::size_t pick = 0;
    const Step& last = steps.back();
    for (std::size_t i = 1; i < static_cast<std::size_t>(last.candidates.count); ++i) {
        if (last.cost[i] < last.cost[pick]) pick = i;
    }
    for (std::size_t i = steps.size(); i-- > 0; pick = steps[i].previous[pick]) {
        ChosenVector& out = chosen[static_cast<std::size_t>(slice.first) + i];
        out.mv = steps[i].candidates.mv[pick];
        out.sad = steps[i].candidates.sad[pick];
    }
}

} // namespace tandem
