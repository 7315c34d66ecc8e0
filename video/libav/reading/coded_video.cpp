// SPDX-License-Identifier: BSD-2-Clause
#include "video/libav/reading/coded_video.h"

extern "C" {
#include <libavutil/motion_vector.h>
#include <libavutil/video_enc_params.h>
}

#include <cstdlib>
#include <span>

#include "video/libav/libav_convert.h"
#include "video/libav/libav_functions.h"
#include "video/libav/libav_handles.h"
#include "video/libav/libav_log.h"
#include "video/libav/reading/libav_input.h"

namespace tandem {

namespace {

std::vector<CodedBlock> vectors_of(const AVFrame& frame) {
    const AVFrameSideData* data = libav().av_frame_get_side_data(&frame, AV_FRAME_DATA_MOTION_VECTORS);
    if (data == nullptr) return {};
    const std::span all(reinterpret_cast<const AVMotionVector*>(data->data), data->size / sizeof(AVMotionVector));
    std::vector<CodedBlock> blocks;
    for (const AVMotionVector& one : all) {
        const float scale = one.motion_scale != 0 ? static_cast<float>(one.motion_scale) : 1.0F;
        blocks.push_back({one.dst_x - one.w / 2, one.dst_y - one.h / 2, one.w, one.h,
                          static_cast<float>(one.motion_x) / scale, static_cast<float>(one.motion_y) / scale,
                          one.source < 0});
    }
    return blocks;
}

std::vector<CodedQuantiser> quantisers_of(const AVFrame& frame) {
    const AVFrameSideData* data = libav().av_frame_get_side_data(&frame, AV_FRAME_DATA_VIDEO_ENC_PARAMS);
    if (data == nullptr) return {};
    auto* params = reinterpret_cast<AVVideoEncParams*>(data->data);
    std::vector<CodedQuantiser> blocks;
    const float unit = params->type == AV_VIDEO_ENC_PARAMS_MPEG2 ? 0.5F : 1.0F;
    if (params->nb_blocks == 0)
        blocks.push_back({0, 0, frame.width, frame.height, unit * static_cast<float>(params->qp)});
    for (unsigned i = 0; i < params->nb_blocks; ++i) {
        const AVVideoBlockParams& block = *av_video_enc_params_block(params, i);
        const float quantiser = unit * static_cast<float>(params->qp + block.delta_qp);
        blocks.push_back({block.src_x, block.src_y, block.w, block.h, quantiser});
    }
    return blocks;
}

class LibavCodedVideo final : public CodedVideo {
  public:
    explicit LibavCodedVideo(const std::string& path) : input_(path), converter_(false) { open_decoder(); }

    std::optional<CodedVideoPicture> read() override {
        const LibavLogScope log;
        while (true) {
            const int error = libav().avcodec_receive_frame(decoder_.get(), frame_.get());
            if (error == AVERROR_EOF) return std::nullopt;
            if (error == 0) return picture();
            if (error != AVERROR(EAGAIN)) fail(error, log);
            send(log);
        }
    }
    const VideoFormat& format() const override { return format_; }
    std::string codec() const override { return libav().avcodec_get_name(decoder_->codec_id); }
    const std::vector<std::int64_t>& packets() const override { return packets_; }
    const std::vector<std::uint8_t>& beginning() const override { return beginning_; }

  private:
    void open_decoder() {
        const LibavLogScope log;
        const AVCodec* codec = nullptr;
        const int index = libav().av_find_best_stream(&input_.context(), AVMEDIA_TYPE_VIDEO, -1, -1, &codec, 0);
        if (index < 0 || codec == nullptr) input_.fail("there is no video stream that libavcodec decodes");
        stream_ = input_.context().streams[index];
        decoder_ = own(libav().avcodec_alloc_context3(codec));
        int error = libav().avcodec_parameters_to_context(decoder_.get(), stream_->codecpar);
        if (error < 0) input_.fail("its parameters are not understood: " + log.explain(error), error);
        decoder_->thread_count = 1;
        decoder_->export_side_data |= AV_CODEC_EXPORT_DATA_MVS | AV_CODEC_EXPORT_DATA_VIDEO_ENC_PARAMS;
        error = libav().avcodec_open2(decoder_.get(), codec, nullptr);
        if (error < 0) input_.fail("the decoder " + std::string(codec->name) + " does not open: " + log.explain(error));
        const AVRational rate = libav().av_guess_frame_rate(&input_.context(), stream_, nullptr);
        if (rate.num > 0 && rate.den > 0) format_.frame_rate = {rate.num, rate.den};
    }

    [[noreturn]] void fail(int error, const LibavLogScope& log) const {
        input_.fail("broken after " + std::to_string(pictures_) + (pictures_ == 1 ? " picture: " : " pictures: ") +
                        log.explain(error),
                    error);
    }

    /// The next packet of the video, named by its place in the file; what ends the decoder behind the last one.
    void send(const LibavLogScope& log) {
        while (true) {
            const int error = libav().av_read_frame(&input_.context(), packet_.get());
            if (error == AVERROR_EOF) {
                libav().avcodec_send_packet(decoder_.get(), nullptr);
                return;
            }
            if (error < 0) fail(error, log);
            if (packet_->stream_index == stream_->index) break;
            libav().av_packet_unref(packet_.get());
        }
        packet_->pts = packet_->dts = static_cast<std::int64_t>(packets_.size());
        if (packets_.empty()) beginning_.assign(packet_->data, packet_->data + packet_->size);
        packets_.push_back(packet_->size);
        const int error = libav().avcodec_send_packet(decoder_.get(), packet_.get());
        libav().av_packet_unref(packet_.get());
        if (error < 0) fail(error, log);
    }

    CodedVideoPicture picture() {
        if (pictures_ > 0 && (frame_->width != format_.width || frame_->height != format_.height))
            input_.fail("picture " + std::to_string(pictures_) + " has another size than those before it");
        format_.width = frame_->width;
        format_.height = frame_->height;
        ++pictures_;
        CodedVideoPicture picture;
        picture.frame = converter_.convert(*frame_);
        picture.type = libav().av_get_picture_type_char(frame_->pict_type);
        picture.coding = frame_->pts;
        picture.vectors = vectors_of(*frame_);
        picture.quantisers = quantisers_of(*frame_);
        return picture;
    }

    LibavInput input_;
    LibavConverter converter_;
    AVStream* stream_ = nullptr;
    Libav<AVCodecContext> decoder_;
    Libav<AVPacket> packet_ = own(libav().av_packet_alloc());
    Libav<AVFrame> frame_ = own(libav().av_frame_alloc());
    std::vector<std::int64_t> packets_;
    std::vector<std::uint8_t> beginning_;
    VideoFormat format_;
    std::int64_t pictures_ = 0;
};

} // namespace

std::unique_ptr<CodedVideo> open_coded_video(const std::string& path) {
    return std::make_unique<LibavCodedVideo>(path);
}

} // namespace tandem
