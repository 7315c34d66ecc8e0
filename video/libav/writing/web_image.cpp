// SPDX-License-Identifier: BSD-2-Clause
#include "video/libav/writing/web_image.h"

extern "C" {
#include <libavutil/opt.h>
}

#include <algorithm>
#include <cstring>

#include "machine/errors.h"
#include "video/libav/libav_functions.h"
#include "video/libav/libav_handles.h"
#include "video/libav/libav_log.h"

namespace tandem {

namespace {

const AVCodec* codec_of(WebImage kind) {
    // By name: libavcodec may also have an encoder of moving WebP.
    return kind == WebImage::webp ? libav().avcodec_find_encoder_by_name("libwebp")
                                  : libav().avcodec_find_encoder(AV_CODEC_ID_PNG);
}

void check_image(int error, const LibavLogScope& log) {
    if (error < 0) throw RunError("libavcodec failed to write an image: " + log.explain(error));
}

Libav<AVFrame> new_frame(AVPixelFormat format, int width, int height, const LibavLogScope& log) {
    Libav<AVFrame> frame = own(libav().av_frame_alloc());
    frame->format = format;
    frame->width = width;
    frame->height = height;
    check_image(libav().av_frame_get_buffer(frame.get(), 0), log);
    return frame;
}

void copy_rows(const std::uint8_t* from, std::ptrdiff_t from_stride, int width, int height, AVFrame& to, int plane) {
    for (int y = 0; y < height; ++y)
        std::memcpy(to.data[plane] + static_cast<std::ptrdiff_t>(y) * to.linesize[plane], from + y * from_stride,
                    static_cast<std::size_t>(width));
}

Libav<AVFrame> planar_frame(const Frame& picture, int width, int height, const LibavLogScope& log) {
    Libav<AVFrame> frame = new_frame(AV_PIX_FMT_YUV420P, width, height, log);
    for (int plane = 0; plane < 3; ++plane) {
        const PlaneView view = picture.plane(plane).view();
        copy_rows(view.data, view.stride, plane == 0 ? width : chroma_size(width),
                  plane == 0 ? height : chroma_size(height), *frame, plane);
    }
    return frame;
}

Libav<AVFrame> rgb_frame(const AVFrame& planar, const LibavLogScope& log) {
    Libav<AVFrame> frame = new_frame(AV_PIX_FMT_RGB24, planar.width, planar.height, log);
    const Libav<SwsContext> scaler = own(libav().sws_getContext(
        planar.width, planar.height, AV_PIX_FMT_YUV420P, planar.width, planar.height, AV_PIX_FMT_RGB24,
        SWS_BILINEAR | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_BITEXACT, nullptr, nullptr, nullptr));
    check_image(
        libav().sws_scale(scaler.get(), planar.data, planar.linesize, 0, planar.height, frame->data, frame->linesize),
        log);
    return frame;
}

std::vector<std::uint8_t> encoded(const AVFrame& frame, WebImage kind, int quality, const LibavLogScope& log) {
    const AVCodec* codec = codec_of(kind);
    if (codec == nullptr)
        throw InputError("this build's libavcodec writes no " + std::string(kind == WebImage::webp ? "WebP" : "PNG"));
    const Libav<AVCodecContext> encoder = own(libav().avcodec_alloc_context3(codec));
    encoder->width = frame.width;
    encoder->height = frame.height;
    encoder->pix_fmt = static_cast<AVPixelFormat>(frame.format);
    encoder->time_base = {1, 25};
    encoder->flags |= AV_CODEC_FLAG_BITEXACT;
    if (kind == WebImage::webp) check_image(libav().av_opt_set_double(encoder->priv_data, "quality", quality, 0), log);
    check_image(libav().avcodec_open2(encoder.get(), codec, nullptr), log);
    check_image(libav().avcodec_send_frame(encoder.get(), &frame), log);
    check_image(libav().avcodec_send_frame(encoder.get(), nullptr), log);
    const Libav<AVPacket> packet = own(libav().av_packet_alloc());
    check_image(libav().avcodec_receive_packet(encoder.get(), packet.get()), log);
    return {packet->data, packet->data + packet->size};
}

std::uint32_t big_endian(const std::uint8_t* at) {
    return std::uint32_t{at[0]} << 24 | std::uint32_t{at[1]} << 16 | std::uint32_t{at[2]} << 8 | at[3];
}

/// What the IDAT chunks of a PNG hold (ISO/IEC 15948 clause 11.2.4).
std::vector<std::uint8_t> image_data(std::span<const std::uint8_t> png) {
    constexpr std::size_t signature = 8, around = 12; // Length, type and checksum of a chunk.
    std::vector<std::uint8_t> data;
    for (std::size_t at = signature; at + around <= png.size();) {
        const std::size_t length = big_endian(&png[at]);
        if (std::memcmp(&png[at + 4], "IDAT", 4) == 0)
            data.insert(data.end(), png.begin() + static_cast<std::ptrdiff_t>(at + 8),
                        png.begin() + static_cast<std::ptrdiff_t>(at + 8 + length));
        at += around + length;
    }
    return data;
}

} // namespace

bool writes(WebImage kind) { return codec_of(kind) != nullptr; }

std::string_view mime_type(WebImage kind) { return kind == WebImage::webp ? "image/webp" : "image/png"; }

std::vector<std::uint8_t> web_image(const Frame& frame, int width, int height, WebImage kind, int quality) {
    const LibavLogScope log;
    const Libav<AVFrame> planar = planar_frame(frame, width, height, log);
    if (kind == WebImage::webp) return encoded(*planar, kind, quality, log);
    return encoded(*rgb_frame(*planar, log), kind, quality, log);
}

std::vector<std::uint8_t> deflated(std::span<const std::uint8_t> bytes) {
    const LibavLogScope log;
    const std::size_t row = deflated_row, rows = std::max<std::size_t>(1, (bytes.size() + row - 1) / row);
    std::vector<std::uint8_t> filled(bytes.begin(), bytes.end());
    filled.resize(rows * row);
    const Libav<AVFrame> frame = new_frame(AV_PIX_FMT_GRAY8, deflated_row, static_cast<int>(rows), log);
    copy_rows(filled.data(), deflated_row, deflated_row, static_cast<int>(rows), *frame, 0);
    return image_data(encoded(*frame, WebImage::png, 0, log));
}

std::string base64(std::span<const std::uint8_t> bytes) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const std::size_t there = std::min<std::size_t>(3, bytes.size() - at);
        std::uint32_t group = std::uint32_t{bytes[at]} << 16;
        if (there > 1) group |= std::uint32_t{bytes[at + 1]} << 8;
        if (there > 2) group |= bytes[at + 2];
        for (std::size_t digit = 0; digit < 4; ++digit)
            text += digit > there ? '=' : digits[group >> (18 - 6 * digit) & 63];
    }
    return text;
}

} // namespace tandem
