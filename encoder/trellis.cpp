// SPDX-License-Identifier: BSD-2-Clause
// Dynamic programming over scan positions, after Ramchandran and Vetterli, "Rate-distortion optimal fast thresholding
// with complete JPEG/MPEG decoder compatibility" (IEEE Transactions on Image Processing, 1994), with one lower level as
// a further choice. A state says that the last level so far is at one position, and holds the least cost of all choices
// up to it. Costs are relative to a block of zeros, in squared eighths, and whole numbers.
//
// A state is dropped when a later one costs no more: from there every code is at most as long, because run/level codes
// never get shorter with the run (trellis_test.cpp checks the tables). What is left is few, so the work is nearly
// linear.
#include "encoder/trellis.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace tandem {

namespace {

/// A level that is the last one of the block so far.
struct State {
    int position;
    int level;          ///< Magnitude.
    std::size_t before; ///< Index of the state with the level before this one; 0 is the state without any.
};

/// What a level adds to the squared error of 0 (mostly negative), for one coefficient. 32 bits hold it.
class Distortion {
  public:
    Distortion(int coefficient, int weight, const Quantiser& quantiser)
        : twice_(2 * std::abs(coefficient)), weight_(weight), highest_(coefficient < 0 ? 2048 : 2047),
          half_step_(quantiser.intra ? 0 : 1), mpeg1_(quantiser.mpeg1) {}

    int of(int level) const {
        int rebuilt = ((2 * level + half_step_) * weight_) >> 5;
        if (mpeg1_ && rebuilt > 0) rebuilt = (rebuilt - 1) | 1; // Oddification, 11172-2 clause 2.4.4.
        const int scaled = coefficient_scale * std::min(rebuilt, highest_);
        return scaled * (scaled - twice_); // (m - r)^2 - m^2
    }

  private:
    int twice_, weight_, highest_, half_step_;
    bool mpeg1_;
};

/// No code is longer than another of the same level by more bits than this: escapes have 24 at most, the shortest
/// codes 3. (11172-2's escapes of 28 bits are for levels that nothing else codes.)
constexpr int widest_bit_difference = 21;

class Trellis {
  public:
    Trellis(const Quantiser& quantiser, CoefficientTable table, std::uint32_t lambda_q6)
        : quantiser_(quantiser), table_(table),
          lengths_(code_length_tables::coefficient[table == CoefficientTable::b15][quantiser.mpeg1]),
          lambda_(lambda_q6) {
        states_[0] = {quantiser.intra ? 0 : -1, 0, 0};
        survivors_[0] = {key_of(0, 0), states_[0].position, 0};
    }

    /// Adds the state of a coefficient whose quantised magnitude `level` is not 0. Positions rise from call to call.
    void add(int position, int value, int weight, int level) {
        const Distortion distortion(value, weight, quantiser_);
        const std::array<std::int64_t, 3> costs{distortion.of(level), distortion.of(level - 1),
                                                distortion.of(level - 2)};
        // Where the level below is as near, the level itself is neither better nor cheaper. That does not hold for 0:
        // a level may pay by making the next one's run shorter. (An index: a branch would be mispredicted half the
        // time.)
        const auto skipped = static_cast<std::size_t>(level > 1) & static_cast<std::size_t>(costs[1] <= costs[0]);
        const int upper = level - static_cast<int>(skipped);
        const std::int64_t upper_cost = costs[skipped];
        const std::int64_t lower_cost = upper == 1 ? never : costs[skipped + 1];
        const Keys reached = reach(position, upper);
        const std::int64_t upper_key = reached.upper + (upper_cost << key_shift);
        const std::int64_t lower_key = reached.lower + (lower_cost << key_shift);
        const bool is_lower = (lower_key >> key_shift) <= (upper_key >> key_shift);
        const std::int64_t key = is_lower ? lower_key : upper_key;
        const Survivor& before = survivors_[last_index - static_cast<std::size_t>(key & last_index)];
        states_[state_count_] = {position, upper - static_cast<int>(is_lower), before.state};
        survive(key >> key_shift, position);
        ++state_count_;
    }

    /// Writes the signed levels of the cheapest choice and returns their mask.
    std::uint64_t finish(const Block& coefficients, const std::array<std::uint8_t, 64>& scan,
                         std::int16_t* levels) const {
        const int end_bits = table_ == CoefficientTable::b15 ? end_of_block_bits_b15 : end_of_block_bits_b14;
        // Costs of survivors rise: the first is the cheapest. Without a level a non-intra block is not coded at all.
        std::size_t state = survivors_[0].state;
        if (!quantiser_.intra && (survivors_[0].key >> key_shift) + lambda_ * end_bits >= 0) state = 0;
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
    /// A state that may be continued. The key is its cost, and below that 127 - its own index among the survivors:
    /// the least key plus bits is the cheapest choice, of equal ones the latest, and says which it is.
    struct Survivor {
        std::int64_t key;
        int position;
        std::size_t state;
    };
    static constexpr int key_shift = 7;
    static constexpr std::size_t last_index = 127;
    static std::int64_t key_of(std::int64_t cost, std::size_t index) {
        return (cost << key_shift) + static_cast<std::int64_t>(last_index - index);
    }

    static constexpr std::int64_t never = std::int64_t{1} << 48; ///< More than any cost.

    struct Keys {
        std::int64_t upper, lower;
    };
    /// The least keys with the bits of level `upper` and of the level below it at `position`.
    Keys reach(int position, int upper) const {
        const std::int64_t per_bit = lambda_ << key_shift;
        if (upper >= code_length_tables::level_count) { // Escapes, whatever the run: the cheapest survivor is the best.
            const std::int64_t key = survivors_[0].key;
            return {key + per_bit * code_length_tables::escape_bits(upper, quantiser_.mpeg1),
                    key + per_bit * code_length_tables::escape_bits(upper - 1, quantiser_.mpeg1)};
        }
        const auto level = static_cast<std::size_t>(upper);
        Keys least{INT64_MAX, INT64_MAX};
        for (std::size_t i = 0; i < survivor_count_; ++i) {
            const auto& bits = lengths_[static_cast<std::size_t>(position - survivors_[i].position - 1)];
            least.upper = std::min(least.upper, survivors_[i].key + per_bit * bits[level]);
            least.lower = std::min(least.lower, survivors_[i].key + per_bit * bits[level - 1]);
        }
        // Table B-14 has a shorter code for level 1 without run where it is the first of a block.
        if (position == 0 && table_ == CoefficientTable::b14) {
            least.upper -= upper == 1 ? per_bit : 0;
            least.lower -= upper == 2 ? per_bit : 0;
        }
        return least;
    }

    /// Makes the newest state a survivor in place of those that cost as much or more, if it is worth it.
    void survive(std::int64_t cost, int position) {
        if (cost >= (survivors_[0].key >> key_shift) + lambda_ * widest_bit_difference) return; // The first is as good.
        std::size_t cheaper = 0;
        for (std::size_t i = 0; i < survivor_count_; ++i)
            cheaper += (survivors_[i].key >> key_shift) < cost;
        survivors_[cheaper] = {key_of(cost, cheaper), position, state_count_};
        survivor_count_ = cheaper + 1;
    }

    const Quantiser& quantiser_;
    CoefficientTable table_;
    const std::array<std::array<std::uint8_t, code_length_tables::level_count>, 64>& lengths_; ///< [run][level]
    std::int64_t lambda_;
    std::array<State, 65> states_;
    std::size_t state_count_ = 1;
    std::array<Survivor, 65> survivors_; ///< Positions and costs both rise.
    std::size_t survivor_count_ = 1;
};

} // namespace

std::uint64_t trellis_quantise(const Block& coefficients, const Quantiser& quantiser, CoefficientTable table,
                               const std::array<std::uint8_t, 64>& scan, std::uint32_t lambda_q6,
                               std::int16_t* levels) {
    Block nearest;
    std::uint64_t left = transform_kernels().quantise(coefficients, quantiser, nearest);
    std::fill_n(levels, 64, std::int16_t{0});
    if (quantiser.intra) levels[0] = nearest.value[0];

    Trellis trellis(quantiser, table, lambda_q6);
    std::uint64_t positions = 0;
    for (std::size_t i = 0; left != 0; ++i) {
        const std::uint64_t bit = std::uint64_t{1} << scan[i];
        positions |= static_cast<std::uint64_t>((left & bit) != 0) << i;
        left &= ~bit;
    }
    for (; positions != 0; positions &= positions - 1) {
        const int position = std::countr_zero(positions);
        const std::size_t raster = scan[static_cast<std::size_t>(position)];
        trellis.add(position, coefficients.value[raster], quantiser.weight[raster], std::abs(nearest.value[raster]));
    }
    return trellis.finish(coefficients, scan, levels);
}

} // namespace tandem
