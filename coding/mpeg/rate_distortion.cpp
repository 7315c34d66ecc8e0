// SPDX-License-Identifier: BSD-2-Clause
#include "coding/mpeg/rate_distortion.h"

#include <algorithm>
#include <utility>

#include "me/kernels/distortion.h"

namespace tandem {

namespace {

/// A mode, with its residual or without.
struct Trial {
    Mode mode;
    bool prediction_alone = false;
    bool operator==(const Trial&) const = default;
};

/// Tries modes of one slice's macroblocks, one macroblock after the other.
class SliceTrials {
  public:
    SliceTrials(const RateDistortionInput& input, SliceExtent slice, MpegPicture& picture, Frame& reconstruction)
        : in_(input), picture_(picture), reconstruction_(reconstruction),
          coder_(*input.residual, slice, picture, reconstruction),
          writer_(picture, input.codec, slice.first, input.residual->codes[static_cast<std::size_t>(slice.first)]),
          squared_error_(distortion_kernels().ssd) {}

    /// Codes the macroblock in its cheapest mode.
    void code(int index) {
        const ModeList& list = in_.modes[static_cast<std::size_t>(index)];
        least_ = INT64_MAX;
        if (list.count == 1) {
            best_ = {list.mode.front()};
            apply(best_, index);
        } else {
            try_all(list, index);
        }
        scratch_.clear();
        writer_.write(scratch_, index);
        before_ = best_.mode;
    }

  private:
    /// The likeliest last: if it is the cheapest, it need not be coded again.
    void try_all(const ModeList& list, int index) {
        const std::span<const Mode> listed = list.all();
        if (picture_.type == PictureType::predicted) try_one({{mb_forward, {}, {}}, true}, index);
        if (may_repeat(list, index)) {
            try_one({before_, true}, index);
            if (std::find(listed.begin(), listed.end(), before_) == listed.end()) try_one({before_}, index);
        }
        if (listed.front() != Mode{mb_intra, {}, {}}) try_one({listed.front(), true}, index);
        for (std::size_t i = listed.size(); i-- > 0;)
            try_one({listed[i]}, index);
        if (last_ != best_) apply(best_, index);
    }

    /// Whether the macroblock may be predicted as the one before it. In a P picture, one without a vector to choose
    /// keeps zero (null_threshold, null_gain).
    bool may_repeat(const ModeList& list, int index) const {
        const std::span<const Mode> listed = list.all();
        const bool keeps_zero =
            picture_.type == PictureType::predicted &&
            std::all_of(listed.begin(), listed.end(), [](const Mode& mode) { return mode.forward == Mv{}; });
        if (keeps_zero) return false;
        const int width = picture_.mb_columns * 16, height = picture_.mb_rows * 16;
        const int x = index % picture_.mb_columns * 16;
        const int y = index / picture_.mb_columns * 16;
        return (before_.flags & (mb_forward | mb_backward)) != 0 &&
               inside_picture(before_.forward, x, y, width, height) &&
               inside_picture(before_.backward, x, y, width, height);
    }

    void try_one(const Trial& trial, int index) {
        apply(trial, index);
        const std::int64_t distortion = 64 * error(index);
        if (!in_.tried.empty()) note(trial, distortion, index);
        if (distortion > least_) return; // Whatever its bits.
        const std::int64_t cost = distortion + std::int64_t{in_.residual->quantisers_of(index).lambda_q6} * bits(index);
        if (cost > least_) return;
        least_ = cost;
        best_ = trial;
    }

    void note(const Trial& trial, std::int64_t distortion_q6, int index) {
        const std::int64_t count = bits(index);
        const std::int64_t cost_q6 = distortion_q6 + std::int64_t{in_.residual->quantisers_of(index).lambda_q6} * count;
        const int threshold = trial.mode.flags & mb_intra ? in_.intra_threshold : 0;
        in_.tried[static_cast<std::size_t>(index)].add({trial.mode, trial.prediction_alone,
                                                        distortion_q6 / 64 - threshold, static_cast<int>(count),
                                                        static_cast<double>(cost_q6) / 64});
    }

    void apply(const Trial& trial, int index) {
        const auto i = static_cast<std::size_t>(index);
        picture_.flags[i] = trial.mode.flags;
        picture_.forward[i] = trial.mode.forward;
        picture_.backward[i] = trial.mode.backward;
        if (trial.prediction_alone) {
            coder_.code_prediction_alone(index);
        } else {
            coder_.code(index);
        }
        last_ = trial;
    }

    std::int64_t error(int index) const {
        const int x = index % picture_.mb_columns * 16;
        const int y = index / picture_.mb_columns * 16;
        std::int64_t sum = picture_.flags[static_cast<std::size_t>(index)] & mb_intra ? in_.intra_threshold : 0;
        for (int p = 0; p < 3; ++p) {
            const int shift = p == 0 ? 0 : 1;
            const PlaneView source = in_.residual->source->plane(p).view();
            const PlaneView coded = std::as_const(reconstruction_).plane(p).view();
            sum += squared_error_(&source.at(x >> shift, y >> shift), source.stride, &coded.at(x >> shift, y >> shift),
                                  coded.stride, 16 >> shift, 16 >> shift);
        }
        return sum;
    }

    std::int64_t bits(int index) {
        MacroblockWriter trial = writer_;
        scratch_.clear();
        trial.write(scratch_, index);
        return static_cast<std::int64_t>(scratch_.bit_count());
    }

    const RateDistortionInput& in_;
    MpegPicture& picture_;
    Frame& reconstruction_;
    ResidualCoder coder_;
    MacroblockWriter writer_; ///< Has written what is settled.
    BitWriter scratch_;       ///< For bits that are only counted.
    BlockDistortion squared_error_;
    Mode before_; ///< Of the macroblock to the left; no flags at the start of the slice.
    Trial best_, last_;
    std::int64_t least_ = INT64_MAX;
};

} // namespace

void code_by_rate_distortion(const RateDistortionInput& input, SliceExtent slice, MpegPicture& picture,
                             Frame& reconstruction) {
    SliceTrials trials(input, slice, picture, reconstruction);
    for (int index = slice.first; index < slice.end; ++index)
        trials.code(index);
}

} // namespace tandem
