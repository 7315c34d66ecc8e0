// SPDX-License-Identifier: BSD-2-Clause
// The lookahead with pictures: what it makes of content that is hard to plan for.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "coding/mpeg/quantiser/quantiser_scale.h"
#include "encoder/lookahead/lookahead.h"
#include "tests/encoder/encoded_clip.h"
#include "tests/encoder/type_letters.h"
#include "video/quality/quality.h"

namespace tandem {
namespace {

using namespace test;

constexpr int width = 64, height = 48;

LookaheadSettings planned(int pictures = 12) {
    LookaheadSettings settings;
    settings.filter = 1;
    settings.rules.keyint = 100;
    settings.rules.min_keyint = 2;
    settings.rules.most_b = 2;
    settings.rules.b_adapt = BAdapt::paths;
    settings.rules.scenecut = 40;
    settings.pictures = pictures;
    return settings;
}

/// What comes out, after a check that it is each picture once, in order, and as late as the settings say. `expected`:
/// what Lookahead::expect() is told with each picture, if anything.
std::vector<TypedPicture> run(const LookaheadSettings& settings, const Clip& clip, Coprocessor& motion,
                              const std::vector<double>& expected = {}) {
    Workers workers(1);
    Lookahead lookahead(settings, motion, workers);
    std::vector<TypedPicture> out;
    const auto take = [&](std::vector<TypedPicture> typed) {
        for (const TypedPicture& picture : typed) { // The lookahead has to live till then.
            if (picture.importance.valid()) picture.importance.wait();
            if (picture.filtered.valid()) picture.filtered.wait();
        }
        std::move(typed.begin(), typed.end(), std::back_inserter(out));
    };
    for (std::size_t i = 0; i < clip.size(); ++i) {
        if (!expected.empty()) lookahead.expect(expected[i]);
        take(lookahead.push(clip[i], half_picture_of(*clip[i])));
    }
    for (auto rest = lookahead.rest(); !rest.empty(); rest = lookahead.rest())
        take(rest);
    EXPECT_EQ(out.size(), clip.size());
    for (std::size_t i = 0; i < std::min(out.size(), clip.size()); ++i)
        EXPECT_EQ(out[i].source, clip[i]) << i;
    if (!out.empty()) {
        EXPECT_EQ(out.front().type, I);
        EXPECT_NE(out.back().type, B) << "a stream ends with an anchor";
    }
    return out;
}

Types types_of(const std::vector<TypedPicture>& pictures) {
    Types types;
    for (const TypedPicture& picture : pictures)
        types.push_back(picture.type);
    return types;
}

Types types_of(const LookaheadSettings& settings, const Clip& clip) {
    Coprocessor motion({}, make_cpu_estimator(1));
    return types_of(run(settings, clip, motion));
}

FramePtr flat(int luma) {
    auto frame = std::make_shared<Frame>(width, height);
    frame->plane(0).fill(static_cast<std::uint8_t>(luma));
    frame->plane(1).fill(128);
    frame->plane(2).fill(128);
    return frame;
}

/// Pictures of a shot of its own for each number.
Clip shots(const std::vector<int>& lengths) {
    Clip clip;
    std::uint64_t seed = 1;
    for (const int length : lengths) {
        SceneParams params;
        params.kind = SceneKind::objects;
        params.width = width;
        params.height = height;
        params.seed = seed++;
        const Scene scene(params);
        for (int i = 0; i < length; ++i)
            clip.push_back(scene.render(i));
    }
    return clip;
}

std::vector<int> places_of(const Types& types, PictureType type) {
    std::vector<int> places;
    for (std::size_t i = 0; i < types.size(); ++i)
        if (types[i] == type) places.push_back(static_cast<int>(i));
    return places;
}

TEST(Lookahead, EachCutIsAnIPicture) {
    EXPECT_EQ(places_of(types_of(planned(), shots({8, 8, 3, 8})), I), (std::vector<int>{0, 8, 16, 19}));
}

TEST(Lookahead, AWhitePictureIsNoCut) {
    for (const int flash : {4, 5, 6}) {
        Clip clip = shots({14});
        clip[static_cast<std::size_t>(flash)] = flat(255);
        const Types types = types_of(planned(), clip);
        EXPECT_EQ(places_of(types, I), std::vector<int>{0}) << flash;
    }
}

TEST(Lookahead, AStillPictureNeedsNoIPictureBeforeKeyint) {
    const Clip clip(60, shots({1}).front());
    LookaheadSettings settings = planned();
    settings.rules.keyint = 25;
    const Types types = types_of(settings, clip);
    EXPECT_EQ(places_of(types, I), (std::vector<int>{0, 25, 50}));
}

TEST(Lookahead, BlackToNoise) {
    Clip clip(6, flat(16));
    SceneParams params;
    params.kind = SceneKind::noise;
    params.width = width;
    params.height = height;
    params.noise = 60;
    const Scene scene(params);
    for (int i = 0; i < 6; ++i)
        clip.push_back(scene.render(i));
    const Types types = types_of(planned(), clip);
    EXPECT_EQ(std::count(types.begin(), types.begin() + 6, I), 1) << "black is no cut from black";
    EXPECT_EQ(types[6], I);
}

TEST(Lookahead, AFadeIsNoCut) {
    EXPECT_EQ(places_of(types_of(planned(), scene_clip(width, height, 14, SceneKind::fade)), I), std::vector<int>{0});
}

/// Each picture knows its own cost and those behind it, as far as they have been seen.
TEST(Lookahead, PicturesComeWithTheirProspects) {
    constexpr std::size_t window = 12;
    Coprocessor motion({}, make_cpu_estimator(1));
    const std::vector<TypedPicture> out = run(planned(window), shots({20, 20}), motion);
    for (std::size_t i = 0; i < out.size(); ++i) {
        const Prospect& prospect = out[i].prospect;
        ASSERT_TRUE(prospect.pictures) << i;
        ASSERT_LT(prospect.place, prospect.pictures->size()) << i;
        EXPECT_EQ((*prospect.pictures)[prospect.place].type, out[i].type) << i;
        EXPECT_GE(i + prospect.pictures->size(), std::min(i + window, out.size() - 1)) << i;
        if (i + window >= out.size()) {
            EXPECT_TRUE(prospect.is_to_the_end) << i;
        }
    }
    EXPECT_FALSE(out.front().prospect.is_to_the_end);
    EXPECT_LE(out.back().prospect.pictures->size(), 3U) << "the last anchor and the B pictures before it";
    const auto cost = [&](std::size_t i) { return (*out[i].prospect.pictures)[out[i].prospect.place].cost; };
    // Not many times: the cut is an I picture, whose cost is its texture, and pictures as small as these are predicted
    // badly.
    EXPECT_GT(2 * cost(20), 3 * cost(19)) << "a cut costs more than a picture of its shot";
    LookaheadSettings types_alone = planned();
    types_alone.importance = false;
    types_alone.rules.scenecut = 0;
    types_alone.rules.b_adapt = BAdapt::fixed;
    EXPECT_FALSE(run(types_alone, shots({20}), motion).front().prospect.pictures) << "nothing is searched";
}

// Whatever the window, and where nothing else is looked for.
TEST(Lookahead, TypesThatAreGivenComeOut) {
    const Clip clip = shots({20, 20});
    for (const int pictures : {1, 2, 5, 40}) {
        for (const bool looks : {false, true}) {
            LookaheadSettings settings = planned(pictures);
            settings.given = {{3, B}, {4, I}, {5, B}, {6, B}, {9, P}, {10, P}, {19, B}, {30, I}, {38, B}, {60, I}};
            settings.importance = looks;
            if (!looks) settings.rules.scenecut = 0;
            if (!looks) settings.rules.b_adapt = BAdapt::fixed;
            const Types types = types_of(settings, clip);
            ASSERT_EQ(types.size(), 40U);
            for (const auto& [display, type] : settings.given) {
                if (display >= 40) continue;
                EXPECT_EQ(types[static_cast<std::size_t>(display)], type) << display;
            }
            EXPECT_EQ(types[20], looks ? I : B) << "a cut after a given B picture; or the second of two";
        }
    }
}

TEST(Lookahead, EveryLengthOfStreamAndWindow) {
    const Clip clip = shots({5, 6});
    Coprocessor motion({}, make_cpu_estimator(1));
    for (const int pictures : {1, 2, 5, 40})
        for (std::size_t length = 0; length <= clip.size(); ++length)
            run(planned(pictures), {clip.begin(), clip.begin() + static_cast<std::ptrdiff_t>(length)}, motion);
}

std::uint64_t difference_of(const Frame& a, const Frame& b) {
    const SquaredErrors errors = squared_errors(a, b, width, height);
    return errors.error[0] + errors.error[1] + errors.error[2];
}

/// The squares of what the filter changed.
std::uint64_t change_of(const TypedPicture& picture) {
    return picture.filtered.valid() ? difference_of(*picture.source, *picture.filtered.get()) : 0;
}

// Searches end in any order; what is decided must not know.
TEST(Lookahead, ThreadsChangeNothing) {
    const Clip clip = shots({7, 9});
    Coprocessor one({}, make_cpu_estimator(1)), four({}, make_cpu_estimator(4));
    const auto a = run(planned(), clip, one), b = run(planned(), clip, four);
    EXPECT_EQ(types_of(a), types_of(b));
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ(a[i].importance.get()->factor, b[i].importance.get()->factor) << i;
        EXPECT_EQ(a[i].importance.get()->residual, b[i].importance.get()->residual) << i;
        EXPECT_EQ(a[i].filtered.valid(), b[i].filtered.valid()) << i;
        if (a[i].filtered.valid()) {
            EXPECT_EQ(difference_of(*a[i].filtered.get(), *b[i].filtered.get()), 0U) << i;
        }
    }
}

TEST(Lookahead, WhatOthersArePredictedFromIsFiltered) {
    SceneParams params;
    params.kind = SceneKind::noise;
    params.width = width;
    params.height = height;
    const Scene scene(params);
    Clip clip;
    for (int i = 0; i < 14; ++i)
        clip.push_back(scene.render(i));
    Coprocessor motion({}, make_cpu_estimator(1));
    for (const int most_b : {0, 2}) {
        LookaheadSettings settings = planned();
        settings.rules.most_b = most_b;
        settings.rules.b_adapt = BAdapt::fixed;
        const auto out = run(settings, clip, motion);
        for (std::size_t i = 0; i + 1 < out.size(); ++i)
            EXPECT_EQ(change_of(out[i]) > 0, out[i].type != B) << i << " with " << most_b;
        EXPECT_EQ(change_of(out.back()), 0U) << "nothing is predicted from the last";
        const auto step = static_cast<std::size_t>(most_b + 1);
        EXPECT_GT(change_of(out[step]), change_of(out[out.size() - 1 - step])) << "less leans on the last but one";
        settings.filter = 0;
        for (const TypedPicture& picture : run(settings, clip, motion))
            EXPECT_FALSE(picture.filtered.valid());
        settings.filter = 1;
        settings.importance = false;
        for (const TypedPicture& picture : run(settings, clip, motion))
            EXPECT_FALSE(picture.filtered.valid()) << "what leans on a picture is not known";
    }
}

TEST(Lookahead, ThePicturesFilteredWithOneAreThoseWithinTwoOfIt) {
    constexpr int other = 5;
    Clip clip(12, shots({1}).front());
    auto changed = std::make_shared<Frame>(width, height);
    for (int plane = 0; plane < 3; ++plane) {
        copy_and_extend(clip[0]->plane(plane).view(), changed->plane(plane).view());
        for (int y = 0; y < changed->plane(plane).height(); ++y)
            for (int x = 0; x < changed->plane(plane).width(); ++x)
                changed->plane(plane).view().at(x, y) ^= 8;
    }
    clip[other] = changed;
    LookaheadSettings settings = planned();
    settings.rules.most_b = 0;
    Coprocessor motion({}, make_cpu_estimator(1));
    const auto out = run(settings, clip, motion);
    for (int i = 0; i + 1 < static_cast<int>(out.size()); ++i)
        EXPECT_EQ(change_of(out[static_cast<std::size_t>(i)]) > 0, std::abs(i - other) <= 2) << i;
}

void expect_alike(const TypedPicture& a, const TypedPicture& b) {
    EXPECT_EQ(a.importance.get()->factor, b.importance.get()->factor);
    ASSERT_EQ(a.filtered.valid(), b.filtered.valid());
    if (a.filtered.valid()) {
        EXPECT_EQ(difference_of(*a.filtered.get(), *b.filtered.get()), 0U);
    }
}

// A decision takes the last quantiser that was told before it; nobody has told one yet: the guess, or the settings'.
TEST(Lookahead, QuantisersAreThoseThatAreExpected) {
    constexpr int window = 6;
    const Clip clip = scene_clip(width, height, 40, SceneKind::noise);
    Coprocessor motion({}, make_cpu_estimator(1));
    LookaheadSettings settings = planned(window);
    settings.rules.most_b = 0;
    settings.rules.scenecut = 0;
    const auto at = [&](double quantiser) {
        LookaheadSettings other = settings;
        other.quantiser = quantiser;
        return run(other, clip, motion);
    };
    const auto of_3 = at(3), of_12 = at(12);
    EXPECT_NE(of_3[0].importance.get()->factor, of_12[0].importance.get()->factor);
    EXPECT_NE(change_of(of_3[0]), change_of(of_12[0]));

    std::vector<double> expected(clip.size(), 3);
    std::fill(expected.begin() + 30, expected.end(), 12);
    const auto changing = run(settings, clip, motion, expected);
    const auto first_of_12 = std::ranges::find_if(changing, [&](const TypedPicture& picture) {
        return picture.importance.get()->factor !=
               of_3[static_cast<std::size_t>(&picture - changing.data())].importance.get()->factor;
    });
    const auto changes_at = static_cast<std::size_t>(first_of_12 - changing.begin());
    EXPECT_LT(changes_at, 30U - window);
    for (std::size_t i = 0; i + 1 < clip.size(); ++i)
        expect_alike(changing[i], (i < changes_at ? of_3 : of_12)[i]);

    settings.guess.emplace();
    settings.guess->bits_per_picture = 4000;
    const auto guessed = run(settings, clip, motion);
    const double guess = settings.guess->quantiser(*guessed[0].prospect.pictures, width * height / 256);
    EXPECT_NE(guess, settings.quantiser);
    expect_alike(guessed[0], at(guess)[0]);
    expect_alike(run(settings, clip, motion, expected)[0], of_3[0]);
}

TEST(Lookahead, PicturesOnTheTwoSidesOfACutStayApart) {
    Coprocessor motion({}, make_cpu_estimator(1));
    const auto out = run(planned(), shots({1, 1, 1, 1, 1, 1}), motion);
    for (std::size_t i = 0; i < out.size(); ++i)
        EXPECT_LT(change_of(out[i]), std::uint64_t{width} * height) << i;
}

/// What is measured and shown is what came in.
TEST(Lookahead, AnEncodeIsJudgedByThePicturesThatCameIn) {
    Settings settings = quick_settings();
    settings.mbtree = true;
    const Clip clip = scene_clip(width, height, 12, SceneKind::noise);
    settings.temporal_filter = 0;
    const EncodedClip plain = encode(settings, clip);
    settings.temporal_filter = 1;
    const EncodedClip filtered = encode(settings, clip);
    for (const CodedPicture& picture : filtered.pictures)
        EXPECT_EQ(difference_of(*picture.source, *clip[static_cast<std::size_t>(picture.stats.display_index)]), 0U);
    EXPECT_LT(filtered.bytes.size(), plain.bytes.size());
}

TEST(Lookahead, BPicturesHaveNoImportanceAndAnchorsDo) {
    Coprocessor motion({}, make_cpu_estimator(1));
    const auto out = run(planned(), shots({12}), motion);
    for (std::size_t i = 0; i + 1 < out.size(); ++i) {
        const auto [least, most] = std::ranges::minmax(out[i].importance.get()->factor);
        if (out[i].type == B) {
            EXPECT_EQ(least, 1.0F) << i;
        } else {
            EXPECT_LT(least, 0.95F) << i;
        }
        EXPECT_LE(most, 1.0F);
        EXPECT_GT(least, 0.0F);
    }
}

// The same scale, said as code 4 and as code 8, is multiplied by the same factors.
TEST(Lookahead, ImportanceMultipliesScalesWhateverCodesStandFor) {
    Settings settings = quick_settings();
    settings.mbtree = true;
    settings.bframes = 2;
    const Clip clip = shots({12});
    settings.qp = 4;
    const EncodedClip linear = encode(settings, clip);
    settings.qp = 8;
    settings.non_linear_quantiser = true;
    const EncodedClip non_linear = encode(settings, clip);
    ASSERT_EQ(linear.pictures.size(), non_linear.pictures.size());
    for (std::size_t i = 0; i < linear.pictures.size(); ++i) {
        EXPECT_EQ(linear.pictures[i].stats.type, non_linear.pictures[i].stats.type);
        EXPECT_NEAR(linear.pictures[i].stats.quantiser, non_linear.pictures[i].stats.quantiser, 1e-3) << i;
        const PictureStats& stats = non_linear.pictures[i].stats;
        EXPECT_EQ(stats.qp, std::lround(code_of_quantiser(stats.quantiser, true))) << i;
    }
}

TEST(Lookahead, AnEncodeFollowsIt) {
    Settings settings = quick_settings();
    settings.keyint = 50;
    settings.bframes = 2;
    settings.b_adapt = BAdapt::paths;
    settings.scenecut = 40;
    settings.mbtree = true;
    const Clip clip = shots({6, 7});
    const EncodedClip encoded = encode(settings, clip);
    ASSERT_EQ(encoded.pictures.size(), clip.size());
    for (const CodedPicture& picture : encoded.pictures) {
        const std::int64_t at = picture.stats.display_index;
        EXPECT_EQ(picture.stats.type == I, at == 0 || at == 6) << at;
        EXPECT_EQ(picture.key, picture.stats.type == I) << at;
    }
}

} // namespace
} // namespace tandem
