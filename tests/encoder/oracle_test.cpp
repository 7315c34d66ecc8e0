// SPDX-License-Identifier: BSD-2-Clause
// A matrix of streams that FFmpeg and mpeg2dec must take without a word and rebuild as we do; see oracle.h.
#include <gtest/gtest.h>

#include <string>

#include "tests/coding/naive_picture.h"
#include "tests/encoder/option_rows.h"
#include "tests/encoder/oracle.h"

namespace tandem {
namespace {

using namespace test;

// Under sanitizers the encoder takes many times as long, and the streams are the same: a part of them is enough.
#ifdef TANDEM_QUICK_ORACLE
constexpr bool quick = true;
#else
constexpr bool quick = false;
#endif

constexpr std::array<Codec, 2> codecs{Codec::mpeg1, Codec::mpeg2};
constexpr std::array<int, 4> b_counts{0, 1, 2, 4};
constexpr std::array<int, 3> keyints{1, 4, 12};

struct Size {
    int width, height;
};

class OracleMatrix : public testing::Test {
  protected:
    void SetUp() override {
        const std::string why = why_no_oracles();
        if (!why.empty()) GTEST_SKIP() << why;
    }
    void TearDown() override {
        oracle_.finish();
        EXPECT_TRUE(IsSkipped() || oracle_.streams() > 0) << "nothing was judged";
    }

    void add(const Settings& settings, const Clip& clip, const std::string& what = {}) {
        oracle_.add(std::string(settings.codec == Codec::mpeg1 ? "MPEG-1, " : "MPEG-2, ") +
                        std::to_string(clip.front()->width()) + "x" + std::to_string(clip.front()->height()) + ", " +
                        std::to_string(clip.size()) + " pictures, keyint " + std::to_string(settings.keyint) + ", " +
                        std::to_string(settings.bframes) + " B" + (settings.closed_gop ? ", closed" : "") +
                        (what.empty() ? "" : ", " + what),
                    settings, clip);
    }

    Oracle oracle_;
};

Settings settings_of(Codec codec, int bframes, int keyint) {
    Settings settings = quick_settings(codec);
    settings.bframes = bframes;
    settings.keyint = keyint;
    settings.qp = 4;
    return settings;
}

TEST_F(OracleMatrix, OneToFivePicturesWithEveryBCount) {
    for (const Codec codec : codecs) {
        for (int frames = 1; frames <= 5; ++frames) {
            for (int bframes = 0; bframes <= 8; ++bframes) {
                for (const bool closed : {false, true}) {
                    if (quick && closed != (bframes % 2 == 1)) continue;
                    for (const int keyint : {3, 12}) {
                        if (quick && keyint == 12 && frames < 4) continue;
                        Settings settings = settings_of(codec, bframes, keyint);
                        settings.closed_gop = closed;
                        add(settings, scene_clip(18, 16, frames));
                    }
                }
            }
        }
    }
}

TEST_F(OracleMatrix, SmallPictures) {
    for (const Size size : {Size{1, 1}, {16, 16}, {17, 33}, {34, 34}}) {
        for (const Codec codec : codecs) {
            for (const int bframes : b_counts) {
                for (const int keyint : keyints) {
                    for (const int frames : {1, 2, 3, 4, 5, 13}) {
                        if (quick && frames != 13) continue;
                        add(settings_of(codec, bframes, keyint), scene_clip(size.width, size.height, frames));
                    }
                }
            }
        }
    }
}

/// Every codec, B count and keyint with 13 pictures, and with 1 to 5 in turn.
template <class Add> void for_each_large(Add add_one) {
    int turn = 0;
    for (const Codec codec : codecs) {
        for (const int bframes : b_counts) {
            for (const int keyint : keyints) {
                ++turn;
                if (quick && turn % 7 != 6) continue;
                add_one(settings_of(codec, bframes, keyint), quick ? 4 : 13);
                add_one(settings_of(codec, bframes, keyint), 1 + turn % 5);
            }
        }
    }
}

TEST_F(OracleMatrix, Landscape) {
    for_each_large([&](const Settings& settings, int frames) { add(settings, scene_clip(352, 288, frames)); });
}

TEST_F(OracleMatrix, Portrait) {
    for_each_large([&](const Settings& settings, int frames) { add(settings, scene_clip(288, 352, frames)); });
}

TEST_F(OracleMatrix, Television) {
    for_each_large([&](const Settings& settings, int frames) { add(settings, scene_clip(720, 576, frames)); });
}

TEST_F(OracleMatrix, TallPictures) {
    for_each_large([&](const Settings& settings, int frames) { add(settings, scene_clip(16, 2816, frames)); });
}

TEST_F(OracleMatrix, LargestSides) {
    for (const int most : {4095, 16383}) {
        for (const Size size : {Size{most, 16}, {16, most}, {most, 17}}) {
            Settings settings = settings_of(most == 4095 ? Codec::mpeg1 : Codec::mpeg2, 1, 12);
            settings.search.algorithm = Algorithm::logarithmic;
            add(settings, scene_clip(size.width, size.height, 3, SceneKind::pan));
        }
    }
}

TEST_F(OracleMatrix, EveryOption) {
    for (const Codec codec : codecs) {
        for (const OptionRow& row : option_rows(codec)) {
            Settings settings = settings_of(codec, 2, 12);
            row.change(settings);
            add(settings, scene_clip(80, 64, 13, SceneKind::noise), row.name);
        }
    }
}

/// Some of them together: the same in every run, others with --gtest_random_seed=N.
TEST_F(OracleMatrix, OptionsTogether) {
    std::mt19937 random(static_cast<std::uint32_t>(testing::GTEST_FLAG(random_seed)));
    for (const Codec codec : codecs) {
        const std::vector<OptionRow> rows = option_rows(codec);
        for (int i = 0; i < (quick ? 6 : 40); ++i) {
            Settings settings = settings_of(codec, draw(random, 0, 4), keyints[static_cast<std::size_t>(i % 3)]);
            std::string names;
            for (int changes = draw(random, 2, 7); changes > 0; --changes) {
                const OptionRow& row =
                    rows[static_cast<std::size_t>(draw(random, 0, static_cast<int>(rows.size()) - 1))];
                row.change(settings);
                names += (names.empty() ? "" : ", ") + row.name;
            }
            const SceneKind kind = std::array{SceneKind::pan, SceneKind::objects, SceneKind::noise}[random() % 3];
            add(settings, scene_clip(draw(random, 65, 80), draw(random, 33, 80), draw(random, 1, 9), kind), names);
        }
    }
}

/// Every sample black or white, as is_white(picture, x, y) says: the largest coefficients, escapes and saturation there
/// are.
template <class IsWhite> Clip harsh_clip(int frames, IsWhite is_white) {
    Clip clip;
    for (int i = 0; i < frames; ++i) {
        auto frame = std::make_shared<Frame>(48, 48);
        for (int p = 0; p < 3; ++p) {
            const MutablePlaneView plane = frame->plane(p).view();
            for (int y = 0; y < plane.height; ++y) {
                for (int x = 0; x < plane.width; ++x)
                    plane.at(x, y) = is_white(i, x, y) ? 255 : 0;
            }
        }
        clip.push_back(std::move(frame));
    }
    return clip;
}

bool toss(int picture, int x, int y) {
    std::minstd_rand random(static_cast<std::uint32_t>((picture * 64 + y) * 64 + x + 1));
    random.discard(3);
    return (random() >> 16 & 1) != 0;
}

bool noise_and_boards(int picture, int x, int y) {
    if (picture % 3 == 0) return toss(picture, x, y);
    return picture % 3 == 1 ? (x + y) % 2 == 0 : (x / 8 + y / 8 + picture) % 2 == 0;
}

bool cells(int picture, int x, int y) { return toss(picture, x / 4, y / 4); }

TEST_F(OracleMatrix, BlackAndWhite) {
    for (const Codec codec : codecs) {
        for (const int qp : {1, 2, 5, 31}) {
            for (const int bframes : {0, 2}) {
                Settings settings = settings_of(codec, bframes, 12);
                settings.qp = qp;
                add(settings, harsh_clip(12, noise_and_boards), "qp " + std::to_string(qp));
            }
        }
    }
}

/// Steps so large that the nearest level of a full swing is rebuilt beyond what coefficients go to: of AC by a flat
/// matrix, of DC where AC has levels beside it.
TEST_F(OracleMatrix, BlackAndWhiteByHeavyMatrices) {
    for (const Codec codec : codecs) {
        for (const int ac_weight : {16, 60, 255}) {
            for (const bool trellis : {false, true}) {
                Settings settings = settings_of(codec, 2, 12);
                settings.non_linear_quantiser = codec == Codec::mpeg2;
                settings.qp = 31;
                settings.trellis = trellis;
                // By the flat one mpeg2dec's inverse DCT wraps round in seven samples of a chroma plane.
                settings.intra_matrix = default_intra_matrix();
                settings.non_intra_matrix.emplace().fill(static_cast<std::uint8_t>(ac_weight));
                if (ac_weight == 16) {
                    settings.non_intra_matrix->front() = 255;
                    settings.deadzone_inter = 0;
                    settings.intra_threshold = 65536;
                }
                add(settings, harsh_clip(12, cells), "weight " + std::to_string(ac_weight));
            }
        }
    }
}

} // namespace
} // namespace tandem
