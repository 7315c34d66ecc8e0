// SPDX-License-Identifier: BSD-2-Clause
// The modes that coding settles on along a slice, against ways that are coded and written whole.
#include "coding/mpeg/rate_distortion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <utility>

#include "bitstream/mpeg/macroblock_writer.h"
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

    std::int64_t error(const MpegPicture& coded, const Frame& reconstruction, int index) const {
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
        return error;
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

/// A slice coded up to a macroblock in one of the ways that could have been chosen.
struct PlainWay {
    MpegPicture picture;
    std::int64_t error = 0, cost = 0; ///< Of all macroblocks so far.
    Mode last;                        ///< No flags at the start of the slice.
};

PlainWay go_on(const Trials& trials, const PlainWay& before, const Alternative& alternative, SliceExtent slice,
               int index) {
    PlainWay way = before;
    const auto i = static_cast<std::size_t>(index);
    way.picture.flags[i] = alternative.mode.flags;
    way.picture.forward[i] = alternative.mode.forward;
    way.picture.backward[i] = alternative.mode.backward;
    Frame reconstruction(columns * 16, rows * 16);
    ResidualCoder coder(trials.residual, slice, way.picture, reconstruction);
    alternative.alone ? coder.code_prediction_alone(index) : coder.code(index);
    way.error += trials.error(way.picture, reconstruction, index);
    way.cost =
        64 * way.error + trials.residual.quantisers.front().lambda_q6 * trials.bits_to(way.picture, slice, index);
    way.last = alternative.mode;
    return way;
}

/// What is listed, the first of it without a residual too, in a P picture nothing at all, the modes of the ways before
/// without one, and that of the cheapest with one (in a P picture only where a vector is listed).
std::vector<Alternative> alternatives(const Trials& trials, const std::vector<PlainWay>& ways, int index) {
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
    const auto may_repeat = [&](const PlainWay& way) {
        return (way.last.flags & (mb_forward | mb_backward)) != 0 && trials.fits(way.last, index) &&
               (has_vector || !predicted);
    };
    for (const PlainWay& way : ways)
        if (may_repeat(way)) all.push_back({way.last, true});
    const bool is_listed = std::find(listed.begin(), listed.end(), ways.front().last) != listed.end();
    if (may_repeat(ways.front()) && !is_listed) all.push_back({ways.front().last});
    return all;
}

/// Whether two macroblocks are predicted alike and have no levels.
bool are_same(const PlainWay& a, const PlainWay& b, int index) {
    const auto i = static_cast<std::size_t>(index);
    return a.last == b.last && a.picture.pattern[i] == 0 && b.picture.pattern[i] == 0;
}

/// The ways to a macroblock, the cheapest first, from those to the one before: the cheapest to each alternative, and of
/// these so many.
std::vector<PlainWay> extended(const Trials& trials, const std::vector<PlainWay>& ways, SliceExtent slice, int index,
                               std::size_t most) {
    std::vector<PlainWay> all;
    for (const Alternative& alternative : alternatives(trials, ways, index)) {
        PlainWay cheapest = go_on(trials, ways.front(), alternative, slice, index);
        for (std::size_t k = 1; k < ways.size(); ++k) {
            PlainWay way = go_on(trials, ways[k], alternative, slice, index);
            if (way.cost < cheapest.cost) cheapest = std::move(way);
        }
        if (std::none_of(all.begin(), all.end(), [&](const PlainWay& way) { return are_same(way, cheapest, index); }))
            all.push_back(std::move(cheapest));
    }
    std::stable_sort(all.begin(), all.end(), [](const PlainWay& a, const PlainWay& b) { return a.cost < b.cost; });
    if (all.size() > most) all.erase(all.begin() + static_cast<std::ptrdiff_t>(most), all.end());
    return all;
}

PlainWay cheapest_way(const Trials& trials, const MpegPicture& picture, SliceExtent slice, std::size_t most) {
    std::vector<PlainWay> ways(1);
    ways.front().picture = picture;
    for (int index = slice.first; index < slice.end; ++index)
        ways = extended(trials, ways, slice, index, most);
    return ways.front();
}

/// How often it ended in which way, so that a test knows that its pictures ask for all of them.
struct Ends {
    int intra = 0, skipped = 0, repeated_unlisted = 0, not_first = 0;
    std::int64_t cost = 0, cost_one_by_one = 0; ///< Of the ways taken, and were one alone followed.
};

void count_ends(const Trials& trials, const MpegPicture& coded, SliceExtent slice, Ends& ends) {
    Mode before;
    for (int index = slice.first; index < slice.end; ++index) {
        const auto i = static_cast<std::size_t>(index);
        const Mode mode = decided_mode(coded, i);
        const auto listed = trials.modes[i].all();
        const bool is_listed = std::find(listed.begin(), listed.end(), mode) != listed.end();
        ends.intra += mode == intra_mode;
        ends.skipped += (coded.flags[i] & mb_skipped) != 0;
        ends.repeated_unlisted += mode == before && !is_listed;
        ends.not_first += is_listed && mode != listed.front();
        before = mode;
    }
}

void expect_same_slice(const MpegPicture& coded, const MpegPicture& expected, SliceExtent slice) {
    for (auto i = static_cast<std::size_t>(slice.first); i < static_cast<std::size_t>(slice.end); ++i) {
        SCOPED_TRACE(testing::Message() << "macroblock " << i);
        EXPECT_EQ(coded.flags[i], expected.flags[i]);
        EXPECT_EQ(coded.forward[i], expected.forward[i]);
        EXPECT_EQ(coded.backward[i], expected.backward[i]);
        EXPECT_EQ(coded.pattern[i], expected.pattern[i]);
        EXPECT_EQ(coded.quantiser_scale_code[i], expected.quantiser_scale_code[i]);
        for (std::size_t block = i * 6; block < i * 6 + 6; ++block) {
            EXPECT_EQ(coded.nonzero[block], expected.nonzero[block]);
            for (std::size_t k = block * 64; k < block * 64 + 64; ++k) {
                if ((coded.nonzero[block] >> (k % 64) & 1) == 0) continue;
                EXPECT_EQ(coded.levels[k], expected.levels[k]);
            }
        }
    }
}

/// Each slice is coded in the cheapest of the ways that are followed, and the whole is what a decoder rebuilds.
void check(const Trials& trials, Ends& ends) {
    MpegPicture coded = trials.picture;
    Frame reconstruction(columns * 16, rows * 16);
    for (const SliceExtent slice : coded.slices) {
        code_by_rate_distortion(trials.input, slice, coded, reconstruction);
        const PlainWay plain = cheapest_way(trials, trials.picture, slice, most_ways);
        expect_same_slice(coded, plain.picture, slice);
        count_ends(trials, coded, slice, ends);
        ends.cost += plain.cost;
        ends.cost_one_by_one += cheapest_way(trials, trials.picture, slice, 1).cost;
    }
    MpegSequence sequence;
    sequence.intra_matrix = default_intra_matrix();
    sequence.non_intra_matrix = default_non_intra_matrix();
    const auto decoded = decode_naively(coded, sequence, trials.input.codec == Codec::mpeg1, trials.decided.references);
    EXPECT_LE(largest_difference(*decoded, reconstruction), 1);
}

TEST(RateDistortion, SlicesAreCodedInTheirCheapestWay) {
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
        EXPECT_LT(ends.cost, ends.cost_one_by_one);
    }
}

} // namespace
} // namespace tandem
