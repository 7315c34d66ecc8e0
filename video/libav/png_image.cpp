// SPDX-License-Identifier: BSD-2-Clause
#include "video/libav/png_image.h"

#include <cstring>
#include <stdexcept>

#include "machine/errors.h"
#include "video/libav/libav_handles.h"
#include "video/libav/libav_log.h"

namespace tandem {

namespace {

const AVCodec& png_codec() {
    const AVCodec* codec = avcodec_find_encoder(AV_CODEC_ID_PNG);
    if (codec == nullptr) throw InputError("this build's libavcodec writes no PNG");
    return *codec;
}

void check(int error, const LibavLogScope& log) {
    if (error < 0) throw RunError("libavcodec failed to write a PNG: " + log.explain(error));
}

Libav<AVFrame> rgb_frame(int width, int height, std::span<const std::uint8_t> rgb, const LibavLogScope& log) {
    Libav<AVFrame> frame = own(av_frame_alloc());
    frame->format = AV_PIX_FMT_RGB24;
    frame->width = width;
    frame->height = height;
    check(av_frame_get_buffer(frame.get(), 0), log);
    const std::size_t row = 3 * static_cast<std::size_t>(width);
    for (int y = 0; y < height; ++y) {
        std::memcpy(frame->data[0] + static_cast<std::ptrdiff_t>(y) * frame->linesize[0],
                    rgb.data() + static_cast<std::size_t>(y) * row, row);
    }
    return frame;
}

} // namespace

void require_png() { png_codec(); }

std::vector<std::uint8_t> png_image(int width, int height, std::span<const std::uint8_t> rgb) {
    if (rgb.size() != 3 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height))
        throw std::invalid_argument("a PNG's samples are not as many as its size says");
    const LibavLogScope log;
    const AVCodec& codec = png_codec();
    Libav<AVCodecContext> encoder = own(avcodec_alloc_context3(&codec));
    encoder->width = width;
    encoder->height = height;
    encoder->pix_fmt = AV_PIX_FMT_RGB24;
    encoder->time_base = {1, 25};
    encoder->flags |= AV_CODEC_FLAG_BITEXACT;
    check(avcodec_open2(encoder.get(), &codec, nullptr), log);
    const Libav<AVFrame> frame = rgb_frame(width, height, rgb, log);
    check(avcodec_send_frame(encoder.get(), frame.get()), log);
    check(avcodec_send_frame(encoder.get(), nullptr), log);
    Libav<AVPacket> packet = own(av_packet_alloc());
    check(avcodec_receive_packet(encoder.get(), packet.get()), log);
    return {packet->data, packet->data + packet->size};
}

} // namespace tandem
