// SPDX-License-Identifier: BSD-2-Clause
// Encoders of libavcodec as StreamEncoders.
#include <algorithm>
#include <cstring>

extern "C" {
#include <libavutil/opt.h>
}

#include <fmt/format.h>

#include "app/compare/encoders/stream_encoder.h"
#include "machine/errors.h"
#include "video/libav/libav_functions.h"
#include "video/libav/libav_handles.h"
#include "video/libav/libav_log.h"

namespace tandem {
namespace {

class Dictionary {
  public:
    Dictionary() = default;
    ~Dictionary() { libav().av_dict_free(&entries_); }
    Dictionary(const Dictionary&) = delete;
    Dictionary& operator=(const Dictionary&) = delete;
    void set(const std::string& name, const std::string& value) {
        if (libav().av_dict_set(&entries_, name.c_str(), value.c_str(), 0) < 0) throw std::bad_alloc();
    }
    AVDictionary** address() { return &entries_; }
    /// A name that is left over.
    std::string left() const {
        const AVDictionaryEntry* entry = libav().av_dict_get(entries_, "", nullptr, AV_DICT_IGNORE_SUFFIX);
        return entry == nullptr ? "" : entry->key;
    }

  private:
    AVDictionary* entries_ = nullptr;
};

bool has_option(const AVCodec& codec, const char* name) {
    return codec.priv_class != nullptr && libav().av_opt_find(const_cast<AVClass**>(&codec.priv_class), name, nullptr,
                                                              0, AV_OPT_SEARCH_FAKE_OBJ) != nullptr;
}

bool takes_quantiser_scale(AVCodecID id) {
    constexpr AVCodecID known[] = {AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_MPEG2VIDEO, AV_CODEC_ID_MPEG4,
                                   AV_CODEC_ID_H263,       AV_CODEC_ID_H263P,      AV_CODEC_ID_H261,
                                   AV_CODEC_ID_MSMPEG4V3,  AV_CODEC_ID_FLV1};
    return std::ranges::find(known, id) != std::end(known);
}

class LibraryEncoder final : public StreamEncoder {
  public:
    LibraryEncoder(const Peer& peer, const PeerSettings& settings, const VideoFormat& format) : peer_(peer) {
        const AVCodec* codec = libav().avcodec_find_encoder_by_name(peer.encoder.c_str());
        if (codec == nullptr || codec->type != AVMEDIA_TYPE_VIDEO) refuse("libavcodec has no such video encoder here");
        context_ = own(libav().avcodec_alloc_context3(codec));
        context_->width = format.width;
        context_->height = format.height;
        context_->pix_fmt = AV_PIX_FMT_YUV420P;
        context_->framerate = {static_cast<int>(format.frame_rate.numerator),
                               static_cast<int>(format.frame_rate.denominator)};
        context_->time_base = av_inv_q(context_->framerate);
        context_->gop_size = settings.keyint;
        context_->thread_count = settings.threads;
        Dictionary options;
        if (settings.target.kbps > 0)
            set_rate(*codec, settings);
        else
            set_quantiser(*codec, settings, options);
        for (const auto& [name, value] : peer.options)
            options.set(name, with_target(value, settings.target));
        open(*codec, options);
        stream_.codec = libav().avcodec_get_name(codec->id);
    }

    void push(const Frame& picture) override {
        // A new one each time: the encoder may keep it.
        const Libav<AVFrame> frame = own(libav().av_frame_alloc());
        frame->format = context_->pix_fmt;
        frame->width = context_->width;
        frame->height = context_->height;
        frame->pts = pictures_++;
        frame->quality = context_->global_quality;
        if (libav().av_frame_get_buffer(frame.get(), 0) < 0) throw std::bad_alloc();
        for (int i = 0; i < 3; ++i) {
            const PlaneView plane = picture.plane(i).view();
            for (int y = 0; y < plane.height; ++y) {
                std::memcpy(frame->data[i] + static_cast<std::ptrdiff_t>(y) * frame->linesize[i], plane.row(y),
                            static_cast<std::size_t>(plane.width));
            }
        }
        send(frame.get());
    }

    CodedStream finish() override {
        send(nullptr);
        return std::move(stream_);
    }

  private:
    [[noreturn]] void refuse(const std::string& why) const {
        throw InputError(fmt::format("--peers {}: {}", peer_.text, why));
    }

    void set_rate(const AVCodec& codec, const PeerSettings& settings) {
        if (takes_quantiser_scale(codec.id)) context_->max_b_frames = settings.bframes;
        if (peer_.sets_rate) return;
        context_->bit_rate = std::int64_t{1000} * settings.target.kbps;
        context_->rc_max_rate = std::int64_t{1000} * settings.vbv_kbps;
        context_->rc_buffer_size =
            static_cast<int>(std::min<std::int64_t>(std::int64_t{1000} * settings.vbv_kbit, INT32_MAX));
    }

    void set_quantiser(const AVCodec& codec, const PeerSettings& settings, Dictionary& options) {
        if (takes_quantiser_scale(codec.id)) {
            context_->max_b_frames = settings.bframes;
            // MPEG's own encoders begin at 2 unless they are told.
            context_->qmin = std::min(context_->qmin, settings.target.qp);
            if (peer_.sets_quantiser) return;
            context_->flags |= AV_CODEC_FLAG_QSCALE;
            context_->global_quality = settings.target.qp * FF_QP2LAMBDA;
        } else if (!peer_.sets_quantiser) {
            if (!has_option(codec, "qp"))
                refuse("its constant quantiser is not known: name the option with {qp} or {h264_qp} as its value");
            options.set("qp", fmt::format("{}", h264_quantiser(settings.target.qp)));
        }
    }

    void open(const AVCodec& codec, Dictionary& options) {
        const LibavLogScope log;
        const int error = libav().avcodec_open2(context_.get(), &codec, options.address());
        if (error < 0) refuse("the encoder does not open: " + log.explain(error));
        if (const std::string left = options.left(); !left.empty())
            refuse(fmt::format("the encoder has no option {}", left));
    }

    void send(const AVFrame* frame) {
        const LibavLogScope log;
        int error = libav().avcodec_send_frame(context_.get(), frame);
        while (error >= 0) {
            error = libav().avcodec_receive_packet(context_.get(), packet_.get());
            if (error < 0) break;
            stream_.bytes.insert(stream_.bytes.end(), packet_->data, packet_->data + packet_->size);
            stream_.pictures.push_back({packet_->pts, static_cast<std::uint64_t>(packet_->size)});
            libav().av_packet_unref(packet_.get());
        }
        if (error != AVERROR(EAGAIN) && error != AVERROR_EOF)
            throw RunError(fmt::format("{} fails: {}", peer_.text, log.explain(error)));
    }

    Peer peer_;
    Libav<AVCodecContext> context_;
    Libav<AVPacket> packet_ = own(libav().av_packet_alloc());
    CodedStream stream_;
    std::int64_t pictures_ = 0;
};

} // namespace

std::unique_ptr<StreamEncoder> make_library_encoder(const Peer& peer, const PeerSettings& settings,
                                                    const VideoFormat& format) {
    return std::make_unique<LibraryEncoder>(peer, settings, format);
}

bool takes_bframes(const Peer& peer) {
    const AVCodec* codec =
        peer.kind == PeerKind::library ? libav().avcodec_find_encoder_by_name(peer.encoder.c_str()) : nullptr;
    return codec != nullptr && takes_quantiser_scale(codec->id);
}

bool library_has_encoder(const std::string& name) {
    const AVCodec* codec = libav().avcodec_find_encoder_by_name(name.c_str());
    return codec != nullptr && codec->type == AVMEDIA_TYPE_VIDEO;
}

} // namespace tandem
