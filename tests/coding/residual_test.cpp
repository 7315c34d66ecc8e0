// SPDX-License-Identifier: BSD-2-Clause
// What the encoder rebuilds is what a decoder makes of its levels.
#include <algorithm>

#include <gtest/gtest.h>

#include "coding/mpeg/quantiser/trellis.h"
#include "coding/mpeg/residual.h"
#include "coding/mpeg/slice_layout.h"
#include "tests/bitstream/block_bits.h"
#include "tests/coding/naive_picture.h"
#include "tests/encoder/streams/naive_decoder.h"
#include "video/quality/quality.h"

namespace tandem {
namespace {

using namespace test;

constexpr int columns = 4, rows = 3;

struct Options {
    PictureType type = PictureType::intra;
    bool mpeg1 = false;
    int code = 8;
    bool non_linear = false;
    bool alternate_scan = false;
    int dc_precision = 8;
    bool custom_matrices = false;
    int slices = rows;
    int noise = 10; ///< Between the source and what it is predicted from.
    bool trellis = false;
    bool intra_vlc = false;
    int reach = 12; ///< Of vectors, in half-pels.
    std::uint32_t seed = 1;
};

struct Coded {
    MpegPicture picture;
    MpegSequence sequence;
    std::shared_ptr<Frame> source, reconstruction;
    References references;
    Quantisers quantisers;
};

QuantiserMatrix random_matrix(std::mt19937& random, int first) {
    QuantiserMatrix matrix;
    for (std::uint8_t& entry : matrix)
        entry = static_cast<std::uint8_t>(draw(random, 1, 255));
    matrix[0] = static_cast<std::uint8_t>(first);
    return matrix;
}

/// Flags and vectors at random, every other macroblock like the one before it so that some can be skipped.
void decide_at_random(std::mt19937& random, int reach, MpegPicture& picture) {
    const auto count = static_cast<std::size_t>(picture.macroblocks());
    for (std::size_t i = 0; i < count; ++i) {
        const int x = static_cast<int>(i) % columns * 16, y = static_cast<int>(i) / columns * 16;
        const auto vector = [&] { return random_vector(random, x, y, columns * 16, rows * 16, reach); };
        const int kind = draw(random, 0, 9);
        std::uint8_t& flags = picture.flags[i];
        picture.forward[i] = picture.backward[i] = {};
        if (picture.type == PictureType::intra || kind == 0) {
            flags = mb_intra;
        } else if (picture.type == PictureType::predicted) {
            flags = mb_forward;
            if (kind < 4) picture.forward[i] = vector();
        } else if (kind < 5 && i > 0 && (picture.flags[i - 1] & mb_intra) == 0 &&
                   inside_picture(picture.forward[i - 1], x, y, columns * 16, rows * 16) &&
                   inside_picture(picture.backward[i - 1], x, y, columns * 16, rows * 16)) {
            flags = picture.flags[i - 1];
            picture.forward[i] = picture.forward[i - 1];
            picture.backward[i] = picture.backward[i - 1];
        } else {
            flags = static_cast<std::uint8_t>(draw(random, 1, 3) * mb_forward);
            if (flags & mb_forward) picture.forward[i] = vector();
            if (flags & mb_backward) picture.backward[i] = vector();
        }
    }
}

Coded code(const Options& options) {
    std::mt19937 random(options.seed);
    Coded coded;
    coded.source = random_frame(columns * 16, rows * 16, options.seed, 6);
    coded.references.forward =
        std::make_shared<Reference>(moved_frame(*coded.source, 0, 0, options.seed + 1, options.noise));
    if (options.type == PictureType::bidirectional) {
        coded.references.backward =
            std::make_shared<Reference>(moved_frame(*coded.source, 0, 0, options.seed + 2, options.noise));
    }
    coded.sequence.intra_matrix = options.custom_matrices ? random_matrix(random, 8) : default_intra_matrix();
    coded.sequence.non_intra_matrix = options.custom_matrices ? random_matrix(random, 3) : default_non_intra_matrix();

    MpegPicture& picture = coded.picture;
    picture.resize(columns, rows);
    picture.type = options.type;
    picture.quantiser_scale_type = options.non_linear;
    picture.alternate_scan = options.alternate_scan;
    picture.intra_vlc_format = options.intra_vlc;
    picture.intra_dc_precision = options.dc_precision;
    picture.slices = slice_layout(options.mpeg1 ? Codec::mpeg1 : Codec::mpeg2, columns, rows, options.slices);
    std::fill(picture.quantiser_scale_code.begin(), picture.quantiser_scale_code.end(),
              static_cast<std::uint8_t>(options.code));
    decide_at_random(random, options.reach, picture);

    ResidualInput input;
    input.source = coded.source.get();
    input.references = &coded.references;
    const int scale = quantiser_scale(options.code, options.non_linear);
    const auto quantiser = [&](const QuantiserMatrix& matrix, bool intra, int rounding) {
        return make_quantiser(matrix, scale, intra, options.mpeg1, options.dc_precision, rounding);
    };
    input.trellis = options.trellis;
    input.codes = picture.quantiser_scale_code;
    input.quantisers = {
        {options.code, static_cast<std::uint32_t>(13 * scale * scale),
         quantiser(coded.sequence.intra_matrix, true, options.trellis ? trellis_rounding_intra : 24),
         quantiser(coded.sequence.non_intra_matrix, false, options.trellis ? trellis_rounding_inter : 32)}};
    coded.quantisers = input.quantisers.front();
    coded.reconstruction = std::make_shared<Frame>(columns * 16, rows * 16);
    for (const SliceExtent slice : picture.slices)
        code_residual(input, slice, picture, *coded.reconstruction);
    return coded;
}

std::size_t count(const Coded& coded, std::uint8_t flag) {
    std::size_t found = 0;
    for (const std::uint8_t flags : coded.picture.flags)
        found += (flags & flag) != 0 ? 1 : 0;
    return found;
}

void expect_decodable(const Options& options) {
    const Coded coded = code(options);
    const auto decoded = decode_naively(coded.picture, coded.sequence, options.mpeg1, coded.references);
    // Half-way values may round either way; nothing else differs from real arithmetic by as much.
    EXPECT_LE(largest_difference(*decoded, *coded.reconstruction), 1);
}

TEST(Residual, IsWhatADecoderRebuilds) {
    std::uint32_t seed = 1;
    for (const PictureType type : {PictureType::intra, PictureType::predicted, PictureType::bidirectional}) {
        for (const bool mpeg1 : {false, true}) {
            for (const int code : {1, 2, 5, 12, 31}) {
                for (const int noise : {0, 3, 40, 255}) {
                    SCOPED_TRACE(testing::Message() << "type " << static_cast<int>(type) << ", mpeg1 " << mpeg1
                                                    << ", code " << code << ", noise " << noise);
                    Options options;
                    options.type = type;
                    options.mpeg1 = mpeg1;
                    options.code = code;
                    options.noise = noise;
                    options.slices = mpeg1 ? 2 : rows; // MPEG-1's cross a row.
                    options.seed = seed += 10;
                    expect_decodable(options);
                    options.trellis = true;
                    expect_decodable(options);
                }
            }
        }
    }
}

TEST(Residual, InEverySyntaxOfMpeg2) {
    std::uint32_t seed = 5000;
    for (const PictureType type : {PictureType::intra, PictureType::predicted, PictureType::bidirectional}) {
        for (int choice = 0; choice < 32; ++choice) {
            SCOPED_TRACE(testing::Message() << "type " << static_cast<int>(type) << ", choice " << choice);
            Options options;
            options.type = type;
            options.alternate_scan = (choice & 1) != 0;
            options.custom_matrices = (choice & 2) != 0;
            options.non_linear = (choice & 4) != 0;
            options.dc_precision = 8 + choice / 8;
            options.code = 1 + choice % 31;
            options.trellis = choice % 3 == 0;
            options.intra_vlc = choice % 4 < 2;
            options.slices = choice % 2 == 0 ? rows : rows * columns;
            options.seed = seed += 10;
            expect_decodable(options);
        }
    }
}

TEST(Residual, FineQuantisersRebuildTheSource) {
    for (const PictureType type : {PictureType::intra, PictureType::predicted, PictureType::bidirectional}) {
        for (const bool mpeg1 : {false, true}) {
            Options options;
            options.type = type;
            options.mpeg1 = mpeg1;
            options.code = 1;
            const Coded coded = code(options);
            const SquaredErrors errors = squared_errors(*coded.source, *coded.reconstruction, columns * 16, rows * 16);
            for (int plane = 0; plane < 3; ++plane)
                EXPECT_GT(errors.psnr(plane), 43.0) << plane;
        }
    }
}

/// What the trellis makes of a block by itself.
struct OwnChoice {
    TrellisChoice choice;
    std::array<std::int16_t, 64> levels;
};

OwnChoice own_choice(const Coded& coded, std::size_t i, std::size_t b) {
    const MpegPicture& picture = coded.picture;
    const int plane = b < 4 ? 0 : static_cast<int>(b) - 3, size = b < 4 ? 16 : 8;
    const int left = static_cast<int>(i) % columns * size + (b < 4 ? static_cast<int>(b) % 2 * 8 : 0);
    const int top = static_cast<int>(i) / columns * size + (b < 4 ? static_cast<int>(b) / 2 * 8 : 0);
    Block values, coefficients;
    for (int k = 0; k < 64; ++k) {
        const int x = left + k % 8, y = top + k / 8;
        const int predicted =
            predicted_sample(coded.references, picture.flags[i], picture.forward[i], picture.backward[i], plane, x, y);
        values.value[k] = static_cast<std::int16_t>(coded.source->plane(plane).view().at(x, y) - predicted);
    }
    transform_kernels().forward_dct(values, coefficients);
    OwnChoice own;
    own.choice = trellis_quantise(coefficients, coded.quantisers.inter, CoefficientTable::b14, picture.alternate_scan,
                                  coded.quantisers.lambda_q6, own.levels.data());
    return own;
}

/// Squared error + lambda * bits of a predicted macroblock with these blocks, without what no choice of them changes.
std::int64_t cost_with(int pattern, const std::array<OwnChoice, 6>& own, std::uint32_t lambda_q6) {
    if (pattern == 0) return 0;
    std::int64_t cost = std::int64_t{lambda_q6} * coded_block_pattern_bits(pattern);
    for (std::size_t b = 0; b < 6; ++b)
        cost -= (pattern & (32 >> b)) != 0 ? own[b].choice.saving : 0;
    return cost;
}

void expect_levels_of(const Coded& coded, std::size_t block, bool is_coded, const OwnChoice& own) {
    ASSERT_EQ(coded.picture.nonzero[block], is_coded ? own.choice.nonzero : 0U);
    for (std::size_t position = 0; is_coded && position < 64; ++position) {
        if (own.levels[position] != 0) {
            ASSERT_EQ(coded.picture.levels[block * 64 + position], own.levels[position]);
        }
    }
}

// Of the blocks that have levels by themselves those are coded that make the macroblock cheapest.
TEST(Residual, CodesTheBlocksThatPayForThePattern) {
    int fewer = 0, none = 0;
    for (std::uint32_t seed = 1; seed <= 120; ++seed) {
        SCOPED_TRACE(seed);
        Options options;
        options.type = seed % 2 == 0 ? PictureType::predicted : PictureType::bidirectional;
        options.mpeg1 = seed % 3 == 0;
        options.code = 2 + static_cast<int>(seed) % 13;
        options.noise = 2 * options.code;
        options.trellis = true;
        options.seed = 9000 + 10 * seed;
        const Coded coded = code(options);
        for (std::size_t i = 0; i < coded.picture.flags.size(); ++i) {
            if (coded.picture.flags[i] & mb_intra) continue;
            const int pattern = coded.picture.pattern[i];
            std::array<OwnChoice, 6> own;
            int with_levels = 0;
            for (std::size_t b = 0; b < 6; ++b) {
                own[b] = own_choice(coded, i, b);
                with_levels = with_levels << 1 | static_cast<int>(own[b].choice.nonzero != 0);
                expect_levels_of(coded, i * 6 + b, (pattern & (32 >> b)) != 0, own[b]);
            }
            const std::int64_t cost = cost_with(pattern, own, coded.quantisers.lambda_q6);
            for (int other = 0; other < 64; ++other) {
                if ((other & ~with_levels) != 0) continue;
                ASSERT_LE(cost, cost_with(other, own, coded.quantisers.lambda_q6)) << pattern << " and " << other;
            }
            fewer += pattern != with_levels && pattern != 0;
            none += pattern != with_levels && pattern == 0;
        }
    }
    EXPECT_GT(fewer, 20);
    EXPECT_GT(none, 20);
}

// The levels of intra DC go far beyond what other levels may be, and leave those alone.
TEST(Residual, BrightBlocksKeepTheirTexture) {
    Options options;
    options.code = 20;
    const Coded coded = code(options);
    int bright = 0, with_texture = 0;
    for (std::size_t block = 0; block < coded.picture.nonzero.size(); ++block) {
        if (coded.picture.levels[block * 64] < 120) continue;
        ++bright;
        with_texture += (coded.picture.nonzero[block] & ~std::uint64_t{1}) != 0 ? 1 : 0;
    }
    EXPECT_GT(bright, 5);
    EXPECT_EQ(with_texture, bright);
}

// Half a step in all samples is a level of 1, by the quantiser; the energy of such a block must not hide it.
TEST(Residual, TheSmallestDifferenceThatHasALevelIsCoded) {
    const auto flat = [](std::uint8_t level) {
        const auto frame = std::make_shared<Frame>(16, 16);
        for (int plane = 0; plane < 3; ++plane)
            frame->plane(plane).fill(level);
        return frame;
    };
    const auto source = flat(101), reconstruction = flat(0);
    References references;
    references.forward = std::make_shared<Reference>(flat(100));
    MpegPicture picture;
    picture.resize(1, 1);
    picture.type = PictureType::predicted;
    picture.flags[0] = mb_forward;
    ResidualInput input;
    input.source = source.get();
    input.references = &references;
    const int code = 8, scale = quantiser_scale(code, false);
    input.codes = {static_cast<std::uint8_t>(code)};
    input.quantisers = {{code, 0, make_quantiser(default_intra_matrix(), scale, true, false, 8, 32),
                         make_quantiser(default_non_intra_matrix(), scale, false, false, 8, 32)}};
    code_residual(input, {0, 1}, picture, *reconstruction);
    EXPECT_EQ(picture.pattern[0], 63);
}

// With nothing left to code all that may be skipped is, and the picture is its prediction.
TEST(Residual, SkipsWhatTheStandardLetsItSkip) {
    Options options;
    options.type = PictureType::predicted;
    options.noise = 0;
    options.code = 31;
    options.slices = 1;
    options.mpeg1 = true;
    const Coded coded = code(options);
    std::size_t expected = 0;
    for (std::size_t i = 0; i < coded.picture.flags.size(); ++i) {
        const bool still = (coded.picture.flags[i] & mb_intra) == 0 && coded.picture.forward[i] == Mv{};
        const bool inside = i != 0 && i + 1 != coded.picture.flags.size();
        if (!still) continue;
        EXPECT_EQ(coded.picture.flags[i], inside ? mb_skipped : mb_forward) << i;
        expected += inside ? 1 : 0;
    }
    EXPECT_GT(expected, 2U);
    EXPECT_EQ(count(coded, mb_skipped), expected);
}

TEST(Residual, SkipsInBPicturesToo) {
    Options options;
    options.type = PictureType::bidirectional;
    options.noise = 0;
    options.code = 31;
    options.slices = 1;
    options.mpeg1 = true;
    options.reach = 0;
    std::size_t skipped = 0;
    for (options.seed = 1; options.seed < 20; ++options.seed) {
        skipped += count(code(options), mb_skipped);
        expect_decodable(options);
    }
    EXPECT_GT(skipped, 20U);
}

} // namespace
} // namespace tandem
