// SPDX-License-Identifier: BSD-2-Clause
// Predict, transform, quantise, rebuild blocks of a macroblock in a mode, and what their levels take:
// ResidualCoder of coding/mpeg/residual.h, and coefficients of bitstream/mpeg/macroblock_writer.h.
#pragma once

#include "coding/mpeg/quantiser/pattern_choice.h"
#include "cuda/coding/kernels/code_bits.h"
#include "cuda/coding/kernels/mode_distortion.h"
#include "cuda/coding/kernels/trellis_chain.h"

namespace tandem::cuda {

/// choose_pattern() of coding/mpeg/quantiser/pattern_choice.h: all subsets at once.
TANDEM_HOST_DEVICE inline int chosen_pattern(const Lanes& lanes, const CodingTask& task, int pattern,
                                             const std::int64_t* saving, std::uint32_t lambda_q6) {
    const int doubtful = doubtful_blocks(pattern, saving, lambda_q6);
    if (doubtful == 0) return pattern;
    // Six doubtful blocks save less than 54 lambda, and lambda is less than 2^18: what a subset lacks of that fits into
    // 26 bits, below which there is room for the subset. Of equal ones the greatest is the least here.
    return 63 - static_cast<int>(lanes.least(64, [&](int subset) {
               if ((subset & ~pattern) != 0 || (pattern & ~doubtful & ~subset) != 0) return UINT32_MAX;
               std::uint32_t lacks = lambda_q6 * (54 + task.tables->pattern_bits[subset]);
               for (int block = 0; block < 6; ++block)
                   lacks -= (subset & doubtful & (32 >> block)) != 0 ? static_cast<std::uint32_t>(saving[block]) : 0;
               return lacks << 6 | static_cast<std::uint32_t>(63 - subset);
           }) & 63);
}

template <int blocks> struct BlocksScratch {
    std::uint64_t nonzero[blocks];        ///< By scan position; of intra blocks without DC.
    std::int64_t saving[blocks];          ///< Of the trellis: TrellisChoice::saving.
    std::int16_t coefficient[blocks][64]; ///< In raster order: the transform's, then what is rebuilt.
    std::int16_t level[blocks][64];       ///< By scan position.
    std::uint32_t prediction[blocks][16]; ///< Four samples in a word.
    union alignas(16) {
        struct {
            std::int16_t value[blocks][64], columns[blocks][64];
        } transform;
        LevelCosts costs[blocks]; ///< For the trellis.
        float inverse[blocks][64];
    };
};

/// So many blocks of a macroblock from `first` on: all six, or one. Its functions are called in their order here.
template <int blocks> class BlocksCoder {
  public:
    TANDEM_HOST_DEVICE BlocksCoder(const Lanes& lanes, const CodingTask& task, int macroblock, const Mode& mode,
                                   int first, BlocksScratch<blocks>& scratch)
        : lanes_(lanes), task_(task), macroblock_(macroblock), first_(first), left_(task.left(macroblock)),
          top_(task.top(macroblock)), scratch_(scratch), flags_(mode.flags), intra_((mode.flags & mb_intra) != 0),
          forward_(mode.forward), backward_(mode.backward), lambda_q6_(task.ladder[wanted_step()].lambda_q6) {}

    /// Where on the ladder the quantiser stands that the macroblock is to have.
    TANDEM_HOST_DEVICE int wanted_step() const { return task_.wanted_code[macroblock_] - task_.first_code; }

    /// The prediction, 0 of intra, and what it leaves of the source.
    TANDEM_HOST_DEVICE void predict() {
        lanes_.each(blocks * 16, [&](int item) {
            const int b = item / 16, x = x_of(item), y = y_of(item);
            const BlockPlace place = place_of(b);
            const std::uint32_t source = SamplesFrom(task_.source, place.plane, place.x, place.y).four(x, y);
            std::uint32_t predicted = 0; // Intra pictures have no references.
            if (!intra_)
                predicted =
                    PredictedSamples(task_, flags_, forward_, backward_, place.plane, place.x, place.y).four(x, y);
            Four<std::int16_t> differences;
            for (int i = 0; i < 4; ++i)
                differences.value[i] = static_cast<std::int16_t>(difference_of_bytes(source, predicted, 8 * i));
            scratch_.prediction[b][item % 16] = predicted;
            four_of(scratch_.transform.value[b], item % 16) = differences;
        });
    }

    /// The squared error of the prediction alone. Blocks whose energy can make no level are left out.
    TANDEM_HOST_DEVICE std::uint32_t transform() {
        std::uint32_t energy[blocks], all = 0;
        lanes_.add_up(
            64,
            [&](int i, std::uint32_t(&parts)[blocks]) {
                for (int b = 0; b < blocks; ++b) {
                    const int value = scratch_.transform.value[b][i];
                    parts[b] += static_cast<std::uint32_t>(value * value);
                }
            },
            energy);
        active_ = 0;
        for (int b = 0; b < blocks; ++b) {
            all += energy[b];
            active_ |= static_cast<unsigned>(intra_ || energy[b] > quantiser_of(wanted_step()).zero_energy) << b;
        }
        lanes_.each(32, [&](int lane) {
            TANDEM_ROLLED
            for (int i = lane; i < 64; i += 32) {
                const TransformRow row(task_.tables->forward_columns[i / 8]);
                TANDEM_ROLLED
                for (int b = 0; b < blocks; ++b) {
                    if (active_ >> b & 1)
                        scratch_.transform.columns[b][i] = row.of(scratch_.transform.value[b] + i % 8, 8, 10);
                }
            }
        });
        lanes_.each(32, [&](int lane) {
            const TransformRow row(task_.tables->forward_rows[lane % 8]);
            TANDEM_ROLLED
            for (int b = 0; b < blocks; ++b) {
                if (!(active_ >> b & 1)) continue;
                for (int i = lane; i < 64; i += 32)
                    scratch_.coefficient[b][i] = row.of(scratch_.transform.columns[b] + i / 8 * 8, 1, 17);
            }
        });
        return all;
    }

    /// Levels by the quantisers of this step of the ladder; true where one may have been cut and there is a coarser
    /// quantiser.
    TANDEM_HOST_DEVICE bool quantise(int step) {
        const Quantiser& quantiser = quantiser_of(step);
        TANDEM_ROLLED
        for (int b = 0; b < blocks; ++b) {
            if (active_ >> b & 1) {
                quantise_block(quantiser, b);
            } else {
                leave_out(b);
            }
        }
        if (task_.trellis) choose_levels(quantiser);
        if (quantiser.vanishes) drop_what_vanishes(quantiser);
        if (!intra_) drop_beside_saturated(quantiser);
        return step + 1 < task_.ladder_length && has_largest_level(quantiser);
    }

    /// With the trellis, leaves out coded blocks of the six that save less than coded_block_pattern gets longer by
    /// them.
    TANDEM_HOST_DEVICE void drop_what_does_not_pay() {
        static_assert(blocks == 6);
        if (intra_ || !task_.trellis) return;
        const int coded = pattern();
        const int dropped = coded & ~chosen_pattern(lanes_, task_, coded, scratch_.saving, lambda_q6_);
        TANDEM_ROLLED
        for (int b = 0; b < blocks; ++b) {
            if (dropped & (32 >> b)) leave_out(b);
        }
    }

    /// No levels at all.
    TANDEM_HOST_DEVICE void leave_out() {
        TANDEM_ROLLED
        for (int b = 0; b < blocks; ++b)
            leave_out(b);
    }

    TANDEM_HOST_DEVICE bool is_coded(int b) const { return intra_ || scratch_.nonzero[b] != 0; }
    /// Bit blocks - 1 - b: whether block b is coded.
    TANDEM_HOST_DEVICE int pattern() const {
        int coded = 0;
        for (int b = 0; b < blocks; ++b)
            coded = coded << 1 | static_cast<int>(is_coded(b));
        return coded;
    }

    /// What sample() needs, of levels of this step.
    TANDEM_HOST_DEVICE void rebuild(int step) {
        TANDEM_ROLLED
        for (int b = 0; b < blocks; ++b) {
            if (!is_coded(b)) continue;
            dequantise(quantiser_of(step), b);
            lanes_.each(64, [&](int i) {
                scratch_.inverse[b][i] =
                    product(static_cast<float>(scratch_.coefficient[b][i]), task_.tables->inverse_scale[i]);
            });
        }
        lanes_.each(8 * blocks, [&](int item) {
            if (is_coded(item / 8)) inverse_pass(scratch_.inverse[item / 8] + item % 8, 8);
        });
        lanes_.each(8 * blocks, [&](int item) {
            if (is_coded(item / 8)) inverse_pass(scratch_.inverse[item / 8] + item % 8 * 8, 1);
        });
    }
    /// Puts what is rebuilt into the reconstruction.
    TANDEM_HOST_DEVICE void store() const {
        lanes_.each(blocks * 16, [&](int item) {
            const BlockPlace place = place_of(item / 16);
            const int stride = task_.reconstruction.stride[place.plane];
            std::uint8_t* const to = task_.reconstruction.plane[place.plane] +
                                     static_cast<std::ptrdiff_t>(place.y + y_of(item)) * stride + place.x + x_of(item);
            const std::uint32_t word = samples(item);
            Four<std::uint8_t> four;
            for (int i = 0; i < 4; ++i)
                four.value[i] = static_cast<std::uint8_t>(word >> (8 * i));
            four_of(to, 0) = four;
        });
    }
    /// The squared error of what is rebuilt.
    TANDEM_HOST_DEVICE std::uint32_t error() const {
        return lanes_.sum(blocks * 16, [&](int item) {
            const BlockPlace place = place_of(item / 16);
            const SamplesFrom source(task_.source, place.plane, place.x, place.y);
            return add_squares(source.four(x_of(item), y_of(item)), samples(item), 0);
        });
    }

    /// Bits of the coded blocks, but for the DCs of intra blocks.
    TANDEM_HOST_DEVICE std::uint32_t bits() const {
        const bool b15 = intra_ && task_.intra_b15;
        const std::uint32_t run_levels = sum_of_blocks([&](int b, int lane) {
            const std::uint64_t nonzero = scratch_.nonzero[b];
            std::uint32_t sum = 0;
            TANDEM_ROLLED
            for (int position = lane; position < 64; position += 32) {
                if (nonzero >> position & 1) sum += static_cast<std::uint32_t>(run_level_bits(b, position));
            }
            return sum;
        });
        return run_levels + static_cast<std::uint32_t>(bits_set(static_cast<unsigned>(pattern())) * (b15 ? 4 : 2));
    }

  private:
    /// The plane of a block and where its first sample is there.
    struct BlockPlace {
        int plane, x, y;
    };
    TANDEM_HOST_DEVICE BlockPlace place_of(int b) const {
        const int block = blocks == 6 ? b : first_ + b;
        if (block >= 4) return {block - 3, left_ / 2, top_ / 2};
        return {0, left_ + (block & 1) * 8, top_ + (block >> 1) * 8};
    }

    /// The sum of value(block, lane) over all blocks and 32 lanes.
    template <class Value> TANDEM_HOST_DEVICE std::uint32_t sum_of_blocks(const Value& value) const {
        return lanes_.sum(32, [&](int lane) {
            std::uint32_t sum = 0;
            TANDEM_ROLLED
            for (int b = 0; b < blocks; ++b)
                sum += value(b, lane);
            return sum;
        });
    }

    TANDEM_HOST_DEVICE const Quantiser& quantiser_of(int step) const {
        return intra_ ? task_.ladder[step].intra : task_.ladder[step].inter;
    }
    /// Blocks are taken by four samples in a row, sixteen items each: where these begin in their block.
    TANDEM_HOST_DEVICE static int x_of(int item) { return item % 2 * 4; }
    TANDEM_HOST_DEVICE static int y_of(int item) { return item % 16 / 2; }
    /// What is rebuilt of these, a word.
    TANDEM_HOST_DEVICE std::uint32_t samples(int item) const {
        const int b = item / 16;
        const std::uint32_t predicted = scratch_.prediction[b][item % 16];
        if (!is_coded(b)) return predicted;
        const Four<float> residual = four_of(scratch_.inverse[b], item % 16);
        std::uint32_t word = 0;
        for (int i = 0; i < 4; ++i) {
            const int sample = static_cast<int>(predicted >> (8 * i) & 255) + nearest_integer(residual.value[i]);
            word |= static_cast<std::uint32_t>(clamped(sample, 0, 255)) << (8 * i);
        }
        return word;
    }
    TANDEM_HOST_DEVICE int run_level_bits(int b, int position) const {
        const std::uint64_t before = scratch_.nonzero[b] & ((std::uint64_t{1} << position) - 1);
        const int last = before != 0 ? highest_bit(before) : intra_ ? 0 : -1;
        const int level = magnitude_of(scratch_.level[b][position]);
        if (level >= levels_with_code) return escape_bits_of(task_.mpeg1, level);
        // Table B-14 has a shorter code for level 1 without run where it is the first of a block.
        const bool is_short = !intra_ && position == 0 && level == 1;
        return task_.tables->coefficient_bits[intra_][position - last - 1][level] - (is_short ? 1 : 0);
    }
    TANDEM_HOST_DEVICE void leave_out(int b) {
        lanes_.each(64, [&](int position) { scratch_.level[b][position] = 0; });
        lanes_.once([&] { scratch_.nonzero[b] = 0; });
    }

    /// Levels; for the trellis weighed.
    TANDEM_HOST_DEVICE void quantise_block(const Quantiser& quantiser, int b) {
        const std::uint8_t* scan = task_.tables->scan;
        const std::uint64_t mask = lanes_.mask64([&](int position) {
            const int i = scan[position], coefficient = scratch_.coefficient[b][i];
            if (intra_ && position == 0) {
                scratch_.level[b][0] = static_cast<std::int16_t>(quantised_dc(coefficient, quantiser));
                return false;
            }
            int level = quantised(coefficient, quantiser, i);
            if (task_.trellis && level != 0) level = weighed(coefficient, level, quantiser, b, position, i);
            scratch_.level[b][position] = static_cast<std::int16_t>(coefficient < 0 ? -level : level);
            return level != 0;
        });
        lanes_.once([&] { scratch_.nonzero[b] = mask; });
    }

    /// weigh_levels() for one level, which it gives back or the level below it.
    TANDEM_HOST_DEVICE int weighed(int coefficient, int level, const Quantiser& quantiser, int b, int position, int i) {
        const int weight = quantiser.weight[i];
        int cost = added_error(coefficient, level, quantiser, weight);
        if (level > 1) {
            const int below = added_error(coefficient, level - 1, quantiser, weight);
            if (below <= cost) {
                cost = below;
                --level;
            }
        }
        scratch_.costs[b].level[position] = cost;
        scratch_.costs[b].below[position] =
            level == 1 ? INT32_MAX : added_error(coefficient, level - 1, quantiser, weight);
        return level;
    }

    TANDEM_HOST_DEVICE void choose_levels(const Quantiser& quantiser) {
        lanes_.each(blocks, [&](int b) {
            TrellisChain chain(task_.tables->coefficient_bits[intra_], intra_, intra_ && task_.intra_b15,
                               quantiser.mpeg1, lambda_q6_, scratch_.level[b], scratch_.costs[b]);
            const TrellisChoice chosen = chain.run(scratch_.nonzero[b]);
            scratch_.nonzero[b] = chosen.nonzero;
            scratch_.saving[b] = chosen.saving;
        });
    }

    TANDEM_HOST_DEVICE void drop_what_vanishes(const Quantiser& quantiser) {
        TANDEM_ROLLED
        for (int b = 0; b < blocks; ++b) {
            const std::uint64_t mask = lanes_.mask64([&](int position) {
                if (!(scratch_.nonzero[b] >> position & 1)) return false;
                const auto i = static_cast<std::size_t>(task_.tables->scan[position]);
                if (!rebuilds_nothing(scratch_.level[b][position], quantiser, i)) return true;
                scratch_.level[b][position] = 0;
                return false;
            });
            lanes_.once([&] { scratch_.nonzero[b] = mask; });
        }
    }

    TANDEM_HOST_DEVICE void drop_beside_saturated(const Quantiser& quantiser) {
        lanes_.each(blocks, [&](int b) {
            if (!saturates(scratch_.level[b][0], quantiser, 0)) return;
            for (int position = 1; position < 64; ++position)
                scratch_.level[b][position] = 0;
            scratch_.nonzero[b] &= 1;
        });
    }

    TANDEM_HOST_DEVICE bool has_largest_level(const Quantiser& quantiser) const {
        return sum_of_blocks([&](int b, int lane) {
                   const std::uint64_t nonzero = scratch_.nonzero[b];
                   std::uint32_t sum = 0;
                   TANDEM_ROLLED
                   for (int position = lane; position < 64; position += 32) {
                       const bool coded = nonzero >> position & 1;
                       sum += static_cast<std::uint32_t>(coded && magnitude_of(scratch_.level[b][position]) >=
                                                                      quantiser.largest_level);
                   }
                   return sum;
               }) != 0;
    }

    TANDEM_HOST_DEVICE void dequantise(const Quantiser& quantiser, int b) {
        const std::uint32_t sum = lanes_.sum(64, [&](int position) {
            const int i = task_.tables->scan[position], level = scratch_.level[b][position];
            const int value = intra_ && i == 0 ? clamped(level * quantiser.dc_multiplier, -2048, 2047)
                                               : rebuilt(level, quantiser, quantiser.weight[i]);
            scratch_.coefficient[b][i] = static_cast<std::int16_t>(value);
            return static_cast<std::uint32_t>(value);
        });
        // Mismatch control, 13818-2 clause 7.4.4: an even sum changes the lowest bit of the last coefficient.
        lanes_.once([&] {
            if (!quantiser.mpeg1 && sum % 2 == 0)
                scratch_.coefficient[b][63] = static_cast<std::int16_t>(scratch_.coefficient[b][63] ^ 1);
        });
    }

    const Lanes& lanes_;
    const CodingTask& task_;
    int macroblock_, first_, left_, top_;
    BlocksScratch<blocks>& scratch_;
    int flags_;
    bool intra_;
    Mv forward_, backward_;
    std::uint32_t lambda_q6_;
    unsigned active_ = 0; ///< Bit b: block b may have levels.
};

} // namespace tandem::cuda
