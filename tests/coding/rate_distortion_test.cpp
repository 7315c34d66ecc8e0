// SPDX-License-Identifier: BSD-2-Clause
// The mode that coding settles on against every one that it could have tried.
#include "coding/mpeg/rate_distortion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "coding/mpeg/quantiser/trellis.h"
#include "coding/mpeg/slice_layout.h"
#include "tests/coding/decision_picture.h"
#include "tests/encoder/streams/naive_decoder.h"

namespace tandem {
namespace {

using namespace test;

/// A picture with its lists of modes, and what is to be known to code it.
struct Trials {
    DecisionPicture decided;
    std::vector<ModeList> modes;
    MpegPicture picture;
    ResidualInput residual;
    RateDistortionInput input;

    Trials(PictureType type, bool mpeg1, int code, std::uint32_t seed)
        : decided(type, Decision::rd, seed), modes(macroblocks) {
        decided.input.lambda_q8 = static_cast<std::uint32_t>(180 * code);
        for (std::size_t i = 0; i < modes.size(); i += 7)
            decided.coded_since_intra[i] = 131; // Must be intra in a P picture.
        const auto slices = slice_layout(mpeg1 ? Codec::mpeg1 : Codec::mpeg2, columns, rows, mpeg1 ? 2 : 0);
        picture = decided.decide(slices, modes);
        picture.slices = slices;
        picture.f_code = decided.input.f_code;
        if (mpeg1) picture.f_code = {{{3, 3}, {3, 3}}};
        std::fill(picture.quantiser_scale_code.begin(), picture.quantiser_scale_code.end(),
                  static_cast<std::uint8_t>(code));
        residual.source = decided.source.get();
        residual.references = &decided.references;
        residual.trellis = seed % 2 == 0;
        residual.quantisers = {quantisers(mpeg1, code), quantisers(mpeg1, 31)};
        residual.codes.assign(modes.size(), static_cast<std::uint8_t>(code));
        input = {&residual, modes, mpeg1 ? Codec::mpeg1 : Codec::mpeg2, 0};
    }

    Quantisers quantisers(bool mpeg1, int code) const {
        const auto quantiser = [&](const QuantiserMatrix& matrix, bool intra, int trellis_rounding) {
            return make_quantiser(matrix, 2 * code, intra, mpeg1, 8, residual.trellis ? trellis_rounding : 24);
        };
        return {code, static_cast<std::uint32_t>(13 * 4 * code * code),
                quantiser(default_intra_matrix(), true, trellis_rounding_intra),
                quantiser(default_non_intra_matrix(), false, trellis_rounding_inter)};
    }

    /// Bits of the macroblocks of the slice up to `index`, each as it stands in the picture.
    std::int64_t bits_to(const MpegPicture& coded, SliceExtent slice, int index) const {
        MacroblockWriter writer(coded, input.codec, slice.first, residual.quantisers.front().code);
        BitWriter bits;
        for (int i = slice.first; i <= index; ++i)
            writer.write(bits, i);
        return static_cast<std::int64_t>(bits.bit_count());
    }

    std::int64_t cost(const MpegPicture& coded, const Frame& reconstruction, SliceExtent slice, int index) const {
        std::int64_t error = coded.flags[static_cast<std::size_t>(index)] & mb_intra ? input.intra_threshold : 0;
        for (int plane = 0; plane < 3; ++plane) {
            const int size = plane == 0 ? 16 : 8;
            const int x0 = index % columns * size, y0 = index / columns * size;
            for (int y = y0; y < y0 + size; ++y) {
                for (int x = x0; x < x0 + size; ++x) {
                    const int difference =
                        decided.source->plane(plane).view().at(x, y) - reconstruction.plane(plane).view().at(x, y);
                    error += difference * difference;
                }
            }
        }
        return 64 * error + residual.quantisers.front().lambda_q6 * bits_to(coded, slice, index);
    }

    /// What the macroblock costs in another mode, all before it as they are.
    std::int64_t cost_in(const Mode& mode, bool alone, MpegPicture coded, SliceExtent slice, int index) const {
        const auto i = static_cast<std::size_t>(index);
        coded.flags[i] = mode.flags;
        coded.forward[i] = mode.forward;
        coded.backward[i] = mode.backward;
        Frame reconstruction(columns * 16, rows * 16);
        ResidualCoder coder(residual, slice, coded, reconstruction);
        alone ? coder.code_prediction_alone(index) : coder.code(index);
        return cost(coded, reconstruction, slice, index);
    }

    bool fits(const Mode& mode, int index) const {
        const int x = index % columns * 16, y = index / columns * 16;
        return inside_picture(mode.forward, x, y, columns * 16, rows * 16) &&
               inside_picture(mode.backward, x, y, columns * 16, rows * 16);
    }
};

struct Alternative {
    Mode mode;
    bool alone = false; ///< Without a residual.
};

/// What is listed, the first of it without a residual too, the mode before both ways (in a P picture only where a
/// vector is listed), and in a P picture nothing at all.
std::vector<Alternative> alternatives(const Trials& trials, const Mode& before, int index) {
    const auto listed = trials.modes[static_cast<std::size_t>(index)].all();
    std::vector<Alternative> all;
    for (const Mode& mode : listed)
        all.push_back({mode});
    if (listed.size() == 1) return all; // Must be intra.
    if (listed.front() != intra_mode) all.push_back({listed.front(), true});
    const bool predicted = trials.picture.type == PictureType::predicted;
    if (predicted) all.push_back({{mb_forward, {}, {}}, true});
    const bool has_vector =
        std::any_of(listed.begin(), listed.end(), [](const Mode& mode) { return mode.forward != Mv{}; });
    const bool may_repeat = (before.flags & (mb_forward | mb_backward)) != 0 && trials.fits(before, index);
    if (may_repeat && (has_vector || !predicted)) {
        all.push_back({before});
        all.push_back({before, true});
    }
    return all;
}

/// As it was decided: "no MC" has the zero vector.
Mode decided_mode(const MpegPicture& picture, int index) {
    Mode mode = mode_of(picture, index);
    mode.flags &= mb_intra | mb_forward | mb_backward;
    if (mode.flags == 0) mode.flags = mb_forward;
    return mode;
}

/// How often it ended in which way, so that a test knows that its pictures ask for all of them.
struct Ends {
    int intra = 0, skipped = 0, repeated_unlisted = 0, not_first = 0;
};

void expect_cheapest(const Trials& trials, const MpegPicture& coded, const Frame& reconstruction, SliceExtent slice,
                     Ends& ends) {
    Mode before;
    for (int index = slice.first; index < slice.end; ++index) {
        const auto i = static_cast<std::size_t>(index);
        std::int64_t least = INT64_MAX;
        for (const Alternative& alternative : alternatives(trials, before, index))
            least = std::min(least, trials.cost_in(alternative.mode, alternative.alone, coded, slice, index));
        EXPECT_EQ(trials.cost(coded, reconstruction, slice, index), least) << "macroblock " << index;

        const Mode mode = decided_mode(coded, index);
        const auto listed = trials.modes[i].all();
        const bool is_listed = std::find(listed.begin(), listed.end(), mode) != listed.end();
        ends.intra += mode == intra_mode;
        ends.skipped += (coded.flags[i] & mb_skipped) != 0;
        ends.repeated_unlisted += mode == before && !is_listed;
        ends.not_first += is_listed && mode != listed.front();
        before = mode;
    }
}

/// Each macroblock is as cheap as can be, and the whole is what a decoder rebuilds.
void check(const Trials& trials, Ends& ends) {
    MpegPicture coded = trials.picture;
    Frame reconstruction(columns * 16, rows * 16);
    for (const SliceExtent slice : coded.slices) {
        code_by_rate_distortion(trials.input, slice, coded, reconstruction);
        expect_cheapest(trials, coded, reconstruction, slice, ends);
    }
    MpegSequence sequence;
    sequence.intra_matrix = default_intra_matrix();
    sequence.non_intra_matrix = default_non_intra_matrix();
    const auto decoded = decode_naively(coded, sequence, trials.input.codec == Codec::mpeg1, trials.decided.references);
    EXPECT_LE(largest_difference(*decoded, reconstruction), 1);
}

TEST(RateDistortion, EachMacroblockHasItsCheapestMode) {
    for (const PictureType type : {PictureType::intra, PictureType::predicted, PictureType::bidirectional}) {
        Ends ends;
        for (std::uint32_t seed = 1; seed <= 60; ++seed) {
            const bool mpeg1 = seed % 3 == 0;
            const int code = std::array<int, 4>{1, 4, 12, 31}[seed % 4];
            SCOPED_TRACE(testing::Message() << "type " << static_cast<int>(type) << ", seed " << seed);
            Trials trials(type, mpeg1, code, seed);
            trials.input.intra_threshold = seed % 5 == 0 ? 3000 : 0;
            check(trials, ends);
        }
        EXPECT_GT(ends.intra, 5);
        if (type == PictureType::intra) continue;
        EXPECT_GT(ends.skipped, 5);
        EXPECT_GT(ends.not_first, 5);
        EXPECT_GT(ends.repeated_unlisted, 1);
    }
}

} // namespace
} // namespace tandem
