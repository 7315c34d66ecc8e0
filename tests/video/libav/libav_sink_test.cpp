// SPDX-License-Identifier: BSD-2-Clause
// What containers say beside the pictures, as libavformat reads it from their headers alone: decoders, which may know
// better, are not asked.
#include <gtest/gtest.h>

#include "tests/files/scratch.h"
#include "tests/video/grey_stream.h"
#include "video/codec.h"
#include "video/libav/libav_handles.h"
#include "video/open_packet_sink.h"

namespace tandem {
namespace {

Libav<AVFormatContext> opened(const std::string& path) {
    AVFormatContext* context = nullptr;
    if (avformat_open_input(&context, path.c_str(), nullptr, nullptr) < 0) return nullptr;
    return Libav<AVFormatContext>(context);
}

TEST(LibavSink, ContainersSayTheFormat) {
    VideoFormat format;
    format.width = 720;
    format.height = 576;
    format.sample_aspect = {64, 45};
    format.colour = {5, 1, 6};
    const test::Scratch scratch;
    for (const char* name : {"x.mkv", "x.mp4", "x.mov"}) {
        SCOPED_TRACE(name);
        const auto sink = open_packet_sink(scratch.path(name), Codec::mpeg2, format);
        const auto stream = test::grey_stream(Codec::mpeg2, 1, false);
        sink->write({test::as_bytes(stream[0].bytes), 0, 0, true});
        sink->finish({});
        const Libav<AVFormatContext> file = opened(scratch.path(name));
        ASSERT_TRUE(file && file->nb_streams == 1);
        const AVCodecParameters& says = *file->streams[0]->codecpar;
        EXPECT_EQ(says.codec_id, AV_CODEC_ID_MPEG2VIDEO);
        EXPECT_EQ(says.width, 720);
        EXPECT_EQ(says.height, 576);
        const AVRational aspect = file->streams[0]->sample_aspect_ratio;
        EXPECT_EQ(aspect.num, 64);
        EXPECT_EQ(aspect.den, 45);
        EXPECT_EQ(says.color_primaries, AVCOL_PRI_BT470BG);
        EXPECT_EQ(says.color_trc, AVCOL_TRC_BT709);
        EXPECT_EQ(says.color_space, AVCOL_SPC_SMPTE170M);
        // The sequence header and its extension, for players that want them before the first packet.
        const std::string headers(says.extradata, says.extradata + says.extradata_size);
        EXPECT_GE(headers.size(), 22U);
        EXPECT_TRUE(stream[0].bytes.starts_with(headers));
    }
}

} // namespace
} // namespace tandem
