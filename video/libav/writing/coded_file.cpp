// SPDX-License-Identifier: BSD-2-Clause
#include "video/libav/writing/coded_file.h"

extern "C" {
#include <libavutil/opt.h>
}

#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <vector>

#include "files/file_name.h"
#include "machine/errors.h"
#include "video/libav/libav_functions.h"
#include "video/libav/libav_handles.h"
#include "video/libav/libav_log.h"
#include "video/libav/writing/muxer_file.h"

namespace tandem {

namespace {

constexpr std::array<std::pair<std::string_view, const char*>, 3> h264_containers{
    {{".mp4", "mp4"}, {".mov", "mov"}, {".mkv", "matroska"}}};

const char* container_of(const std::string& extension) {
    for (const auto& [known, muxer] : h264_containers)
        if (known == extension) return muxer;
    return nullptr;
}

AVRational as_libav(const Rational& value) {
    return {static_cast<int>(value.numerator), static_cast<int>(value.denominator)};
}

/// 40 greys, then a cube of six levels of red, green and blue.
constexpr int greys = 40, cube_side = 6;

std::uint32_t opaque(int red, int green, int blue) {
    return 0xFF000000U | static_cast<std::uint32_t>(red << 16 | green << 8 | blue);
}

std::array<std::uint32_t, 256> gif_palette() {
    std::array<std::uint32_t, 256> palette{};
    for (int i = 0; i < greys; ++i) {
        const int grey = (i * 255 + (greys - 1) / 2) / (greys - 1);
        palette[static_cast<std::size_t>(i)] = opaque(grey, grey, grey);
    }
    for (int i = 0; i < cube_side * cube_side * cube_side; ++i) {
        const auto level = [](int step) { return step * 255 / (cube_side - 1); };
        palette[static_cast<std::size_t>(greys + i)] =
            opaque(level(i / (cube_side * cube_side)), level(i / cube_side % cube_side), level(i % cube_side));
    }
    return palette;
}

std::uint8_t gif_colour(const std::uint8_t* rgb) {
    const int red = rgb[0], green = rgb[1], blue = rgb[2];
    constexpr int nearly = 12; // Steps of the cube are 51 apart: a grey is nearer.
    if (std::abs(red - green) < nearly && std::abs(green - blue) < nearly && std::abs(red - blue) < nearly)
        return static_cast<std::uint8_t>(((red + green + blue) * (greys - 1) + 382) / 765);
    const auto step = [](int value) { return (value * (cube_side - 1) + 127) / 255; };
    return static_cast<std::uint8_t>(greys + (step(red) * cube_side + step(green)) * cube_side + step(blue));
}

} // namespace

/// An open encoder, and the muxer of one stream.
class CodedFile::State {
  public:
    State(const std::string& path, const char* muxer, Libav<AVCodecContext> encoder)
        : path_(path), file_(path), encoder_(std::move(encoder)) {
        const LibavLogScope log;
        const std::string name = muxer;
        if (!file_.seekable() && (name == "mp4" || name == "mov"))
            throw InputError(path + ": " + name + " needs a file, not a pipe or a device: its index is written last");
        AVFormatContext* context = nullptr;
        const int error = libav().avformat_alloc_output_context2(&context, nullptr, muxer, path.c_str());
        if (error == AVERROR(ENOMEM)) throw std::bad_alloc();
        if (error < 0) throw InputError(path + ": this build's libavformat cannot write " + name);
        muxer_.reset(context);
        muxer_->pb = file_.context();
        muxer_->flags |= AVFMT_FLAG_CUSTOM_IO | AVFMT_FLAG_BITEXACT;
        stream_ = libav().avformat_new_stream(muxer_.get(), nullptr);
        if (stream_ == nullptr) throw std::bad_alloc();
        check(libav().avcodec_parameters_from_context(stream_->codecpar, encoder_.get()), "the beginning of the file",
              log);
        stream_->time_base = encoder_->time_base;
        stream_->avg_frame_rate = encoder_->framerate;
        check(libav().avformat_write_header(muxer_.get(), nullptr), "the beginning of the file", log);
    }

    /// A new one each time: the encoder may keep it.
    Libav<AVFrame> new_frame() const {
        Libav<AVFrame> frame = own(libav().av_frame_alloc());
        frame->format = encoder_->pix_fmt;
        frame->width = encoder_->width;
        frame->height = encoder_->height;
        if (libav().av_frame_get_buffer(frame.get(), 0) < 0) throw std::bad_alloc();
        return frame;
    }

    /// The next picture; null: there are no more.
    void send(AVFrame* frame) {
        const LibavLogScope log;
        if (frame != nullptr)
            frame->pts = libav().av_rescale_q(pictures_++, av_inv_q(encoder_->framerate), encoder_->time_base);
        int error = libav().avcodec_send_frame(encoder_.get(), frame);
        while (error >= 0) {
            error = libav().avcodec_receive_packet(encoder_.get(), packet_.get());
            if (error < 0) break;
            packet_->stream_index = stream_->index;
            if (packet_->duration == 0)
                packet_->duration = libav().av_rescale_q(1, av_inv_q(encoder_->framerate), encoder_->time_base);
            libav().av_packet_rescale_ts(packet_.get(), encoder_->time_base, stream_->time_base);
            check(libav().av_interleaved_write_frame(muxer_.get(), packet_.get()), "a picture", log);
        }
        if (error != AVERROR(EAGAIN) && error != AVERROR_EOF) check(error, "a picture", log);
    }

    void finish() {
        if (pictures_ == 0) throw RunError(path_ + ": there is no picture to write");
        send(nullptr);
        const LibavLogScope log;
        check(libav().av_write_trailer(muxer_.get()), "the end of the file", log);
        file_.close();
        file_.finish();
    }

  private:
    void check(int error, const std::string& what, const LibavLogScope& log) {
        file_.rethrow();
        if (error >= 0) error = muxer_->pb->error;
        if (error < 0) throw RunError(path_ + ": writing " + what + " failed: " + log.explain(error));
    }

    std::string path_;
    MuxerFile file_; ///< Outlives muxer_, which writes to it.
    Libav<AVCodecContext> encoder_;
    std::unique_ptr<AVFormatContext, FreeMuxer> muxer_;
    AVStream* stream_ = nullptr; ///< Owned by muxer_.
    Libav<AVPacket> packet_ = own(libav().av_packet_alloc());
    std::int64_t pictures_ = 0;
};

namespace {

Libav<AVCodecContext> context_of(const AVCodec& codec, const VideoFormat& format, AVPixelFormat samples) {
    Libav<AVCodecContext> encoder = own(libav().avcodec_alloc_context3(&codec));
    encoder->width = format.width;
    encoder->height = format.height;
    encoder->pix_fmt = samples;
    encoder->framerate = as_libav(format.frame_rate);
    encoder->time_base = av_inv_q(encoder->framerate);
    encoder->sample_aspect_ratio = as_libav(format.sample_aspect);
    encoder->flags |= AV_CODEC_FLAG_BITEXACT;
    encoder->thread_count = 1;
    return encoder;
}

/// Null where the encoder does not open here.
Libav<AVCodecContext> open_h264(const AVCodec& codec, const VideoFormat& format) {
    const LibavLogScope log;
    Libav<AVCodecContext> encoder = context_of(codec, format, AV_PIX_FMT_YUV420P);
    encoder->color_range = AVCOL_RANGE_MPEG;
    encoder->color_primaries = static_cast<AVColorPrimaries>(format.colour.primaries);
    encoder->color_trc = static_cast<AVColorTransferCharacteristic>(format.colour.transfer);
    encoder->colorspace = static_cast<AVColorSpace>(format.colour.matrix);
    encoder->flags |= AV_CODEC_FLAG_GLOBAL_HEADER; // All the containers want it.
    AVDictionary* options = nullptr;
    if (std::string_view(codec.name) == "libx264") {
        libav().av_dict_set(&options, "preset", "veryfast", 0);
        libav().av_dict_set(&options, "crf", "16", 0);
    } else {
        constexpr double bits_of_sample = 0.2;
        encoder->bit_rate = std::llround(bits_of_sample * format.width * format.height * format.frame_rate.value());
    }
    const int error = libav().avcodec_open2(encoder.get(), &codec, &options);
    libav().av_dict_free(&options);
    return error < 0 ? nullptr : std::move(encoder);
}

/// The first one that opens.
Libav<AVCodecContext> open_any_h264(const VideoFormat& format) {
    for (const char* name : {"libx264", "libopenh264"}) {
        const AVCodec* codec = libav().avcodec_find_encoder_by_name(name);
        if (codec == nullptr) continue;
        if (auto encoder = open_h264(*codec, format)) return encoder;
    }
    void* at = nullptr;
    while (const AVCodec* codec = libav().av_codec_iterate(&at)) {
        if (codec->id != AV_CODEC_ID_H264 || libav().av_codec_is_encoder(codec) == 0) continue;
        if (auto encoder = open_h264(*codec, format)) return encoder;
    }
    return nullptr;
}

} // namespace

CodedFile::CodedFile(std::unique_ptr<State> state) : state_(std::move(state)) {}
CodedFile::~CodedFile() = default;

void CodedFile::write(const Frame& picture) {
    const Libav<AVFrame> frame = state_->new_frame();
    for (int i = 0; i < 3; ++i) {
        const PlaneView plane = picture.plane(i).view();
        for (int y = 0; y < plane.height; ++y) {
            std::memcpy(frame->data[i] + static_cast<std::ptrdiff_t>(y) * frame->linesize[i], plane.row(y),
                        static_cast<std::size_t>(plane.width));
        }
    }
    state_->send(frame.get());
}

void CodedFile::write_rgb(std::span<const std::uint8_t> rgb) {
    static const std::array<std::uint32_t, 256> palette = gif_palette();
    const Libav<AVFrame> frame = state_->new_frame();
    std::memcpy(frame->data[1], palette.data(), sizeof palette);
    for (int y = 0; y < frame->height; ++y) {
        std::uint8_t* row = frame->data[0] + static_cast<std::ptrdiff_t>(y) * frame->linesize[0];
        const std::uint8_t* from =
            rgb.data() + 3 * static_cast<std::size_t>(y) * static_cast<std::size_t>(frame->width);
        for (int x = 0; x < frame->width; ++x)
            row[x] = gif_colour(from + 3 * static_cast<std::ptrdiff_t>(x));
    }
    state_->send(frame.get());
}

void CodedFile::finish() { state_->finish(); }

bool holds_h264(const std::string& extension) { return container_of(extension) != nullptr; }

std::unique_ptr<CodedFile> create_h264_file(const std::string& path, const VideoFormat& format) {
    Libav<AVCodecContext> encoder = open_any_h264(format);
    if (!encoder) return nullptr;
    const char* muxer = container_of(lower_case_extension(path));
    return std::make_unique<CodedFile>(std::make_unique<CodedFile::State>(path, muxer, std::move(encoder)));
}

std::unique_ptr<CodedFile> create_gif_file(const std::string& path, const VideoFormat& format) {
    const AVCodec* codec = libav().avcodec_find_encoder(AV_CODEC_ID_GIF);
    if (codec == nullptr) throw InputError(path + ": this build's libavcodec writes no GIF");
    Libav<AVCodecContext> encoder = context_of(*codec, format, AV_PIX_FMT_PAL8);
    encoder->time_base = {1, 100};
    const LibavLogScope log;
    const int error = libav().avcodec_open2(encoder.get(), codec, nullptr);
    if (error < 0) throw InputError(path + ": a GIF cannot be written: " + log.explain(error));
    return std::make_unique<CodedFile>(std::make_unique<CodedFile::State>(path, "gif", std::move(encoder)));
}

} // namespace tandem
