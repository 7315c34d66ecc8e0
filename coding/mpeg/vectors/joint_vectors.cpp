// SPDX-License-Identifier: BSD-2-Clause
#include "coding/mpeg/vectors/joint_vectors.h"

#include <cstdlib>

#include "bitstream/mpeg/code_length.h"
#include "coding/mpeg/kernels/predict.h"
#include "me/kernels/distortion.h"

namespace tandem {

namespace {

class JointSteps {
  public:
    JointSteps(const DecideInput& input, int macroblock, bool starts_slice)
        : in_(input), x_(macroblock * 16 % input.source.width), y_(macroblock * 16 / input.source.width * 16),
          lambda_q8_(input.lambdas_q8.empty() ? input.lambda_q8
                                              : input.lambdas_q8[static_cast<std::size_t>(macroblock)]) {
        const auto i = static_cast<std::size_t>(macroblock);
        best_.mv = {input.forward[i].mv, input.backward[i].mv};
        Samples storage;
        best_.sad = measure(0, best_.mv[0], at(1, best_.mv[1], storage));
        if (!starts_slice) before_ = {input.forward[i - 1].mv, input.backward[i - 1].mv};
    }

    JointVectors run() {
        step(0);
        step(1);
        return best_;
    }

  private:
    using Samples = std::array<std::uint8_t, 16 * 16>;

    /// Moves the vector of one direction to the best of the nine positions about it.
    void step(std::size_t direction) {
        const std::array<Mv, 2> centre = best_.mv;
        Samples storage;
        const LumaBlock other = at(1 - direction, centre[1 - direction], storage);
        std::int64_t least = cost(best_.sad, centre[direction], direction);
        for (int position = 0; position < 9; ++position) {
            std::array<Mv, 2> mv = centre;
            mv[direction].x = static_cast<std::int16_t>(mv[direction].x + (position % 3 - 1) * eighths_per_half_pel);
            mv[direction].y = static_cast<std::int16_t>(mv[direction].y + (position / 3 - 1) * eighths_per_half_pel);
            if (mv == centre || !allows(mv[direction], in_.f_code[direction])) continue;
            const std::uint32_t sad = measure(direction, mv[direction], other);
            const std::int64_t its_cost = cost(sad, mv[direction], direction);
            if (its_cost >= least) continue;
            least = its_cost;
            best_ = {mv, sad};
        }
    }

    bool allows(Mv mv, const std::array<int, 2>& f_code) const {
        return inside_picture(mv, x_, y_, in_.source.width, in_.source.height) &&
               std::abs(mv.x) / eighths_per_half_pel < 8 << f_code[0] &&
               std::abs(mv.y) / eighths_per_half_pel < 8 << f_code[1];
    }
    /// What one direction predicts.
    LumaBlock at(std::size_t direction, Mv mv, Samples& storage) const {
        const ReferencePtr& reference = direction == 0 ? in_.references->forward : in_.references->backward;
        return luma_at(reference->luma(), x_, y_, mv, storage.data());
    }
    /// The SAD of the mean of one direction's prediction and of the other one's.
    std::uint32_t measure(std::size_t direction, Mv mv, const LumaBlock& other) const {
        Samples storage, mean;
        const LumaBlock own = at(direction, mv, storage);
        predict_kernels().average(own.samples, own.stride, other.samples, other.stride, 16, 16, mean.data(), 16);
        return distortion_kernels().sad(&in_.source.at(x_, y_), in_.source.stride, mean.data(), 16, 16, 16);
    }
    std::int64_t cost(std::uint32_t sad, Mv mv, std::size_t direction) const {
        const int bits = motion_vector_bits(mv, before_[direction], in_.f_code[direction]);
        return std::int64_t{sad} + ((std::int64_t{lambda_q8_} * bits) >> 8);
    }

    const DecideInput& in_;
    const int x_, y_;
    const std::uint32_t lambda_q8_;
    std::array<Mv, 2> before_{}; ///< By direction: what predicts the vector.
    JointVectors best_;
};

} // namespace

JointVectors step_jointly(const DecideInput& input, int macroblock, bool starts_slice) {
    return JointSteps(input, macroblock, starts_slice).run();
}

} // namespace tandem
