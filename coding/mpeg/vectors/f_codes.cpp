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

const Candidate* first_that_fits(std::span<const Candidate> candidates, const FCodes& codes) {
    for (const Candidate& candidate : candidates) {
        if (!has_vector(candidate)) break;
        if (fits(candidate.mv, codes)) return &candidate;
    }
    return nullptr;
}

/// What the blocks' best vectors cost by a pair of f_codes, but for what they cost by any. Most are short and stand
/// after short ones: of those the differences are counted once. The others are looked at for each pair.
class VectorCosts {
  public:
    static constexpr std::int64_t impossible = std::numeric_limits<std::int64_t>::max();

    VectorCosts(const MotionField& field, PictureType type, std::uint32_t lambda_q8)
        : field_(field), has_no_mc_(type == PictureType::predicted), lambda_q8_(lambda_q8) {
        for (int row = 0; row < field.rows(); ++row)
            count_row(row);
    }

    /// `impossible`: a block has no candidate that fits.
    std::int64_t of(const FCodes& codes) const {
        const MotionVectorBits bits(codes);
        std::int64_t all_bits = 0, distortion = 0;
        const MotionComponentBits across(codes[0]), down(codes[1]);
        for (int difference = -largest; difference <= largest; ++difference) {
            const auto index = static_cast<std::size_t>(difference + largest);
            all_bits += differences_x_[index] * across(difference) + differences_y_[index] * down(difference);
        }
        for (const Place& place : others_) {
            const Candidate* const own = first_that_fits(field_.block(place.column, place.row), codes);
            if (own == nullptr) return impossible;
            distortion += own->distortion;
            all_bits += is_no_mc(own->mv) ? 1 : bits(own->mv, before(place, codes));
        }
        return distortion * 256 + rate_weight * std::int64_t{lambda_q8_} * all_bits;
    }

  private:
    struct Place {
        int column, row;
    };
    static constexpr FCodes smallest{1, 1};
    static constexpr int largest = 2 * 14; ///< Of the differences of vectors that fit those.
    static constexpr std::int64_t rate_weight = 4;

    void count_row(int row) {
        Mv before;
        bool is_before_short = true;
        for (int column = 0; column < field_.columns(); ++column) {
            const Candidate& best = field_.best(column, row);
            const bool any = has_vector(best), is_short = !any || fits(best.mv, smallest);
            if (any && !(is_short && is_before_short)) others_.push_back({column, row});
            if (any && is_short && is_before_short && !is_no_mc(best.mv)) {
                count(differences_x_, best.mv.x - before.x);
                count(differences_y_, best.mv.y - before.y);
            }
            before = any ? best.mv : Mv{};
            is_before_short = is_short;
        }
    }
    using Counts = std::array<int, 2 * largest + 1>;
    static void count(Counts& counts, int eighths) {
        ++counts[static_cast<std::size_t>(eighths / eighths_per_half_pel + largest)];
    }
    Mv before(const Place& place, const FCodes& codes) const {
        if (place.column == 0) return {};
        const Candidate* const left = first_that_fits(field_.block(place.column - 1, place.row), codes);
        return left != nullptr ? left->mv : Mv{};
    }
    /// Zero has a macroblock_type without a vector.
    bool is_no_mc(Mv mv) const { return has_no_mc_ && mv == Mv{}; }

    const MotionField& field_;
    bool has_no_mc_;
    std::uint32_t lambda_q8_;
    Counts differences_x_{}, differences_y_{};
    std::vector<Place> others_;
};

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
    if (all == FCodes{1, 1}) return;
    const VectorCosts costs(field, type, lambda_q8);
    FCodes best = all;
    std::int64_t least = costs.of(all);
    const auto try_pair = [&](const FCodes& codes) {
        const std::int64_t cost = costs.of(codes);
        if (cost > least || cost == VectorCosts::impossible) return;
        least = cost;
        best = codes;
    };
    for (int f_code = all[0] - 1; f_code > 0; --f_code)
        try_pair({f_code, codec == Codec::mpeg1 ? f_code : all[1]});
    for (int f_code = all[1] - 1; f_code > 0 && codec != Codec::mpeg1; --f_code)
        try_pair({best[0], f_code});
    if (best != all) drop_longer(best, field);
}

} // namespace tandem
