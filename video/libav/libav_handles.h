// SPDX-License-Identifier: BSD-2-Clause
// Owners of libav's objects. FFmpeg 5 to 9.
#pragma once

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/frame.h>
#include <libswscale/swscale.h>
}

#include <memory>
#include <new>

namespace tandem {

struct FreeLibav {
    void operator()(AVCodecContext* context) const { avcodec_free_context(&context); }
    void operator()(AVFrame* frame) const { av_frame_free(&frame); }
    void operator()(AVPacket* packet) const { av_packet_free(&packet); }
    void operator()(SwsContext* context) const { sws_freeContext(context); }
    void operator()(AVCodecParserContext* parser) const { av_parser_close(parser); }
    void operator()(AVFormatContext* input) const { avformat_close_input(&input); }
};

template <class Object> using Libav = std::unique_ptr<Object, FreeLibav>;

/// Takes what an allocation of libav gave.
template <class Object> Libav<Object> own(Object* object) {
    if (object == nullptr) throw std::bad_alloc();
    return Libav<Object>(object);
}

} // namespace tandem
