// SPDX-License-Identifier: BSD-2-Clause
// Two vectors of a B picture's macroblock that fit each other: step_jointly() of coding/mpeg/vectors/joint_vectors.h.
#pragma once

#include "coding/mpeg/vectors/joint_vectors.h"
#include "cuda/coding/kernels/block_arithmetic.h"
#include "cuda/coding/kernels/code_bits.h"
#include "cuda/coding/kernels/mode_distortion.h"

namespace tandem::cuda {

struct JointScratch {
    /// Each lane's: the macroblock's luma, and what the direction that stays predicts.
    TwoRows source[32], other[32];
};

class JointSteps {
  public:
    TANDEM_HOST_DEVICE JointSteps(const Lanes& lanes, const CodingTask& task, int macroblock, JointScratch& scratch)
        : lanes_(lanes), task_(task), macroblock_(macroblock), left_(task.left(macroblock)), top_(task.top(macroblock)),
          scratch_(scratch) {
        const bool starts_slice = task.slice[task.slice_of[macroblock]].first == macroblock;
        for (int direction = 0; direction < 2; ++direction) {
            const ChosenVector* chosen = task.direction[direction].chosen + macroblock;
            mv_[direction] = chosen->mv;
            if (!starts_slice) before_[direction] = chosen[-1].mv;
        }
    }

    TANDEM_HOST_DEVICE void run() {
        const SamplesFrom source(task_.source, 0, left_, top_);
        lanes_.each(32, [&](int lane) {
            const LaneShare share(lane);
            scratch_.source[lane] = source.two_rows(share.x, share.y);
        });
        step(0);
        step(1);
        lanes_.once([&] { task_.joint[macroblock_] = {{mv_[0], mv_[1]}, sad_}; });
    }

  private:
    TANDEM_HOST_DEVICE void step(int direction) {
        const DisplacedSamples other(task_.direction[1 - direction].reference, 0, left_, top_, mv_[1 - direction]);
        const Mv centre = mv_[direction];
        lanes_.each(32, [&](int lane) {
            const LaneShare share(lane);
            scratch_.other[lane] = other.two_rows(share.x, share.y);
        });
        const FCodes f_code = f_codes_of(task_.direction[direction]);
        sad_ = measure(direction, centre);
        std::int64_t least = cost(sad_, centre, direction, f_code);
        for (int position = 0; position < 9; ++position) {
            const Mv mv{static_cast<std::int16_t>(centre.x + (position % 3 - 1) * eighths_per_half_pel),
                        static_cast<std::int16_t>(centre.y + (position / 3 - 1) * eighths_per_half_pel)};
            if (mv == centre || !allows(mv, f_code)) continue;
            const std::uint32_t sad = measure(direction, mv);
            const std::int64_t its_cost = cost(sad, mv, direction, f_code);
            if (its_cost >= least) continue;
            least = its_cost;
            mv_[direction] = mv;
            sad_ = sad;
        }
    }

    TANDEM_HOST_DEVICE bool allows(Mv mv, FCodes f_code) const {
        return inside_picture(mv, left_, top_, task_.columns * 16, task_.rows * 16) &&
               magnitude_of(mv.x) / eighths_per_half_pel < 8 << f_code.x &&
               magnitude_of(mv.y) / eighths_per_half_pel < 8 << f_code.y;
    }
    TANDEM_HOST_DEVICE std::uint32_t measure(int direction, Mv mv) const {
        const DisplacedSamples predicted(task_.direction[direction].reference, 0, left_, top_, mv);
        return lanes_.sum(32, [&](int lane) {
            return mean_difference(scratch_.source[lane], predicted, scratch_.other[lane], LaneShare(lane));
        });
    }
    TANDEM_HOST_DEVICE std::int64_t cost(std::uint32_t sad, Mv mv, int direction, FCodes f_code) const {
        const int bits = vector_bits_of(*task_.tables, mv, before_[direction], f_code);
        const std::uint32_t lambda_q8 = task_.tables->sad_lambda_q8[task_.wanted_code[macroblock_]];
        return sad + ((static_cast<std::int64_t>(lambda_q8) * bits) >> 8);
    }

    const Lanes& lanes_;
    const CodingTask& task_;
    int macroblock_, left_, top_;
    JointScratch& scratch_;
    Mv mv_[2], before_[2]; ///< By direction: the best so far, and what predicts it.
    std::uint32_t sad_ = 0;
};

TANDEM_HOST_DEVICE inline void step_jointly(const Lanes& lanes, const CodingTask& task, int macroblock,
                                            JointScratch& scratch) {
    JointSteps(lanes, task, macroblock, scratch).run();
}

} // namespace tandem::cuda
