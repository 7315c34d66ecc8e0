// SPDX-License-Identifier: BSD-2-Clause
// The vectors that a macroblock may have, with their SADs: the field's, zero, and the best of its four neighbours. The
// first part of choose_vectors() in coding/mpeg/vectors/vector_choice.h.
#pragma once

#include "coding/mpeg/reference.h"
#include "cuda/coding/kernels/half_pels.h"

namespace tandem::cuda {

struct CollectScratch {
    LumaWindow luma;
    VectorList list;
};

class VectorCollection {
  public:
    TANDEM_HOST_DEVICE VectorCollection(const Lanes& lanes, const CodingTask& task, const DirectionTask& direction,
                                        int macroblock, CollectScratch& scratch)
        : lanes_(lanes), task_(task), direction_(direction), macroblock_(macroblock), scratch_(scratch) {}

    TANDEM_HOST_DEVICE void run() {
        load_source(lanes_, task_, macroblock_, scratch_.luma);
        const Candidate* found = block(macroblock_);
        const std::uint32_t sad_zero = sad_at_zero(found);
        lanes_.once([&] { scratch_.list.count = 0; });
        add({}, sad_zero);
        if (!keeps_zero(sad_zero, found[0].distortion)) {
            add_found(found);
            add_neighbours();
        }
        VectorList& list = direction_.lists[macroblock_];
        lanes_.each(scratch_.list.count, [&](int i) {
            list.mv[i] = scratch_.list.mv[i];
            list.sad[i] = scratch_.list.sad[i];
        });
        lanes_.once([&] { list.count = scratch_.list.count; });
    }

  private:
    TANDEM_HOST_DEVICE const Candidate* block(int macroblock) const {
        return direction_.field + static_cast<std::ptrdiff_t>(macroblock) * direction_.candidates;
    }
    TANDEM_HOST_DEVICE std::uint32_t measure(Mv mv) {
        return sad_at(lanes_, task_, direction_.reference, macroblock_, mv, scratch_.luma);
    }
    TANDEM_HOST_DEVICE std::uint32_t sad_at_zero(const Candidate* found) {
        for (int k = 0; k < direction_.candidates; ++k) {
            if (has_vector(found[k]) && found[k].mv == Mv{}) return found[k].distortion;
        }
        return measure({});
    }
    TANDEM_HOST_DEVICE bool keeps_zero(std::uint32_t sad_zero, std::uint32_t best) const {
        const std::uint64_t gain = static_cast<std::uint64_t>(task_.null_gain) * 256;
        return sad_zero <= task_.null_threshold || (task_.null_gain > 0 && sad_zero <= best + gain);
    }
    TANDEM_HOST_DEVICE bool holds(Mv mv) const {
        return lanes_.any(scratch_.list.count, [&](int i) { return scratch_.list.mv[i] == mv; });
    }
    TANDEM_HOST_DEVICE void add(Mv mv, std::uint32_t sad) {
        lanes_.once([&] {
            VectorList& list = scratch_.list;
            list.mv[list.count] = mv;
            list.sad[list.count] = sad;
            ++list.count;
        });
    }
    TANDEM_HOST_DEVICE void add_found(const Candidate* found) {
        for (int k = 0; k < direction_.candidates && has_vector(found[k]); ++k) {
            if (!holds(found[k].mv)) add(found[k].mv, found[k].distortion);
        }
    }
    TANDEM_HOST_DEVICE void add_neighbours() {
        const int column = macroblock_ % task_.columns, row = macroblock_ / task_.columns;
        if (column > 0) add_neighbour(macroblock_ - 1);
        if (column + 1 < task_.columns) add_neighbour(macroblock_ + 1);
        if (row > 0) add_neighbour(macroblock_ - task_.columns);
        if (row + 1 < task_.rows) add_neighbour(macroblock_ + task_.columns);
    }
    TANDEM_HOST_DEVICE void add_neighbour(int macroblock) {
        const Mv mv = block(macroblock)->mv;
        const bool inside =
            inside_picture(mv, task_.left(macroblock_), task_.top(macroblock_), task_.columns * 16, task_.rows * 16);
        if (holds(mv) || !inside) return;
        add(mv, measure(mv));
    }

    const Lanes& lanes_;
    const CodingTask& task_;
    const DirectionTask& direction_;
    int macroblock_;
    CollectScratch& scratch_;
};

TANDEM_HOST_DEVICE inline void collect_vectors(const Lanes& lanes, const CodingTask& task, int direction,
                                               int macroblock, CollectScratch& scratch) {
    if (!task.direction[direction].exists) return;
    VectorCollection(lanes, task, task.direction[direction], macroblock, scratch).run();
}

/// Sum of |x - mean| of a macroblock's luma: the SAD that an intra macroblock stands for, its DC apart.
TANDEM_HOST_DEVICE inline void measure_deviation(const Lanes& lanes, const CodingTask& task, int macroblock) {
    const std::uint8_t* at = task.source.plane[0] +
                             static_cast<std::ptrdiff_t>(task.top(macroblock)) * task.source.stride[0] +
                             task.left(macroblock);
    const auto word = [&](int i) {
        return word_at(at + static_cast<std::ptrdiff_t>(i / 4) * task.source.stride[0] + i % 4 * 4);
    };
    const std::uint32_t sum = lanes.sum(64, [&](int i) { return add_differences(word(i), 0, 0); });
    const std::uint32_t mean = (sum + 128) / 256;
    const std::uint32_t deviation =
        lanes.sum(64, [&](int i) { return add_differences(word(i), mean * 0x01010101u, 0); });
    lanes.once([&] { task.deviation[macroblock] = deviation; });
}

} // namespace tandem::cuda
