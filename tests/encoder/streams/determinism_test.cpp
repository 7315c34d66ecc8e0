// SPDX-License-Identifier: BSD-2-Clause
// The same bytes whatever the machine: threads, SIMD levels, backends that are slow or break, pictures ahead.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <thread>

#include "coding/mpeg/sharing_backend.h"
#include "machine/simd_level.h"
#include "tests/bitstream/stream_parser.h"
#include "tests/encoder/encoded_clip.h"

namespace tandem {
namespace {

using namespace test;

Settings settings_of(Codec codec, MotionReference reference, Decision decision = Decision::cost) {
    Settings settings = quick_settings(codec);
    settings.bframes = 2;
    settings.keyint = 6;
    settings.qp = 5;
    settings.motion_reference = reference;
    settings.decision = decision;
    return settings;
}

/// Each codec, reference and decision at least once.
std::vector<Settings> varied_settings() {
    return {settings_of(Codec::mpeg2, MotionReference::source),
            settings_of(Codec::mpeg1, MotionReference::recon, Decision::tm5),
            settings_of(Codec::mpeg2, MotionReference::recon, Decision::sm3),
            settings_of(Codec::mpeg1, MotionReference::source, Decision::rd)};
}

Clip moving_clip() { return scene_clip(100, 70, 9); }

/// What an encode leaves behind.
struct Result {
    std::vector<std::uint8_t> bytes;
    std::vector<FramePtr> reconstructions;
};

Result result_of(const EncodedClip& encoded) { return {encoded.bytes, encoded.reconstructions()}; }

Result run(const Settings& settings, Coprocessor& motion) {
    const Clip clip = moving_clip();
    return result_of(encode(settings, format_of(clip), clip, motion));
}

Result run(const Settings& settings) {
    Coprocessor motion({}, make_cpu_estimator(1));
    return run(settings, motion);
}

void expect_same(const Result& a, const Result& b) {
    ASSERT_TRUE(a.bytes == b.bytes) << a.bytes.size() << " and " << b.bytes.size() << " bytes";
    ASSERT_EQ(a.reconstructions.size(), b.reconstructions.size());
    for (std::size_t i = 0; i < a.reconstructions.size(); ++i) {
        for (int plane = 0; plane < 3; ++plane) {
            const PlaneView one = a.reconstructions[i]->plane(plane).view();
            const PlaneView other = b.reconstructions[i]->plane(plane).view();
            for (int y = 0; y < one.height; ++y)
                ASSERT_TRUE(std::equal(one.row(y), one.row(y) + one.width, other.row(y))) << i << " row " << y;
        }
    }
}

TEST(Determinism, RunsAreAlike) {
    for (const Settings& settings : varied_settings())
        expect_same(run(settings), run(settings));
}

TEST(Determinism, ThreadsDoNotShow) {
    for (Settings settings : varied_settings()) {
        for (const int slices : {0, 13}) {
            settings.slices = slices;
            settings.threads = 1;
            const Result one = run(settings);
            for (const int threads : {2, 3, 8}) {
                SCOPED_TRACE(threads);
                settings.threads = threads;
                Coprocessor motion({}, make_cpu_estimator(threads));
                expect_same(one, run(settings, motion));
            }
        }
    }
}

/// Puts back the level in force.
struct LevelGuard {
    SimdLevel before = simd_level();
    ~LevelGuard() { set_simd_level(before); }
};

TEST(Determinism, SimdLevelsDoNotShow) {
    const LevelGuard guard;
    for (const Settings& settings : varied_settings()) {
        set_simd_level(SimdLevel::scalar);
        const Result scalar = run(settings);
        for (const SimdLevel level : {SimdLevel::avx2, SimdLevel::avx512}) {
            if (level > best_simd_level()) continue; // This machine or this build lacks it.
            SCOPED_TRACE(name_of(level));
            set_simd_level(level);
            ASSERT_EQ(simd_level(), level);
            expect_same(scalar, run(settings));
        }
    }
}

/// Its pictures go to several backends of a pool that stand for devices.
Result run_shared(const Settings& settings, int backends, bool cpu_shares) {
    const Clip clip = moving_clip();
    TaskPool pool(3);
    CodingDevices devices;
    devices.cpu_shares = cpu_shares;
    devices.make_mpeg = [&](const MpegTools& tools) {
        std::vector<std::unique_ptr<MpegBackend>> made;
        for (int i = 0; i < backends; ++i)
            made.push_back(make_cpu_mpeg_backend(tools, pool, nullptr));
        return std::optional(make_sharing_backend(tools, std::move(made)));
    };
    Coprocessor motion({}, make_cpu_estimator(1));
    return result_of(encode(settings, format_of(clip), clip, motion, pool, devices));
}

TEST(Determinism, BackendsThatSharePicturesDoNotShow) {
    for (Settings settings : varied_settings()) {
        for (const bool closed : {false, true}) {
            settings.closed_gop = closed;
            const Result alone = run(settings);
            for (const int backends : {1, 2, 4}) {
                SCOPED_TRACE(backends);
                expect_same(alone, run_shared(settings, backends, false));
                expect_same(alone, run_shared(settings, backends, true));
            }
        }
    }
}

TEST(Determinism, LookaheadDoesNotShow) {
    for (Settings settings : varied_settings()) {
        settings.lookahead = 1;
        const Result one = run(settings);
        for (int lookahead = 2; lookahead <= 16; ++lookahead) {
            SCOPED_TRACE(lookahead);
            settings.lookahead = lookahead;
            expect_same(one, run(settings));
        }
    }
}

/// The CPU's answers after a delay, until request number `fails_at` (from 0; -1: never), which breaks it.
class FaultyEstimator final : public Estimator {
  public:
    FaultyEstimator(std::string name, int fails_at, std::chrono::microseconds delay)
        : name_(std::move(name)), fails_at_(fails_at), delay_(delay), cpu_(make_cpu_estimator(1)) {}
    std::string name() const override { return name_; }
    bool supports(const SearchParams& params) const override { return cpu_->supports(params); }
    MotionField estimate(const MotionRequest& request) override {
        const int number = requests_++;
        // Odd requests take longer, so that answers come in another order than the requests.
        std::this_thread::sleep_for(number % 2 == 1 ? 3 * delay_ : delay_);
        if (number == fails_at_) throw std::runtime_error("the device fell off the bus");
        return cpu_->estimate(request);
    }

  private:
    std::string name_;
    int fails_at_;
    std::chrono::microseconds delay_;
    std::unique_ptr<Estimator> cpu_;
    int requests_ = 0;
};

TEST(Determinism, BackendsThatAreSlowOrBreakDoNotShow) {
    using namespace std::chrono_literals;
    for (Settings settings : varied_settings()) {
        settings.lookahead = 6;
        const Result alone = run(settings);
        for (const int fails_at : {-1, 0, 1, 2, 3, 5, 8}) {
            SCOPED_TRACE(fails_at);
            std::atomic<int> warnings{0};
            CoprocessorOptions options;
            options.on_warning = [&](const std::string&) { ++warnings; };
            std::vector<std::unique_ptr<Estimator>> backends;
            backends.push_back(std::make_unique<FaultyEstimator>("first", fails_at, 200us));
            backends.push_back(std::make_unique<FaultyEstimator>("second", fails_at < 0 ? -1 : fails_at / 2, 50us));
            std::size_t at_work = 0;
            {
                Coprocessor motion(std::move(backends), make_cpu_estimator(1), options);
                expect_same(alone, run(settings, motion));
                at_work = motion.backend_names().size();
            }
            EXPECT_EQ(at_work + static_cast<std::size_t>(warnings), 3U) << "one warning for each that was retired";
            EXPECT_TRUE(fails_at != 0 || at_work == 1U);
            EXPECT_TRUE(fails_at >= 0 || at_work == 3U);
        }
    }
}

TEST(Determinism, BothMotionReferencesAreRightAndNotAlike) {
    const Settings source = settings_of(Codec::mpeg2, MotionReference::source);
    Settings recon = settings_of(Codec::mpeg2, MotionReference::recon);
    recon.qp = 16;
    Settings coarse = source;
    coarse.qp = 16;
    for (const Settings& settings : {coarse, recon})
        EXPECT_EQ(parse_stream(run(settings).bytes).pictures.size(), moving_clip().size());
    EXPECT_FALSE(run(coarse).bytes == run(recon).bytes) << "the option does nothing";
}

/// A picture's samples decide; where its memory lies, and what lies around it, must not.
TEST(Determinism, BordersOfTheInputDoNotShow) {
    Clip clip = scene_clip(33, 17, 5);
    const EncodedClip plain = encode(quick_settings(), clip);
    for (FramePtr& frame : clip) {
        auto bordered = std::make_shared<Frame>(frame->width(), frame->height(), 24);
        for (int plane = 0; plane < 3; ++plane) {
            bordered->plane(plane).fill(0xA5);
            copy_and_extend(frame->plane(plane).view(), bordered->plane(plane).view());
        }
        frame = bordered;
    }
    EXPECT_TRUE(encode(quick_settings(), clip).bytes == plain.bytes);
}

} // namespace
} // namespace tandem
