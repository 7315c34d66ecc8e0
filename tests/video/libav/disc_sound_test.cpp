// SPDX-License-Identifier: BSD-2-Clause
// The limits of sound on discs, on streams that are descriptions alone.
#include "video/libav/writing/disc_sound.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "video/libav/writing/muxer_file.h"

namespace tandem::test {
namespace {

struct Sound {
    AVCodecID codec = AV_CODEC_ID_MP2;
    int samples_per_second = 44100;
    std::int64_t bits_per_second = 224000;
};

std::string problem_of(const std::vector<Sound>& sounds, const char* disc, int video_kbps) {
    const std::unique_ptr<AVFormatContext, FreeMuxer> streams(avformat_alloc_context());
    for (const Sound& sound : sounds) {
        AVCodecParameters& parameters = *avformat_new_stream(streams.get(), nullptr)->codecpar;
        parameters.codec_type = AVMEDIA_TYPE_AUDIO;
        parameters.codec_id = sound.codec;
        parameters.sample_rate = sound.samples_per_second;
        parameters.bit_rate = sound.bits_per_second;
    }
    return problem_of_sound(*streams, disc, video_kbps);
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(DiscSound, WhatPlayersPlayIsTaken) {
    EXPECT_EQ(problem_of({}, "dvd", 9800), "");
    EXPECT_EQ(problem_of({{}}, "vcd", 1152), "");
    EXPECT_EQ(problem_of({{}, {}}, "svcd", 2300), "");
    EXPECT_EQ(problem_of({{AV_CODEC_ID_AC3, 48000, 448000}, {AV_CODEC_ID_MP2, 48000, 192000}}, "dvd", 9400), "");
    EXPECT_EQ(problem_of({{AV_CODEC_ID_AAC, 96000, 1}}, "mpegts", 9400), "") << "no disc";
    EXPECT_EQ(problem_of({{AV_CODEC_ID_AC3, 48000, 0}}, "dvd", 9800), "") << "a rate that is not known";
}

TEST(DiscSound, WhatIsBeyondALimitIsNamed) {
    EXPECT_TRUE(contains(problem_of({{AV_CODEC_ID_AC3, 44100, 224000}}, "vcd", 1150), "the sound is ac3"));
    EXPECT_TRUE(contains(problem_of({{AV_CODEC_ID_MP2, 48000, 224000}}, "svcd", 1150), "48000 samples a second"));
    EXPECT_TRUE(contains(problem_of({{AV_CODEC_ID_MP2, 44100, 128000}}, "vcd", 1150), "allowed are 224 to 224"));
    EXPECT_TRUE(contains(problem_of({{AV_CODEC_ID_AC3, 48000, 640000}}, "dvd", 1150), "allowed are 64 to 448"));
    EXPECT_TRUE(contains(problem_of({{}, {}}, "vcd", 100), "at most 1 are allowed"));
    EXPECT_TRUE(contains(problem_of({{AV_CODEC_ID_AC3, 48000, 448000}}, "dvd", 9800), "10248 kbit/s"));
    EXPECT_TRUE(contains(problem_of({{}, {}}, "svcd", 2600), "at most 2778"));
}

} // namespace
} // namespace tandem::test
