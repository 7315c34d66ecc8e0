// SPDX-License-Identifier: BSD-2-Clause
#include "video/libav/writing/png_image.h"

#include <cstring>
#include <stdexcept>

#include "files/byte_reader.h"
#include "machine/errors.h"
#include "video/libav/libav_functions.h"
#include "video/libav/libav_handles.h"
#include "video/libav/libav_log.h"

namespace tandem {

namespace {

const AVCodec& png_codec() {
    const AVCodec* codec = libav().avcodec_find_encoder(AV_CODEC_ID_PNG);
    if (codec == nullptr) throw InputError("this build's libavcodec writes no PNG");
    return *codec;
}

void check_png(int error, const LibavLogScope& log) {
    if (error < 0) throw RunError("libavcodec failed to write a PNG: " + log.explain(error));
}

Libav<AVFrame> rgb_frame(int width, int height, std::span<const std::uint8_t> rgb, const LibavLogScope& log) {
    Libav<AVFrame> frame = own(libav().av_frame_alloc());
    frame->format = AV_PIX_FMT_RGB24;
    frame->width = width;
    frame->height = height;
    check_png(libav().av_frame_get_buffer(frame.get(), 0), log);
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
    Libav<AVCodecContext> encoder = own(libav().avcodec_alloc_context3(&codec));
    encoder->width = width;
    encoder->height = height;
    encoder->pix_fmt = AV_PIX_FMT_RGB24;
    encoder->time_base = {1, 25};
    encoder->flags |= AV_CODEC_FLAG_BITEXACT;
    check_png(libav().avcodec_open2(encoder.get(), &codec, nullptr), log);
    const Libav<AVFrame> frame = rgb_frame(width, height, rgb, log);
    check_png(libav().avcodec_send_frame(encoder.get(), frame.get()), log);
    check_png(libav().avcodec_send_frame(encoder.get(), nullptr), log);
    Libav<AVPacket> packet = own(libav().av_packet_alloc());
    check_png(libav().avcodec_receive_packet(encoder.get(), packet.get()), log);
    return {packet->data, packet->data + packet->size};
}

namespace {

/// All bytes of a file with what libavcodec wants to find behind them.
std::vector<std::uint8_t> padded_bytes_of(const std::string& path, const std::atomic<bool>* stop) {
    constexpr std::size_t most = std::size_t{1} << 30, step = std::size_t{1} << 16;
    ByteReader file(path, stop);
    std::vector<std::uint8_t> bytes;
    for (std::size_t came = step; came == step;) {
        const std::size_t before = bytes.size();
        if (before > most) throw InputError(file.name() + ": more than 1 GiB; this is no picture");
        bytes.resize(before + step);
        came = file.read(std::span(bytes).subspan(before));
        bytes.resize(before + came);
    }
    bytes.resize(bytes.size() + AV_INPUT_BUFFER_PADDING_SIZE);
    return bytes;
}

Libav<AVFrame> decoded_png(const std::string& path, std::vector<std::uint8_t> bytes) {
    const AVCodec* codec = libav().avcodec_find_decoder(AV_CODEC_ID_PNG);
    if (codec == nullptr) throw InputError(path + ": this build's libavcodec reads no PNG");
    const LibavLogScope log;
    constexpr std::int64_t largest_side = 16384;
    Libav<AVCodecContext> decoder = own(libav().avcodec_alloc_context3(codec));
    decoder->max_pixels = largest_side * largest_side;
    Libav<AVPacket> packet = own(libav().av_packet_alloc());
    packet->data = bytes.data();
    packet->size = static_cast<int>(bytes.size() - AV_INPUT_BUFFER_PADDING_SIZE);
    Libav<AVFrame> frame = own(libav().av_frame_alloc());
    int error = libav().avcodec_open2(decoder.get(), codec, nullptr);
    if (error >= 0) error = libav().avcodec_send_packet(decoder.get(), packet.get());
    if (error >= 0) error = libav().avcodec_send_packet(decoder.get(), nullptr);
    if (error >= 0) error = libav().avcodec_receive_frame(decoder.get(), frame.get());
    if (error < 0) throw InputError(path + ": this cannot be read as a PNG: " + log.explain(error));
    return frame;
}

} // namespace

DeepPicture read_deep_png(const std::string& path, const std::atomic<bool>* stop) {
    const Libav<AVFrame> frame = decoded_png(path, padded_bytes_of(path, stop));
    if (frame->format != AV_PIX_FMT_RGB48BE) {
        const char* format = libav().av_get_pix_fmt_name(static_cast<AVPixelFormat>(frame->format));
        throw InputError(path + ": a PNG of " + (format != nullptr ? format : "unknown samples") +
                         "; red, green and blue of 16 bits are wanted");
    }
    DeepPicture picture{frame->width, frame->height, {}};
    const int samples = 3 * frame->width;
    picture.rgb.reserve(static_cast<std::size_t>(samples) * static_cast<std::size_t>(frame->height));
    for (int y = 0; y < frame->height; ++y) {
        const std::uint8_t* row = frame->data[0] + static_cast<std::ptrdiff_t>(y) * frame->linesize[0];
        for (int i = 0; i < samples; ++i)
            picture.rgb.push_back(static_cast<std::uint16_t>(row[2 * i] << 8 | row[2 * i + 1]));
    }
    return picture;
}

} // namespace tandem
