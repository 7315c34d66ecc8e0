// SPDX-License-Identifier: BSD-2-Clause
#include "coding/mpeg/vectors/f_codes.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <span>
#include <vector>

#include "bitstream/mpeg/code_length.h"

namespace tandem {

namespace {

using FCodes = std::array<int, 2>;

/// With the half pels about it.
bool fits(Mv mv, const FCodes& codes) {
    const auto component_fits = [](int eighths, int f_code) {
        return std::abs(eighths) / eighths_per_half_pel + 1 < 8 << f_code;
    };
    return component_fits(mv.x, codes[0]) && component_fits(mv.y, codes[1]);
}

/// What the blocks' best vectors cost by one pair of f_codes.
class VectorCosts {
  public:
    VectorCosts(const FCodes& codes, PictureType type, std::uint32_t lambda_q8)
        : codes_(codes), bits_(codes), has_no_mc_(type == PictureType::predicted), lambda_q8_(lambda_q8) {}

    std::int64_t total() const { return total_; }

    void begin_row() { before_ = {}; }
    /// Goes on in a list of candidates from `at` to the first that fits, adds it, and returns where it is. Without one
    /// the f_codes are out of the question.
    std::size_t add(std::span<const Candidate> candidates, std::size_t at) {
        while (at < candidates.size() && has_vector(candidates[at]) && !fits(candidates[at].mv, codes_))
            ++at;
        if (at == candidates.size() || !has_vector(candidates[at])) {
            total_ = impossible;
            return candidates.size();
        }
        if (total_ == impossible) return at;
        const Candidate& candidate = candidates[at];
        const bool is_no_mc = has_no_mc_ && candidate.mv == Mv{};
        const int bits = is_no_mc ? 1 : bits_(candidate.mv, before_);
        before_ = candidate.mv;
        total_ += (std::int64_t{candidate.distortion} << 8) + rate_weight * std::int64_t{lambda_q8_} * bits;
        return at;
    }

  private:
    static constexpr std::int64_t impossible = std::numeric_limits<std::int64_t>::max();
    static constexpr int rate_weight = 4;

    FCodes codes_;
    MotionVectorBits bits_;
    bool has_no_mc_; ///< Zero has a macroblock_type without a vector.
    std::uint32_t lambda_q8_;
    Mv before_;
    std::int64_t total_ = 0;
};

/// The cheapest of pairs of f_codes, of which each holds what the next one does; of equal ones the last.
FCodes cheapest_of(const std::vector<FCodes>& pairs, const MotionField& field, PictureType type,
                   std::uint32_t lambda_q8) {
    std::vector<VectorCosts> costs;
    for (const FCodes& codes : pairs)
        costs.emplace_back(codes, type, lambda_q8);
    for (int row = 0; row < field.rows(); ++row) {
        for (VectorCosts& each : costs)
            each.begin_row();
        for (int column = 0; column < field.columns(); ++column) {
            const std::span<const Candidate> candidates = field.block(column, row);
            if (!has_vector(candidates.front())) continue;
            std::size_t at = 0;
            for (VectorCosts& each : costs)
                at = each.add(candidates, at);
        }
    }
    const auto cheaper = [](const VectorCosts& a, const VectorCosts& b) { return a.total() < b.total(); };
    const auto cheapest = std::min_element(costs.rbegin(), costs.rend(), cheaper);
    return pairs[static_cast<std::size_t>(costs.rend() - cheapest) - 1];
}

void drop_longer(const FCodes& codes, MotionField& field) {
    for (int row = 0; row < field.rows(); ++row) {
        for (int column = 0; column < field.columns(); ++column) {
            const std::span<Candidate> slots = field.block(column, row);
            const auto end = std::remove_if(slots.begin(), slots.end(), [&](const Candidate& candidate) {
                return !has_vector(candidate) || !fits(candidate.mv, codes);
            });
            std::fill(end, slots.end(), Candidate{});
        }
    }
}

} // namespace

std::array<int, 2> f_codes_of(const MotionField& field, Codec codec) {
    int x = 0, y = 0;
    for (const Candidate& candidate : field.all()) {
        if (!has_vector(candidate)) continue;
        x = std::max(x, std::abs(static_cast<int>(candidate.mv.x)));
        y = std::max(y, std::abs(static_cast<int>(candidate.mv.y)));
    }
    if (codec == Codec::mpeg1) x = y = std::max(x, y);
    return {f_code_for(x / eighths_per_half_pel + 1), f_code_for(y / eighths_per_half_pel + 1)};
}

void limit_vectors(MotionField& field, Codec codec, PictureType type, std::uint32_t lambda_q8) {
    const FCodes all = f_codes_of(field, codec);
    FCodes best = all;
    const auto settle = [&](int most, auto pair_of) {
        std::vector<FCodes> pairs;
        for (int f_code = most; f_code > 0; --f_code)
            pairs.push_back(pair_of(f_code));
        if (most > 1) best = cheapest_of(pairs, field, type, lambda_q8);
    };
    if (codec == Codec::mpeg1) {
        settle(all[0], [](int f_code) { return FCodes{f_code, f_code}; });
    } else {
        settle(all[0], [&](int f_code) { return FCodes{f_code, all[1]}; });
        settle(all[1], [&](int f_code) { return FCodes{best[0], f_code}; });
    }
    if (best != all) drop_longer(best, field);
}

} // namespace tandem
