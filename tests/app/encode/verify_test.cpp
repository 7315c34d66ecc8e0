// SPDX-License-Identifier: BSD-2-Clause
#include "app/encode/records/verify.h"

#include <gtest/gtest.h>

#include "app/encode/records/display_order.h"
#include "encoder/encoder.h"
#include "machine/errors.h"
#include "sequences/scene.h"
#include "video/libav/reading/stream_decoder.h"

namespace tandem {
namespace {

constexpr int width = 50, height = 36, pictures = 7;

struct Coded {
    std::vector<std::uint8_t> stream;
    std::vector<FramePtr> reconstructions; ///< In display order.
};

Coded coded_scene() {
    SceneParams params;
    params.width = width;
    params.height = height;
    params.frames = pictures;
    const Scene scene(params);
    VideoFormat format;
    format.width = width;
    format.height = height;
    Settings settings;
    settings.bframes = 2;
    settings.threads = 1;
    Coded coded;
    DisplayOrder order([&](const FramePtr& frame) { coded.reconstructions.push_back(frame); });
    Coprocessor motion({}, make_cpu_estimator(1));
    Encoder encoder(settings, format, motion, [&](const EncodedPicture& picture) {
        coded.stream.insert(coded.stream.end(), picture.bytes.begin(), picture.bytes.end());
        order.push(picture.stats.display_index, picture.reconstruction);
    });
    for (int n = 0; n < pictures; ++n)
        encoder.push(*scene.render(n));
    const auto end = encoder.finish();
    coded.stream.insert(coded.stream.end(), end.begin(), end.end());
    return coded;
}

std::shared_ptr<Frame> copy_of(const Frame& frame) {
    auto copy = std::make_shared<Frame>(frame.width(), frame.height());
    for (int plane = 0; plane < 3; ++plane)
        copy_and_extend(frame.plane(plane).view(), copy->plane(plane).view());
    return copy;
}

FramePtr changed(const Frame& frame, int plane) {
    const auto copy = copy_of(frame);
    for (int x = 0; x < 16; ++x)
        copy->plane(plane).view().at(x, 3) ^= 8;
    return copy;
}

/// By so little, 10 log10(255^2 * 36 / 10) dB at most, that a single picture may be so.
FramePtr slightly_changed(const Frame& frame) {
    const auto copy = copy_of(frame);
    for (int y = 0; y < 10; ++y)
        for (int x = 0; x < width; ++x)
            copy->plane(0).view().at(x, y) ^= 1;
    return copy;
}

class VerifierTest : public testing::Test {
  protected:
    void SetUp() override {
        if (!built_with_libav()) GTEST_SKIP() << "this build has no FFmpeg";
        coded_ = coded_scene();
        ASSERT_EQ(coded_.reconstructions.size(), static_cast<std::size_t>(pictures));
    }
    /// What the verifier makes of all of them together, in dB.
    double run() {
        Verifier verifier(Codec::mpeg2, width, height);
        for (const FramePtr& frame : coded_.reconstructions)
            verifier.push_reconstruction(frame);
        verifier.push_stream(coded_.stream);
        verifier.finish();
        EXPECT_EQ(verifier.pictures(), pictures);
        EXPECT_GT(verifier.total_psnr(), 60);
        return verifier.total_psnr();
    }
    Coded coded_;
};

TEST_F(VerifierTest, PassesWhatDecodesAsReconstructed) {
    EXPECT_GT(run(), 75) << "by the exact inverse transform; by libavcodec's usual one less than 70";
}

TEST_F(VerifierTest, FailsForAPictureThatIsChangedInAnyPlane) {
    const FramePtr good = coded_.reconstructions[4];
    for (int plane = 0; plane < 3; ++plane) {
        coded_.reconstructions[4] = changed(*good, plane);
        EXPECT_THROW(run(), RunError) << plane;
    }
}

TEST_F(VerifierTest, FailsWhereAllPicturesAreSlightlyChanged) {
    FramePtr& fourth = coded_.reconstructions[4];
    fourth = slightly_changed(*fourth);
    EXPECT_NO_THROW(run()) << "one alone may be";
    for (FramePtr& frame : coded_.reconstructions)
        if (frame != fourth) frame = slightly_changed(*frame);
    try {
        run();
        FAIL();
    } catch (const RunError& error) {
        EXPECT_TRUE(std::string(error.what()).starts_with("--verify: the pictures decode")) << error.what();
    }
}

TEST_F(VerifierTest, FailsForSwappedPictures) {
    std::swap(coded_.reconstructions[4], coded_.reconstructions[5]);
    EXPECT_THROW(run(), RunError);
}

TEST_F(VerifierTest, FailsForAMissingPicture) {
    coded_.reconstructions.push_back(coded_.reconstructions.back());
    EXPECT_THROW(run(), RunError);
}

TEST_F(VerifierTest, FailsForAPictureTooMany) {
    coded_.reconstructions.pop_back();
    EXPECT_THROW(run(), RunError);
}

TEST_F(VerifierTest, FailsForABrokenStream) {
    for (std::size_t i = coded_.stream.size() / 2; i < coded_.stream.size() / 2 + 40; ++i)
        coded_.stream[i] = 0x5A;
    EXPECT_THROW(run(), RunError);
}

TEST(DisplayOrder, HandsOnWhatHasItsTurn) {
    std::vector<FramePtr> shown;
    DisplayOrder order([&](const FramePtr& frame) { shown.push_back(frame); });
    std::vector<FramePtr> frames;
    for (int i = 0; i < 5; ++i)
        frames.push_back(std::make_shared<Frame>(2, 2));
    for (const int index : {0, 3, 1, 2, 4})
        order.push(index, frames[static_cast<std::size_t>(index)]);
    EXPECT_EQ(shown, frames);
    EXPECT_EQ(order.held(), 0u);
}

} // namespace
} // namespace tandem
