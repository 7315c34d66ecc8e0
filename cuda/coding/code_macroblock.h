// SPDX-License-Identifier: BSD-2-Clause
// Predict, transform, quantise, rebuild a macroblock whose mode is decided: ResidualCoder of coding/mpeg/residual.h.
#pragma once

#include "cuda/coding/mode_distortion.h"
#include "cuda/coding/trellis_chain.h"

namespace tandem::cuda {

struct CodeScratch {
    std::uint64_t nonzero[6];        ///< By scan position; of intra blocks without DC.
    std::int16_t coefficient[6][64]; ///< In raster order: the transform's, then what is rebuilt.
    std::int16_t level[6][64];       ///< By scan position.
    std::uint8_t prediction[6][64];
    union {
        struct {
            std::int16_t value[6][64], columns[6][64];
        } transform;
        struct {
            std::int32_t level_cost[6][64], below_cost[6][64];
            TrellisStates states[6];
        } trellis;
        float inverse[6][64];
    };
};

class MacroblockCoder {
  public:
    TANDEM_HOST_DEVICE MacroblockCoder(const Lanes& lanes, const CodingTask& task, int macroblock, CodeScratch& scratch)
        : lanes_(lanes), task_(task), macroblock_(macroblock), scratch_(scratch), flags_(task.decided[macroblock]),
          intra_((task.decided[macroblock] & mb_intra) != 0), forward_(task.forward[macroblock]),
          backward_(task.backward[macroblock]) {}

    TANDEM_HOST_DEVICE void run() {
        int step = task_.wanted_code[macroblock_] - task_.first_code;
        lambda_q6_ = task_.ladder[step].lambda_q6;
        predict();
        transform(quantiser_of(step).zero_energy);
        while (quantise(quantiser_of(step), step + 1 == task_.ladder_length))
            ++step;
        rebuild(quantiser_of(step));
        int coded = 0;
        for (int b = 0; b < 6; ++b)
            coded = coded << 1 | static_cast<int>(intra_ || scratch_.nonzero[b] != 0);
        lanes_.once([&] {
            task_.pattern[macroblock_] = static_cast<std::uint8_t>(coded);
            task_.code[macroblock_] = static_cast<std::uint8_t>(task_.ladder[step].code);
        });
        settle_flags(coded != 0);
        pack();
    }

  private:
    TANDEM_HOST_DEVICE const Quantiser& quantiser_of(int step) const {
        return intra_ ? task_.ladder[step].intra : task_.ladder[step].inter;
    }
    /// Where sample i (raster order) of a block lies in its plane.
    TANDEM_HOST_DEVICE int column_of(int block, int i) const {
        return block < 4 ? task_.left(macroblock_) + (block & 1) * 8 + i % 8 : task_.left(macroblock_) / 2 + i % 8;
    }
    TANDEM_HOST_DEVICE int row_of(int block, int i) const {
        return block < 4 ? task_.top(macroblock_) + (block >> 1) * 8 + i / 8 : task_.top(macroblock_) / 2 + i / 8;
    }
    TANDEM_HOST_DEVICE static int plane_of(int block) { return block < 4 ? 0 : block - 3; }

    /// A chroma sample: the vector is halved towards zero and again at half-pel precision (13818-2 clause 7.6.3.7).
    TANDEM_HOST_DEVICE int displaced_chroma(int direction, int plane, int x, int y, Mv mv) const {
        const SamplePlanes& reference = task_.direction[direction].reference;
        const int dx = mv.x / eighths_per_half_pel / 2, dy = mv.y / eighths_per_half_pel / 2;
        const std::uint8_t* at = reference.plane[plane] +
                                 static_cast<std::ptrdiff_t>(y + (dy >> 1)) * reference.stride[plane] + x + (dx >> 1);
        return half_pel_sample(at, reference.stride[plane], dx & 1, dy & 1);
    }
    TANDEM_HOST_DEVICE int predicted_chroma(int plane, int x, int y) const {
        const bool uses_backward = (flags_ & mb_backward) != 0, both = uses_backward && (flags_ & mb_forward) != 0;
        if (uses_backward && !both) return displaced_chroma(1, plane, x, y, backward_);
        const int first = displaced_chroma(0, plane, x, y, forward_);
        return both ? (first + displaced_chroma(1, plane, x, y, backward_) + 1) >> 1 : first;
    }

    /// The prediction, 0 of intra, and what it leaves of the source.
    TANDEM_HOST_DEVICE void predict() {
        lanes_.each(384, [&](int item) {
            const int block = item / 64, i = item % 64, plane = plane_of(block);
            const int x = column_of(block, i), y = row_of(block, i);
            int predicted = 0;
            if (!intra_)
                predicted = plane == 0 ? predicted_luma(task_, flags_, forward_, backward_, x, y)
                                       : predicted_chroma(plane, x, y);
            const int source =
                task_.source.plane[plane][static_cast<std::ptrdiff_t>(y) * task_.source.stride[plane] + x];
            scratch_.prediction[block][i] = static_cast<std::uint8_t>(predicted);
            scratch_.transform.value[block][i] = static_cast<std::int16_t>(source - predicted);
        });
    }

    /// Blocks whose energy can make no level are left out.
    TANDEM_HOST_DEVICE void transform(std::uint32_t zero_energy) {
        std::uint32_t energy[6];
        lanes_.add_up(
            64,
            [&](int i, std::uint32_t(&parts)[6]) {
                for (int b = 0; b < 6; ++b) {
                    const int value = scratch_.transform.value[b][i];
                    parts[b] += static_cast<std::uint32_t>(value * value);
                }
            },
            energy);
        active_ = 0;
        for (int b = 0; b < 6; ++b)
            active_ |= static_cast<unsigned>(intra_ || energy[b] > zero_energy) << b;
        lanes_.each(384, [&](int item) {
            const int block = item / 64, i = item % 64;
            if (!(active_ >> block & 1)) return;
            scratch_.transform.columns[block][i] =
                forward_column(*task_.tables, scratch_.transform.value[block], i / 8, i % 8);
        });
        lanes_.each(384, [&](int item) {
            const int block = item / 64, i = item % 64;
            if (!(active_ >> block & 1)) return;
            scratch_.coefficient[block][i] =
                forward_row(*task_.tables, scratch_.transform.columns[block], i / 8, i % 8);
        });
    }

    /// True where a level may have been cut and there is a coarser quantiser.
    TANDEM_HOST_DEVICE bool quantise(const Quantiser& quantiser, bool is_last) {
        for (int b = 0; b < 6; ++b) {
            if (active_ >> b & 1) {
                quantise_block(quantiser, b);
            } else {
                lanes_.each(64, [&](int position) { scratch_.level[b][position] = 0; });
                lanes_.once([&] { scratch_.nonzero[b] = 0; });
            }
        }
        if (task_.trellis) choose_levels(quantiser);
        if (quantiser.vanishes) drop_what_vanishes(quantiser);
        if (!intra_) drop_beside_saturated(quantiser);
        return !is_last && has_largest_level(quantiser);
    }

    /// Levels with their signs; for the trellis magnitudes, weighed.
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
            const bool negative = coefficient < 0 && !task_.trellis;
            scratch_.level[b][position] = static_cast<std::int16_t>(negative ? -level : level);
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
        scratch_.trellis.level_cost[b][position] = cost;
        scratch_.trellis.below_cost[b][position] =
            level == 1 ? INT32_MAX : added_error(coefficient, level - 1, quantiser, weight);
        return level;
    }

    TANDEM_HOST_DEVICE void choose_levels(const Quantiser& quantiser) {
        lanes_.each(6, [&](int b) {
            TrellisChain chain(task_.tables->coefficient_bits[intra_], intra_, intra_ && task_.intra_b15,
                               quantiser.mpeg1, lambda_q6_, scratch_.trellis.states[b]);
            const WeighedLevels levels{scratch_.level[b], scratch_.trellis.level_cost[b],
                                       scratch_.trellis.below_cost[b]};
            scratch_.nonzero[b] = chain.run(scratch_.nonzero[b], levels, scratch_.coefficient[b], task_.tables->scan);
        });
    }

    TANDEM_HOST_DEVICE void drop_what_vanishes(const Quantiser& quantiser) {
        for (int b = 0; b < 6; ++b) {
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
        lanes_.each(6, [&](int b) {
            if (!saturates(scratch_.level[b][0], quantiser, 0)) return;
            for (int position = 1; position < 64; ++position)
                scratch_.level[b][position] = 0;
            scratch_.nonzero[b] &= 1;
        });
    }

    TANDEM_HOST_DEVICE bool has_largest_level(const Quantiser& quantiser) const {
        return lanes_.sum(384, [&](int item) {
            const int block = item / 64, position = item % 64;
            const bool coded = scratch_.nonzero[block] >> position & 1;
            return static_cast<std::uint32_t>(coded &&
                                              magnitude_of(scratch_.level[block][position]) >= quantiser.largest_level);
        }) != 0;
    }

    TANDEM_HOST_DEVICE bool is_coded(int block) const { return intra_ || scratch_.nonzero[block] != 0; }

    TANDEM_HOST_DEVICE void rebuild(const Quantiser& quantiser) {
        for (int b = 0; b < 6; ++b) {
            if (is_coded(b)) dequantise(quantiser, b);
        }
        lanes_.each(384, [&](int item) {
            const int block = item / 64, i = item % 64;
            if (!is_coded(block)) return;
            scratch_.inverse[block][i] =
                product(static_cast<float>(scratch_.coefficient[block][i]), task_.tables->inverse_scale[i]);
        });
        lanes_.each(48, [&](int item) {
            if (is_coded(item / 8)) inverse_pass(scratch_.inverse[item / 8] + item % 8, 8);
        });
        lanes_.each(48, [&](int item) {
            if (is_coded(item / 8)) inverse_pass(scratch_.inverse[item / 8] + item % 8 * 8, 1);
        });
        lanes_.each(384, [&](int item) {
            const int block = item / 64, i = item % 64, plane = plane_of(block);
            int sample = scratch_.prediction[block][i];
            if (is_coded(block)) sample = clamped(sample + nearest_integer(scratch_.inverse[block][i]), 0, 255);
            task_.reconstruction
                .plane[plane][static_cast<std::ptrdiff_t>(row_of(block, i)) * task_.reconstruction.stride[plane] +
                              column_of(block, i)] = static_cast<std::uint8_t>(sample);
        });
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

    /// 13818-2 clause 7.6.6 says what may be skipped, table B-3 what "no MC" is.
    TANDEM_HOST_DEVICE void settle_flags(bool coded) {
        const SliceExtent slice = task_.slice[task_.slice_of[macroblock_]];
        const bool inside = macroblock_ != slice.first && macroblock_ != slice.end - 1;
        int flags = flags_;
        if (!intra_ && task_.type == PictureType::predicted && forward_ == Mv{}) {
            if (coded) flags = 0;
            if (!coded && inside) flags = mb_skipped;
        } else if (!intra_ && task_.type == PictureType::bidirectional && !coded && inside && repeats()) {
            flags |= mb_skipped;
        }
        lanes_.once([&] {
            task_.flags[macroblock_] = static_cast<std::uint8_t>(flags);
            if (task_.coded_since_intra == nullptr) return;
            const int so_far = task_.coded_before != nullptr ? task_.coded_before[macroblock_] : 0;
            const int now = flags & mb_intra ? 0 : flags & mb_skipped ? so_far : so_far + 1;
            task_.coded_since_intra[macroblock_] = static_cast<std::uint8_t>(now);
        });
    }
    /// Whether it is predicted as the macroblock before it.
    TANDEM_HOST_DEVICE bool repeats() const {
        const int before = macroblock_ - 1;
        const int directions = flags_ & (mb_forward | mb_backward);
        return directions != 0 && directions == (task_.decided[before] & (mb_forward | mb_backward)) &&
               (!(directions & mb_forward) || task_.forward[before] == forward_) &&
               (!(directions & mb_backward) || task_.backward[before] == backward_);
    }

    /// The levels of the blocks, one after the other.
    TANDEM_HOST_DEVICE void pack() {
        std::uint32_t count = 0, first[6];
        for (int b = 0; b < 6; ++b) {
            first[b] = count;
            count += static_cast<std::uint32_t>(bits_set(kept(b)));
        }
        const std::uint32_t at = count > 0 ? lanes_.reserve(task_.packed_count, count) : 0;
        lanes_.each(6, [&](int b) {
            task_.nonzero[static_cast<std::ptrdiff_t>(macroblock_) * 6 + b] = scratch_.nonzero[b];
            if (b == 0) task_.packed_at[macroblock_] = at;
        });
        for (int b = 0; b < 6; ++b) {
            const std::uint64_t mask = kept(b);
            if (mask == 0) continue;
            std::int16_t* to = task_.packed + at + first[b];
            lanes_.each(64, [&](int position) {
                if (mask >> position & 1)
                    to[bits_set(mask & ((std::uint64_t{1} << position) - 1))] = scratch_.level[b][position];
            });
        }
    }
    /// The scan positions of a block whose levels are handed on: those that are not zero, and intra DC.
    TANDEM_HOST_DEVICE std::uint64_t kept(int b) const {
        return scratch_.nonzero[b] | static_cast<std::uint64_t>(intra_);
    }

    const Lanes& lanes_;
    const CodingTask& task_;
    int macroblock_;
    CodeScratch& scratch_;
    int flags_;
    bool intra_;
    Mv forward_, backward_;
    std::uint32_t lambda_q6_ = 0;
    unsigned active_ = 0;
};

TANDEM_HOST_DEVICE inline void code_macroblock(const Lanes& lanes, const CodingTask& task, int macroblock,
                                               CodeScratch& scratch) {
    MacroblockCoder(lanes, task, macroblock, scratch).run();
}

} // namespace tandem::cuda
