// SPDX-License-Identifier: BSD-2-Clause
// What a macroblock is coded as, and the modes that it could have had.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "bitstream/mpeg/mpeg_picture.h"

namespace tandem {

/// What a macroblock is coded as.
struct Mode {
    std::uint8_t flags = 0; ///< MacroblockFlag, without mb_skipped; 0: not decided.
    Mv forward, backward;
    bool operator==(const Mode&) const = default;
};

/// Mode's own comparison, for the host and for GPUs.
TANDEM_HOST_DEVICE inline bool same_mode(const Mode& a, const Mode& b) {
    return a.flags == b.flags && a.forward == b.forward && a.backward == b.backward;
}

/// The flags, with mb_skipped, of a macroblock of this mode and coded_block_pattern: 13818-2 clause 7.6.6 says what may
/// be skipped, table B-3 what "no MC" is. `before`: the mode of the macroblock to the left; `inside_slice`: it is
/// neither the slice's first nor its last.
TANDEM_HOST_DEVICE inline int settled_flags(PictureType type, const Mode& mode, const Mode& before, int pattern,
                                            bool inside_slice) {
    const bool intra = (mode.flags & mb_intra) != 0;
    if (intra) return mode.flags;
    if (type == PictureType::predicted && mode.forward == Mv{})
        return pattern != 0 ? 0 : inside_slice ? static_cast<int>(mb_skipped) : mode.flags;
    const bool repeats = type == PictureType::bidirectional && pattern == 0 && inside_slice && same_mode(mode, before);
    return repeats ? mode.flags | mb_skipped : mode.flags;
}

/// What the macroblock of a picture is predicted by, as decisions name it: no vector in a P picture is a forward one of
/// zero, and a direction that is not used has no vector.
inline Mode decided_mode(const MpegPicture& picture, std::size_t macroblock) {
    const std::uint8_t flags = picture.flags[macroblock];
    if ((flags & mb_intra) != 0) return {mb_intra, {}, {}};
    if ((flags & (mb_forward | mb_backward)) == 0) return {mb_forward, {}, {}};
    Mode mode{static_cast<std::uint8_t>(flags & (mb_forward | mb_backward)), {}, {}};
    if ((flags & mb_forward) != 0) mode.forward = picture.forward[macroblock];
    if ((flags & mb_backward) != 0) mode.backward = picture.backward[macroblock];
    return mode;
}

/// The modes that promise most for a macroblock, by rising estimate of their cost, distinct. Intra may be the last for
/// all that it costs.
struct ModeList {
    static constexpr int most = 6; ///< More bring next to nothing: docs/plan.md.
    int count = 0;
    std::array<Mode, most> mode;

    ModeList() = default;
    ModeList(const Mode& only) : count(1), mode{only} {} // NOLINT(google-explicit-constructor): a decision's answer.
    std::span<const Mode> all() const { return std::span(mode).first(static_cast<std::size_t>(count)); }
};

/// How many ways to code the macroblocks of a slice are followed side by side by Decision::rd. Four bring four fifths
/// of what eight do, sixteen little more: docs/plan.md.
inline constexpr int most_ways = 8;

/// One way in which a macroblock could have been coded, and what was reckoned of it.
struct TriedMode {
    Mode mode;
    bool prediction_alone = false; ///< Without a residual.
    std::int64_t distortion =
        0;           ///< SAD of luma (Decision::cost); else the squared error, by Decision::rd of all planes.
    int bits = 0;    ///< As they were reckoned; 0 where the decision looks at none.
    double cost = 0; ///< Distortion + lambda * bits, in the distortion's unit; of intra with intra_threshold.

    bool is_same_way(const TriedMode& other) const {
        return mode == other.mode && prediction_alone == other.prediction_alone;
    }
};

/// All that were tried for a macroblock, each once. Kept where somebody wants to look at them.
struct TriedModes {
    /// Decision::rd: all that are listed, the first of them without a residual, nothing at all, and the modes of the
    /// ways to the macroblock before without one, the cheapest one's with one too.
    static constexpr int most = ModeList::most + 2 + most_ways + 1;
    int count = 0;
    std::array<TriedMode, most> mode;

    std::span<const TriedMode> all() const { return std::span(mode).first(static_cast<std::size_t>(count)); }
    void add(const TriedMode& tried) {
        const bool known = std::ranges::any_of(all(), [&](const TriedMode& one) { return one.is_same_way(tried); });
        if (!known && count < most) mode[static_cast<std::size_t>(count++)] = tried;
    }
};

} // namespace tandem
