// SPDX-License-Identifier: BSD-2-Clause
#include "coding/mpeg/rate_distortion.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "me/kernels/distortion.h"

namespace tandem {

namespace {

/// A mode, with its residual or without.
struct Trial {
    Mode mode;
    bool prediction_alone = false;
    bool operator==(const Trial&) const = default;
};

/// A macroblock as some trial left it, so that it need not be coded again.
class CodedMacroblock {
  public:
    void take(const MpegPicture& picture, const Frame& reconstruction, int index) {
        const auto i = static_cast<std::size_t>(index);
        flags_ = picture.flags[i];
        pattern_ = picture.pattern[i];
        quantiser_scale_code_ = picture.quantiser_scale_code[i];
        forward_ = picture.forward[i];
        backward_ = picture.backward[i];
        std::copy_n(picture.nonzero.begin() + index * 6, 6, nonzero_.begin());
        if (holds_levels()) std::copy_n(picture.levels.begin() + index * 384, 384, levels_.begin());
        for_rows(picture, index, [&](int plane, int x, int y, int width, std::size_t at) {
            std::copy_n(&reconstruction.plane(plane).view().at(x, y), width, &samples_[at]);
        });
    }

    void put_back(MpegPicture& picture, Frame& reconstruction, int index) const {
        const auto i = static_cast<std::size_t>(index);
        picture.flags[i] = flags_;
        picture.pattern[i] = pattern_;
        picture.quantiser_scale_code[i] = quantiser_scale_code_;
        picture.forward[i] = forward_;
        picture.backward[i] = backward_;
        std::copy_n(nonzero_.begin(), 6, picture.nonzero.begin() + index * 6);
        if (holds_levels()) std::copy_n(levels_.begin(), 384, picture.levels.begin() + index * 384);
        for_rows(picture, index, [&](int plane, int x, int y, int width, std::size_t at) {
            std::copy_n(&samples_[at], width, &reconstruction.plane(plane).view().at(x, y));
        });
    }

  private:
    bool holds_levels() const { return pattern_ != 0; }

    /// Calls body(plane, x, y, width, place in samples_) for each row of samples.
    template <typename Body> static void for_rows(const MpegPicture& picture, int index, Body body) {
        const int x = index % picture.mb_columns * 16, y = index / picture.mb_columns * 16;
        std::size_t at = 0;
        for (int plane = 0; plane < 3; ++plane) {
            const int shift = plane == 0 ? 0 : 1, width = 16 >> shift;
            for (int row = 0; row < width; ++row, at += static_cast<std::size_t>(width))
                body(plane, x >> shift, (y >> shift) + row, width, at);
        }
    }

    std::uint8_t flags_ = 0, pattern_ = 0, quantiser_scale_code_ = 0;
    Mv forward_, backward_;
    std::array<std::uint64_t, 6> nonzero_{};
    std::array<std::int16_t, 384> levels_{};
    std::array<std::uint8_t, 384> samples_{};
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
            before_ = list.mode.front();
            apply({before_}, index);
        } else {
            try_all(list, index);
            before_ = best_.mode;
        }
        scratch_.clear();
        writer_.write(scratch_, index);
    }

  private:
    /// The likeliest last: if it is the cheapest, it stands already.
    void try_all(const ModeList& list, int index) {
        const std::span<const Mode> listed = list.all();
        alone_.clear();
        if (picture_.type == PictureType::predicted) try_one({{mb_forward, {}, {}}, true}, index);
        if (may_repeat(list, index)) {
            try_one({before_, true}, index);
            if (std::find(listed.begin(), listed.end(), before_) == listed.end()) try_one({before_}, index);
        }
        if (listed.front() != Mode{mb_intra, {}, {}}) try_one({listed.front(), true}, index);
        for (std::size_t i = listed.size(); i-- > 0;)
            try_one({listed[i]}, index);
        if (last_ != best_) best_coded_.put_back(picture_, reconstruction_, index);
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
        if (is_known_to_lose(trial)) return;
        keep_best(index);
        apply(trial, index);
        if (!in_.tried.empty()) note(trial, index);
        const std::int64_t cost = cost_of_last(index);
        if (trial.prediction_alone) alone_.emplace_back(trial.mode, cost);
        if (cost > least_) return;
        least_ = cost;
        best_ = trial;
    }

    void note(const Trial& trial, int index) {
        const std::int64_t distortion_q6 = 64 * error(index);
        const std::int64_t count = bits(index);
        const std::int64_t cost_q6 = distortion_q6 + std::int64_t{in_.residual->quantisers_of(index).lambda_q6} * count;
        const int threshold = trial.mode.flags & mb_intra ? in_.intra_threshold : 0;
        in_.tried[static_cast<std::size_t>(index)].add({trial.mode, trial.prediction_alone,
                                                        distortion_q6 / 64 - threshold, static_cast<int>(count),
                                                        static_cast<double>(cost_q6) / 64});
    }

    /// Of a prediction alone that was tried before. Where it costs as much as the best, the later one counts.
    bool is_known_to_lose(const Trial& trial) const {
        if (!trial.prediction_alone) return false;
        const auto before = std::ranges::find(alone_, trial.mode, &std::pair<Mode, std::int64_t>::first);
        return before != alone_.end() && (before->second > least_ || trial == best_);
    }

    std::int64_t cost_of_last(int index) {
        const std::int64_t distortion = 64 * error(index);
        if (distortion > least_) return INT64_MAX; // Whatever its bits.
        return distortion + std::int64_t{in_.residual->quantisers_of(index).lambda_q6} * bits(index);
    }

    /// Keeps the best trial if it is the last one, which the next one overwrites.
    void keep_best(int index) {
        if (least_ != INT64_MAX && last_ == best_) best_coded_.take(picture_, reconstruction_, index);
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
    CodedMacroblock best_coded_;
    std::vector<std::pair<Mode, std::int64_t>> alone_; ///< Predictions that were tried alone, and their costs.
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
