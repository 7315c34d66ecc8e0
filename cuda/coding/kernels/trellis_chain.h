// SPDX-License-Identifier: BSD-2-Clause
// Rate-distortion optimal levels of one block: the chain of coding/mpeg/quantiser/trellis.h, by one thread. That file
// says how it works; what is kept and what is dropped is the same, step by step.
#pragma once

#include "coding/mpeg/quantiser/trellis.h"
#include "cuda/coding/kernels/block_arithmetic.h"
#include "cuda/coding/kernels/code_bits.h"
#include "cuda/coding/kernels/lanes.h"

namespace tandem::cuda {

/// By scan position, for the positions of `nonzero`: levels to choose between, as weigh_levels() weighs them.
struct WeighedLevels {
    std::int16_t* level; ///< Becomes what is chosen, and 0.
    const std::int32_t* level_cost;
    const std::int32_t* below_cost; ///< INT32_MAX: the level below is 0.
};

/// As small as can be: the more of them a multiprocessor holds, the more blocks it has under way.
struct TrellisStates {
    std::int32_t other_key[64]; ///< Of survivors beside the first, which are rarely many: what they cost more than it.
    std::int8_t other_position[64];
    std::uint8_t position[65];
    std::uint8_t before[65]; ///< The state before, and is_below.
    static constexpr int is_below = 128;
};

class TrellisChain {
  public:
    TANDEM_HOST_DEVICE TrellisChain(const std::uint8_t (*bits)[64], bool intra, bool b15, bool mpeg1,
                                    std::uint32_t lambda_q6, TrellisStates& states)
        : bits_(bits), intra_(intra), b15_(b15), mpeg1_(mpeg1), lambda_(lambda_q6), per_bit_(lambda_q6 << key_shift),
          states_(states) {}

    /// `nonzero`: the positions with a level, of which the chosen ones keep one.
    TANDEM_HOST_DEVICE TrellisChoice run(std::uint64_t nonzero, const WeighedLevels& weighed) {
        if (nonzero == 0) return {0, 0};
        const End end = chain(nonzero, weighed);
        std::uint64_t chosen = 0;
        for (int state = end.state; state != 0;) {
            const int position = states_.position[state], before = states_.before[state];
            if ((before & TrellisStates::is_below) != 0) {
                const int level = weighed.level[position];
                weighed.level[position] = static_cast<std::int16_t>(level < 0 ? level + 1 : level - 1);
            }
            chosen |= std::uint64_t{1} << position;
            state = before & ~TrellisStates::is_below;
        }
        for (std::uint64_t left = nonzero & ~chosen; left != 0; left &= left - 1)
            weighed.level[lowest_bit(left)] = 0;
        return {chosen, end.saving};
    }

  private:
    static constexpr int key_shift = 7;
    static constexpr std::int64_t last_state = 127;
    static constexpr int widest_bit_difference = 21;

    TANDEM_HOST_DEVICE static std::int64_t key_of(std::int64_t cost, int state) {
        return cost * (std::int64_t{1} << key_shift) + (last_state - state);
    }
    TANDEM_HOST_DEVICE static std::int64_t cost_of_key(std::int64_t key) { return key >> key_shift; }
    TANDEM_HOST_DEVICE static int state_of(std::int64_t key) {
        return static_cast<int>(last_state - (key & last_state));
    }

    /// The least keys with the bits of a level and of the level below it.
    struct Keys {
        std::int64_t of_level, of_below;
    };
    TANDEM_HOST_DEVICE Keys keys_after(std::int64_t key, int before, int position, int level) const {
        const std::uint8_t* bits = bits_[position - before - 1];
        return {key + per_bit_ * bits[level], key + per_bit_ * bits[level - 1]};
    }
    TANDEM_HOST_DEVICE Keys reach(int position, int level) const {
        if (level >= levels_with_code)
            return {first_key_ + per_bit_ * escape_bits_of(mpeg1_, level),
                    first_key_ + per_bit_ * escape_bits_of(mpeg1_, level - 1)};
        Keys least = keys_after(first_key_, first_position_, position, level);
        for (int i = 0; i < others_; ++i) {
            const Keys keys = keys_after((first_key_ & ~last_state) + states_.other_key[i], states_.other_position[i],
                                         position, level);
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
    TANDEM_HOST_DEVICE End chain(std::uint64_t nonzero, const WeighedLevels& weighed) {
        first_key_ = key_of(0, 0);
        first_position_ = intra_ ? 0 : -1;
        others_ = 0;
        // Each step waits for the one before it: what does not is asked for a step ahead.
        Step next = step_at(lowest_bit(nonzero), weighed);
        int state = 0;
        for (std::uint64_t left = nonzero & (nonzero - 1); left != 0; left &= left - 1) {
            const Step step = next;
            next = step_at(lowest_bit(left), weighed);
            extend(++state, step);
        }
        extend(++state, next);
        const int end_bits = b15_ ? 4 : 2;
        const std::int64_t saving = -(cost_of_key(first_key_) + lambda_ * end_bits);
        if (!intra_ && saving <= 0) return {0, 0};
        return {state_of(first_key_), saving};
    }

    struct Step {
        int position, level;
        std::int32_t level_cost, below_cost;
    };
    TANDEM_HOST_DEVICE static Step step_at(int position, const WeighedLevels& weighed) {
        return {position, weighed.level[position], weighed.level_cost[position], weighed.below_cost[position]};
    }

    TANDEM_HOST_DEVICE void extend(int state, const Step& step) {
        constexpr std::int64_t unit = std::int64_t{1} << key_shift;
        const int position = step.position, level = magnitude_of(step.level);
        const Keys bits = reach(position, level);
        const std::int64_t key = bits.of_level + step.level_cost * unit;
        const std::int64_t below = bits.of_below + step.below_cost * unit;
        const bool is_below = cost_of_key(below) <= cost_of_key(key);
        const std::int64_t least = is_below ? below : key;
        const std::int64_t cost = cost_of_key(least);
        states_.position[state] = static_cast<std::uint8_t>(position);
        states_.before[state] = static_cast<std::uint8_t>(state_of(least) | (is_below ? TrellisStates::is_below : 0));
        if (cost <= cost_of_key(first_key_)) {
            first_key_ = key_of(cost, state);
            first_position_ = position;
            others_ = 0;
        } else if (cost < cost_of_key(first_key_) + lambda_ * widest_bit_difference) {
            // It takes the place of those that cost no less; the costs of the others rise.
            const std::int64_t more = cost - cost_of_key(first_key_); // Less than 2^23, since lambda is less than 2^18.
            while (others_ > 0 && cost_of_key(states_.other_key[others_ - 1]) >= more)
                --others_;
            states_.other_key[others_] = static_cast<std::int32_t>(key_of(more, state));
            states_.other_position[others_] = static_cast<std::int8_t>(position);
            ++others_;
        }
    }

    const std::uint8_t (*bits_)[64]; ///< [run][|level|]
    bool intra_, b15_, mpeg1_;
    std::int64_t lambda_;
    std::uint32_t per_bit_; ///< Times the bits of any code, 28 at most, it fits into 32 bits.
    TrellisStates& states_;
    std::int64_t first_key_ = 0;
    int first_position_ = 0, others_ = 0;
};

} // namespace tandem::cuda
