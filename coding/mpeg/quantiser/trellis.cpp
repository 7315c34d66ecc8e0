// SPDX-License-Identifier: BSD-2-Clause
// Dynamic programming over scan positions, after Ramchandran and Vetterli, "Rate-distortion optimal fast thresholding
// with complete JPEG/MPEG decoder compatibility" (IEEE Transactions on Image Processing, 1994), with one lower level as
// a further choice. A state says that the last level so far is at one position, and holds the least cost of all choices
// up to it. Costs are relative to a block of zeros, in squared eighths, and whole numbers.
//
// A state is dropped when a later one costs no more: from there every code is at most as long, because run/level codes
// never get shorter with the run (trellis_test.cpp checks the tables). What is left is few, so the work is nearly
// linear.
#include "coding/mpeg/quantiser/trellis.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace tandem {

namespace {

using ScanOrder = std::array<std::uint8_t, 64>;

/// The coefficients whose quantised level is not 0, by rising scan position.
struct Candidates {
    int count = 0;
    std::array<int, 64> position;
    LevelChoices levels;
};

/// A level that is the last one of the block so far.
struct State {
    int position;
    int level;          ///< Magnitude.
    std::size_t before; ///< Index of the state with the level before this one; 0 is the state without any.
};

/// No code is longer than another of the same level by more bits than this: escapes have 24 at most, the shortest
/// codes 3. (11172-2's escapes of 28 bits are for levels that nothing else codes.)
constexpr int widest_bit_difference = 21;

/// All candidates are weighed before they are chained: a step of the chain waits for the one before it, so that the
/// less there is in it the better.
class Trellis {
  public:
    Trellis(const Quantiser& quantiser, CoefficientTable table, std::uint32_t lambda_q6)
        : quantiser_(quantiser), table_(table),
          lengths_(code_length_tables::coefficient[table == CoefficientTable::b15][quantiser.mpeg1]),
          lambda_(lambda_q6), per_bit_(lambda_ << key_shift) {}

    /// The state that a choice of levels ends in, 0 without any, and what it saves.
    struct End {
        std::size_t state;
        std::int64_t saving;
    };
    /// Of the cheapest choice.
    End chain(const Candidates& candidates) {
        states_[0] = {quantiser_.intra ? 0 : -1, 0, 0};
        Survivor first{key_of(0, 0), states_[0].position}; // Mostly the only one.
        std::size_t others = 0;
        for (std::size_t i = 0; i < static_cast<std::size_t>(candidates.count); ++i) {
            const std::size_t state = i + 1;
            const int position = candidates.position[i];
            const int level = candidates.levels.level[i];
            const Keys bits = reach(position, level, first, others);
            const std::int64_t key = bits.of_level + (std::int64_t{candidates.levels.level_cost[i]} << key_shift);
            const std::int64_t below = bits.of_below + (std::int64_t{candidates.levels.below_cost[i]} << key_shift);
            const bool is_below = cost_of(below) <= cost_of(key);
            const std::int64_t least = is_below ? below : key;
            const std::int64_t cost = cost_of(least);
            states_[state] = {position, level - static_cast<int>(is_below), state_of(least)};
            if (cost <= cost_of(first.key)) {
                first = {key_of(cost, state), position};
                others = 0;
            } else if (cost < cost_of(first.key) + lambda_ * widest_bit_difference) { // Else the first is as good.
                others = others_below(cost, others);
                others_[others++] = {key_of(cost, state), position};
            }
        }
        // Costs of survivors rise: the first is the cheapest. Without a level a non-intra block is not coded at all.
        const int end_bits = table_ == CoefficientTable::b15 ? end_of_block_bits_b15 : end_of_block_bits_b14;
        const std::int64_t saving = -(cost_of(first.key) + lambda_ * end_bits);
        if (!quantiser_.intra && saving <= 0) return {0, 0};
        return {state_of(first.key), saving};
    }

    /// Writes the signed levels of the choice that ends in `state` and returns their mask.
    std::uint64_t write(std::size_t state, const Block& coefficients, const ScanOrder& scan,
                        std::int16_t* levels) const {
        std::uint64_t mask = 0;
        for (; state != 0; state = states_[state].before) {
            const auto position = static_cast<std::size_t>(states_[state].position);
            const int sign = coefficients.value[scan[position]] >> 15; // 0 or -1.
            levels[position] = static_cast<std::int16_t>((states_[state].level ^ sign) - sign);
            mask |= std::uint64_t{1} << position;
        }
        return mask;
    }

  private:
    /// A state that may be continued. The key is its cost, and below that 127 - its index: the least key plus bits is
    /// the cheapest choice, of equal ones the latest, and says which it is.
    struct Survivor {
        std::int64_t key;
        int position;
    };
    static constexpr int key_shift = 7;
    static constexpr std::int64_t last_state = 127;
    static std::int64_t key_of(std::int64_t cost, std::size_t state) {
        return (cost << key_shift) + (last_state - static_cast<std::int64_t>(state));
    }
    static std::int64_t cost_of(std::int64_t key) { return key >> key_shift; }
    static std::size_t state_of(std::int64_t key) { return static_cast<std::size_t>(last_state - (key & last_state)); }

    struct Keys {
        std::int64_t of_level, of_below;
    };
    /// The least keys with the bits of `level` and of the level below it at `position`.
    Keys reach(int position, int level, const Survivor& first, std::size_t others) const {
        if (level >= code_length_tables::level_count) // Escapes, whatever the run: the cheapest survivor is the best.
            return {first.key + per_bit_ * code_length_tables::escape_bits(level, quantiser_.mpeg1),
                    first.key + per_bit_ * code_length_tables::escape_bits(level - 1, quantiser_.mpeg1)};
        Keys least = keys_after(first, position, level);
        for (std::size_t i = 0; i < others; ++i) {
            const Keys keys = keys_after(others_[i], position, level);
            least.of_level = std::min(least.of_level, keys.of_level);
            least.of_below = std::min(least.of_below, keys.of_below);
        }
        // Table B-14 has a shorter code for level 1 without run where it is the first of a block.
        if (position == 0 && table_ == CoefficientTable::b14) {
            least.of_level -= level == 1 ? per_bit_ : 0;
            least.of_below -= level == 2 ? per_bit_ : 0;
        }
        return least;
    }
    Keys keys_after(const Survivor& survivor, int position, int level) const {
        const auto& bits = lengths_[static_cast<std::size_t>(position - survivor.position - 1)];
        return {survivor.key + per_bit_ * bits[static_cast<std::size_t>(level)],
                survivor.key + per_bit_ * bits[static_cast<std::size_t>(level - 1)]};
    }

    /// How many of the others cost less: those that do not, a new one takes the place of.
    std::size_t others_below(std::int64_t cost, std::size_t others) const {
        std::size_t below = 0;
        for (std::size_t i = 0; i < others; ++i)
            below += cost_of(others_[i].key) < cost;
        return below;
    }

    const Quantiser& quantiser_;
    CoefficientTable table_;
    const std::array<std::array<std::uint8_t, code_length_tables::level_count>, 64>& lengths_; ///< [run][level]
    std::int64_t lambda_, per_bit_;
    std::array<State, 65> states_;
    std::array<Survivor, 64> others_; ///< Survivors beside the first. Positions and costs both rise.
};

/// `nonzero`: the raster indices of levels that are not 0.
void gather(const Block& coefficients, const Block& levels, std::uint64_t nonzero, const Quantiser& quantiser,
            bool alternate_scan, Candidates& candidates) {
    const ScanOrder &order = scan_order(alternate_scan), &position_of = scan_positions(alternate_scan);
    std::uint64_t positions = 0;
    for (; nonzero != 0; nonzero &= nonzero - 1) {
        const auto raster = static_cast<std::size_t>(std::countr_zero(nonzero));
        positions |= std::uint64_t{1} << position_of[raster];
    }
    for (; positions != 0; positions &= positions - 1) {
        const int position = std::countr_zero(positions);
        const std::size_t raster = order[static_cast<std::size_t>(position)];
        const auto i = static_cast<std::size_t>(candidates.count++);
        candidates.position[i] = position;
        candidates.levels.coefficient[i] = coefficients.value[raster];
        candidates.levels.weight[i] = quantiser.weight[raster];
        candidates.levels.level[i] = std::abs(levels.value[raster]);
    }
}

} // namespace

TrellisChoice trellis_quantise(const Block& coefficients, const Quantiser& quantiser, CoefficientTable table,
                               bool alternate_scan, std::uint32_t lambda_q6, std::int16_t* levels) {
    const TransformKernels& kernels = transform_kernels();
    Block nearest;
    const std::uint64_t nonzero = kernels.quantise(coefficients, quantiser, nearest);
    clear_values(levels);
    if (quantiser.intra) levels[0] = nearest.value[0];
    if (nonzero == 0) return {0, 0};

    Candidates candidates;
    gather(coefficients, nearest, nonzero, quantiser, alternate_scan, candidates);
    kernels.weigh_levels(quantiser, candidates.count, candidates.levels);
    Trellis trellis(quantiser, table, lambda_q6);
    const Trellis::End end = trellis.chain(candidates);
    return {trellis.write(end.state, coefficients, scan_order(alternate_scan), levels), end.saving};
}

} // namespace tandem
