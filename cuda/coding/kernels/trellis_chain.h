// SPDX-License-Identifier: BSD-2-Clause
// Rate-distortion optimal levels of one block: the chain of coding/mpeg/quantiser/trellis.h, by one thread. That file
// says how it works; what is kept and what is dropped is the same, step by step.
#pragma once

#include "coding/mpeg/quantiser/trellis.h"
#include "cuda/coding/kernels/block_arithmetic.h"
#include "cuda/coding/kernels/code_bits.h"
#include "cuda/coding/kernels/lanes.h"

namespace tandem::cuda {

/// By scan position: what levels cost, as weigh_levels() weighs them. The chain overwrites it: the less memory a block
/// takes, the more of them a multiprocessor has under way.
struct LevelCosts {
    std::int32_t level[64];
    std::int32_t below[64]; ///< INT32_MAX: the level below is 0.
};

class TrellisChain {
  public:
    TANDEM_HOST_DEVICE TrellisChain(const std::uint8_t (*bits)[64], bool intra, bool b15, bool mpeg1,
                                    std::uint32_t lambda_q6, std::int16_t* level, LevelCosts& costs)
        : bits_(bits), intra_(intra), b15_(b15), mpeg1_(mpeg1), lambda_(static_cast<std::int32_t>(lambda_q6)),
          per_bit_(lambda_ << key_shift), level_(level), costs_(costs) {}

    /// `nonzero`: the scan positions that have a level and costs, of which the chosen ones keep one; others get 0.
    TANDEM_HOST_DEVICE TrellisChoice run(std::uint64_t nonzero) {
        if (nonzero == 0) return {0, 0};
        const End end = chain(nonzero);
        std::uint64_t chosen = 0;
        for (int state = end.state; state != 0;) {
            const int position = state - 1, before = way_back(position);
            if ((before & is_below) != 0) {
                const int level = level_[position];
                level_[position] = static_cast<std::int16_t>(level < 0 ? level + 1 : level - 1);
            }
            chosen |= std::uint64_t{1} << position;
            state = before & ~is_below;
        }
        for (std::uint64_t left = nonzero & ~chosen; left != 0; left &= left - 1)
            level_[lowest_bit(left)] = 0;
        return {chosen, end.saving};
    }

  private:
    // A state is named by the position of its level and 1; 0 is that without any. A key is what a state costs more than
    // the first survivor, and below that 127 - its name: the least is the cheapest, of equal ones the latest. Costs are
    // less than 2^23 and codes have 28 bits at most, lambda is less than 2^18: a key with the bits of a code fits into
    // 32 bits.
    static constexpr int key_shift = 7;
    static constexpr int last_state = 127;
    static constexpr int is_below = 128; ///< In way_back(), beside the name of a state.
    static constexpr int widest_bit_difference = 21;

    TANDEM_HOST_DEVICE static std::int32_t key_of(std::int32_t cost, int state) {
        return (cost << key_shift) + (last_state - state);
    }
    TANDEM_HOST_DEVICE static int state_of(std::int32_t key) { return last_state - (key & last_state); }

    /// Keys of survivors beside the first, which are rarely many. They stand where costs were of positions before the
    /// one at hand, of which there are at least as many.
    TANDEM_HOST_DEVICE std::int32_t& other_key(int i) const { return costs_.level[i]; }
    /// The state before, and is_below; where the costs were of levels below.
    TANDEM_HOST_DEVICE std::int32_t& way_back(int position) const { return costs_.below[position]; }

    /// The least keys with the bits of a level and of the level below it.
    struct Keys {
        std::int32_t of_level, of_below;
    };
    TANDEM_HOST_DEVICE Keys keys_after(std::int32_t key, int before, int position, int level) const {
        const std::uint8_t* bits = bits_[position - before - 1];
        return {key + per_bit_ * bits[level], key + per_bit_ * bits[level - 1]};
    }
    TANDEM_HOST_DEVICE Keys reach(int position, int level) const {
        const std::int32_t first_key = key_of(0, first_state_);
        if (level >= levels_with_code)
            return {first_key + per_bit_ * escape_bits_of(mpeg1_, level),
                    first_key + per_bit_ * escape_bits_of(mpeg1_, level - 1)};
        // Intra blocks begin behind their DC, which has position 0.
        Keys least = keys_after(first_key, first_state_ == 0 && intra_ ? 0 : first_state_ - 1, position, level);
        for (int i = 0; i < others_; ++i) {
            const Keys keys = keys_after(other_key(i), state_of(other_key(i)) - 1, position, level);
            least.of_level = keys.of_level < least.of_level ? keys.of_level : least.of_level;
            least.of_below = keys.of_below < least.of_below ? keys.of_below : least.of_below;
        }
        // Table B-14 has a shorter code for level 1 without run where it is the first of a block.
        if (position == 0 && !b15_) {
            least.of_level -= level == 1 ? per_bit_ : 0;
            least.of_below -= level == 2 ? per_bit_ : 0;
        }
        return least;
    }

    /// The state that a choice of levels ends in, 0 without any, and what it saves.
    struct End {
        int state;
        std::int64_t saving;
    };
    /// Of the cheapest choice.
    TANDEM_HOST_DEVICE End chain(std::uint64_t nonzero) {
        // Each step waits for the one before it: what does not is asked for a step ahead.
        Step next = step_at(lowest_bit(nonzero));
        for (std::uint64_t left = nonzero & (nonzero - 1); left != 0; left &= left - 1) {
            const Step step = next;
            next = step_at(lowest_bit(left));
            extend(step);
        }
        extend(next);
        const int end_bits = b15_ ? 4 : 2;
        const std::int64_t saving = -(first_cost_ + std::int64_t{lambda_} * end_bits);
        if (!intra_ && saving <= 0) return {0, 0};
        return {first_state_, saving};
    }

    struct Step {
        int position, level;
        std::int32_t level_cost, below_cost;
    };
    TANDEM_HOST_DEVICE Step step_at(int position) const {
        return {position, level_[position], costs_.level[position], costs_.below[position]};
    }

    TANDEM_HOST_DEVICE void extend(const Step& step) {
        constexpr std::int64_t unit = std::int64_t{1} << key_shift;
        const int state = step.position + 1;
        const Keys bits = reach(step.position, magnitude_of(step.level));
        const std::int64_t key = bits.of_level + step.level_cost * unit;
        const std::int64_t below = bits.of_below + step.below_cost * unit;
        const bool takes_below = below >> key_shift <= key >> key_shift;
        const std::int64_t least = takes_below ? below : key;
        const std::int64_t more = least >> key_shift; // Than the first survivor costs.
        way_back(step.position) =
            state_of(static_cast<std::int32_t>(least & last_state)) | (takes_below ? is_below : 0);
        if (more <= 0) {
            first_cost_ += more;
            first_state_ = state;
            others_ = 0;
        } else if (more < std::int64_t{lambda_} * widest_bit_difference) {
            const std::int32_t own = key_of(static_cast<std::int32_t>(more), state);
            // It takes the place of those that cost no less; the costs of the others rise.
            while (others_ > 0 && other_key(others_ - 1) >> key_shift >= more)
                --others_;
            other_key(others_++) = own;
        }
    }

    const std::uint8_t (*bits_)[64]; ///< [run][|level|]
    bool intra_, b15_, mpeg1_;
    std::int32_t lambda_, per_bit_;
    std::int16_t* level_; ///< By scan position.
    LevelCosts& costs_;
    std::int64_t first_cost_ = 0;
    int first_state_ = 0, others_ = 0;
};

} // namespace tandem::cuda
