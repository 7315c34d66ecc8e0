// SPDX-License-Identifier: BSD-2-Clause
#include "coding/mpeg/rate_distortion.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

#include "coding/mpeg/slice_prediction.h"
#include "me/kernels/distortion.h"

namespace tandem {

namespace {

/// A mode, with its residual or without.
struct Trial {
    Mode mode;
    bool prediction_alone = false;
};

/// A trial, and what came of it.
struct Option {
    Trial trial;
    std::int64_t distortion_q6 = 0; ///< 64 times the squared error.
    CodedMacroblock coded;

    /// Without levels a trial is its prediction alone.
    bool is_alone_in(const Mode& mode) const { return coded.mode == mode && coded.pattern == 0; }
};

/// The cheapest way to code the slice up to a macroblock that codes this in one of its options.
struct Way {
    std::int64_t cost_q6 = 0;
    SlicePrediction prediction; ///< Behind the macroblock.
};

/// The last macroblock of a way, and which of the ways to the macroblock before goes on to it.
struct Step {
    Trial trial;
    std::uint8_t before = 0;
};

class SliceModes {
  public:
    SliceModes(const RateDistortionInput& input, SliceExtent slice, MpegPicture& picture, Frame& reconstruction)
        : in_(input), slice_(slice), picture_(picture), reconstruction_(reconstruction),
          coder_(*input.residual, slice, picture, reconstruction), squared_error_(distortion_kernels().ssd),
          ways_{{0, {picture, slice, input.residual->codes[static_cast<std::size_t>(slice.first)]}}},
          steps_(static_cast<std::size_t>(slice.end - slice.first)) {}

    void run() {
        for (int index = slice_.first; index < slice_.end; ++index) {
            try_all(index);
            extend_ways(index);
        }
        code_cheapest_way();
    }

  private:
    void try_all(int index) {
        const std::span<const Mode> listed = in_.modes[static_cast<std::size_t>(index)].all();
        options_.clear();
        for (const Mode& mode : listed)
            try_one({mode}, index);
        if (listed.size() == 1) return;
        if ((listed.front().flags & mb_intra) == 0) try_alone(listed.front(), index);
        if (picture_.type == PictureType::predicted) try_alone({mb_forward, {}, {}}, index);
        try_repetitions(listed, index);
    }

    /// A macroblock may be predicted as the one before it. In a P picture, one without a vector to choose keeps zero
    /// (null_threshold, null_gain).
    void try_repetitions(std::span<const Mode> listed, int index) {
        const bool keeps_zero = picture_.type == PictureType::predicted &&
                                std::ranges::all_of(listed, [](const Mode& mode) { return mode.forward == Mv{}; });
        if (keeps_zero) return;
        for (const Way& way : ways_) {
            if (fits(way.prediction.mode_before(), index)) try_alone(way.prediction.mode_before(), index);
        }
        const Mode& cheapest = ways_.front().prediction.mode_before();
        if (!fits(cheapest, index) || std::ranges::find(listed, cheapest) != listed.end()) return;
        try_one({cheapest}, index);
        if (options_.back().coded.pattern == 0) options_.pop_back(); // It was tried alone.
    }

    /// Whether it is a prediction, from inside the references.
    bool fits(const Mode& mode, int index) const {
        const int width = picture_.mb_columns * 16, height = picture_.mb_rows * 16;
        const int x = index % picture_.mb_columns * 16;
        const int y = index / picture_.mb_columns * 16;
        return (mode.flags & (mb_forward | mb_backward)) != 0 && inside_picture(mode.forward, x, y, width, height) &&
               inside_picture(mode.backward, x, y, width, height);
    }

    /// Unless an option before is the same.
    void try_alone(const Mode& mode, int index) {
        if (std::ranges::none_of(options_, [&](const Option& option) { return option.is_alone_in(mode); }))
            try_one({mode, true}, index);
    }

    void try_one(const Trial& trial, int index) {
        apply(trial, index);
        options_.push_back({trial, 64 * error(index), coded_macroblock(picture_, in_.codec, index, trial.mode)});
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

    /// The cheapest way to each option, of equal ones from the way that ranks first; the cheapest of these are kept, of
    /// equal ones the options that were tried first.
    void extend_ways(int index) {
        const std::int64_t lambda_q6 = in_.residual->quantisers_of(index).lambda_q6;
        std::array<std::int64_t, TriedModes::most> cost_q6;
        std::array<std::uint8_t, TriedModes::most> before{}, order;
        for (std::size_t i = 0; i < options_.size(); ++i) {
            cost_q6[i] = INT64_MAX;
            for (std::size_t k = 0; k < ways_.size(); ++k) {
                const int bits = ways_[k].prediction.bits(options_[i].coded);
                const std::int64_t cost = ways_[k].cost_q6 + options_[i].distortion_q6 + lambda_q6 * bits;
                if (cost >= cost_q6[i]) continue;
                cost_q6[i] = cost;
                before[i] = static_cast<std::uint8_t>(k);
            }
            if (!in_.tried.empty() && options_.size() > 1)
                note(options_[i], ways_[before[i]].prediction, lambda_q6, index);
        }
        const auto end = order.begin() + static_cast<std::ptrdiff_t>(options_.size());
        std::iota(order.begin(), end, std::uint8_t{0});
        std::stable_sort(order.begin(), end, [&](std::size_t a, std::size_t b) { return cost_q6[a] < cost_q6[b]; });

        std::vector<Way>& extended = other_ways_;
        extended.clear();
        for (std::size_t rank = 0; rank < std::min<std::size_t>(options_.size(), most_ways); ++rank) {
            const std::size_t i = order[rank];
            extended.push_back({cost_q6[i], ways_[before[i]].prediction});
            extended.back().prediction.follow(options_[i].coded);
            steps_[static_cast<std::size_t>(index - slice_.first)][rank] = {options_[i].trial, before[i]};
        }
        ways_.swap(other_ways_);
    }

    /// As what the option is coded in the cheapest way to it.
    void note(const Option& option, const SlicePrediction& before, std::int64_t lambda_q6, int index) {
        const int bits = before.bits(option.coded);
        const int threshold = option.trial.mode.flags & mb_intra ? in_.intra_threshold : 0;
        in_.tried[static_cast<std::size_t>(index)].add(
            {option.trial.mode, option.trial.prediction_alone, option.distortion_q6 / 64 - threshold, bits,
             static_cast<double>(option.distortion_q6 + lambda_q6 * bits) / 64});
    }

    void code_cheapest_way() {
        std::vector<Trial> trials(steps_.size());
        std::size_t rank = 0;
        for (std::size_t i = steps_.size(); i-- > 0; rank = steps_[i][rank].before)
            trials[i] = steps_[i][rank].trial;
        for (int index = slice_.first; index < slice_.end; ++index)
            apply(trials[static_cast<std::size_t>(index - slice_.first)], index);
    }

    const RateDistortionInput& in_;
    const SliceExtent slice_;
    MpegPicture& picture_;
    Frame& reconstruction_;
    ResidualCoder coder_;
    BlockDistortion squared_error_;
    std::vector<Option> options_;        ///< Of the macroblock at hand.
    std::vector<Way> ways_, other_ways_; ///< To the macroblock before, the cheapest first; room for those to come.
    std::vector<std::array<Step, most_ways>> steps_; ///< By macroblock of the slice and rank of the way.
};

} // namespace

void code_by_rate_distortion(const RateDistortionInput& input, SliceExtent slice, MpegPicture& picture,
                             Frame& reconstruction) {
    if (picture.type == PictureType::intra) {
        code_residual(*input.residual, slice, picture, reconstruction);
        return;
    }
    SliceModes(input, slice, picture, reconstruction).run();
}

} // namespace tandem
