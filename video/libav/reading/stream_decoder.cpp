// SPDX-License-Identifier: BSD-2-Clause
#include "video/libav/reading/stream_decoder.h"

extern "C" {
#include <libavutil/motion_vector.h>
}

#include <cstring>
#include <utility>
#include <vector>

#include "machine/errors.h"
#include "video/libav/libav_functions.h"
#include "video/libav/libav_handles.h"
#include "video/libav/libav_log.h"

namespace tandem {

namespace {

class LibavStreamDecoder final : public StreamDecoder {
  public:
    using PictureOutput = std::function<void(const DecodedPicture&)>;

    LibavStreamDecoder(const std::string& codec, const StreamDecoderOptions& options, PictureOutput output)
        : output_(std::move(output)) {
        const LibavLogScope log;
        const AVCodecDescriptor* descriptor = libav().avcodec_descriptor_get_by_name(codec.c_str());
        const AVCodec* decoder = descriptor == nullptr ? nullptr : libav().avcodec_find_decoder(descriptor->id);
        if (decoder == nullptr) throw InputError("this build's libavcodec has no decoder of " + codec);
        // Codecs without a parser come in whole pictures.
        parser_.reset(libav().av_parser_init(descriptor->id));
        decoder_ = own(libav().avcodec_alloc_context3(decoder));
        decoder_->thread_count = 1;
        if (options.exact_idct) decoder_->idct_algo = FF_IDCT_FAAN;
        if (options.vectors) decoder_->export_side_data |= AV_CODEC_EXPORT_DATA_MVS;
        decoder_->err_recognition = AV_EF_EXPLODE;
        const int error = libav().avcodec_open2(decoder_.get(), decoder, nullptr);
        if (error < 0) throw RunError("the decoder does not open: " + log.explain(error));
    }

    void push(std::span<const std::uint8_t> bytes) override {
        // The parser and the decoder read a little past the end, where libav wants zeros.
        padded_.assign(bytes.begin(), bytes.end());
        padded_.resize(bytes.size() + AV_INPUT_BUFFER_PADDING_SIZE, 0);
        const std::uint8_t* data = padded_.data();
        auto left = static_cast<int>(bytes.size());
        if (!parser_) send_bytes(padded_.data(), std::exchange(left, 0));
        while (left > 0) {
            const int used = parse(data, left);
            data += used;
            left -= used;
        }
    }

    void finish() override {
        if (parser_) parse(nullptr, 0);
        send(nullptr);
    }

  private:
    /// Gives bytes to the parser and what it completes to the decoder; returns how many bytes it took.
    int parse(const std::uint8_t* data, int size) {
        std::uint8_t* picture = nullptr;
        int picture_size = 0;
        const int used = libav().av_parser_parse2(parser_.get(), decoder_.get(), &picture, &picture_size, data, size,
                                                  AV_NOPTS_VALUE, AV_NOPTS_VALUE, 0);
        if (used < 0) throw RunError("the stream is not parsed: " + libav_message(used));
        if (picture_size > 0) send_bytes(picture, picture_size);
        return used;
    }

    void send_bytes(std::uint8_t* data, int size) {
        packet_->data = data;
        packet_->size = size;
        send(packet_.get());
    }

    void send(const AVPacket* packet) {
        const LibavLogScope log;
        const int sent = libav().avcodec_send_packet(decoder_.get(), packet);
        if (sent < 0) complain(log.explain(sent));
        while (true) {
            const int error = libav().avcodec_receive_frame(decoder_.get(), frame_.get());
            if (error == AVERROR(EAGAIN) || error == AVERROR_EOF) break;
            if (error < 0) complain(log.explain(error));
            if ((frame_->flags & AV_FRAME_FLAG_CORRUPT) != 0 || frame_->decode_error_flags != 0) {
                complain(log.text().empty() ? "the picture is marked as damaged" : log.text());
            }
            deliver();
        }
        if (!log.text().empty()) complain(log.text());
    }

    [[noreturn]] void complain(const std::string& words) const {
        throw RunError("decoding fails after " + std::to_string(pictures_) + " pictures: " + words);
    }

    void deliver() {
        if (frame_->format != AV_PIX_FMT_YUV420P) complain("the pictures are not 4:2:0");
        Frame picture(frame_->width, frame_->height);
        for (int i = 0; i < 3; ++i) {
            const MutablePlaneView plane = picture.plane(i).view();
            for (int y = 0; y < plane.height; ++y) {
                std::memcpy(plane.row(y), frame_->data[i] + static_cast<std::ptrdiff_t>(y) * frame_->linesize[i],
                            static_cast<std::size_t>(plane.width));
            }
        }
        ++pictures_;
        output_({picture, libav().av_get_picture_type_char(frame_->pict_type), vectors()});
    }

    std::vector<DecodedVector> vectors() const {
        const AVFrameSideData* data = libav().av_frame_get_side_data(frame_.get(), AV_FRAME_DATA_MOTION_VECTORS);
        if (data == nullptr) return {};
        const std::span all(reinterpret_cast<const AVMotionVector*>(data->data), data->size / sizeof(AVMotionVector));
        std::vector<DecodedVector> found;
        for (const AVMotionVector& one : all) {
            const auto scale = static_cast<float>(one.motion_scale);
            found.push_back({one.dst_x, one.dst_y, static_cast<float>(one.motion_x) / scale,
                             static_cast<float>(one.motion_y) / scale, one.source < 0});
        }
        return found;
    }

    PictureOutput output_;
    Libav<AVCodecParserContext> parser_;
    Libav<AVCodecContext> decoder_;
    Libav<AVPacket> packet_ = own(libav().av_packet_alloc());
    Libav<AVFrame> frame_ = own(libav().av_frame_alloc());
    std::vector<std::uint8_t> padded_;
    std::int64_t pictures_ = 0;
};

} // namespace

std::unique_ptr<StreamDecoder> make_stream_decoder(Codec codec, StreamDecoder::Output output) {
    return make_stream_decoder(codec_row(codec).libavcodec, StreamDecoderOptions{},
                               [show = std::move(output)](const DecodedPicture& picture) { show(picture.frame); });
}

std::unique_ptr<StreamDecoder> make_stream_decoder(const std::string& codec, const StreamDecoderOptions& options,
                                                   std::function<void(const DecodedPicture&)> output) {
    return std::make_unique<LibavStreamDecoder>(codec, options, std::move(output));
}

bool built_with_libav() { return true; }

} // namespace tandem
