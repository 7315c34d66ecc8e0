// SPDX-License-Identifier: BSD-2-Clause
// Owners of libav's objects. FFmpeg 5 to 9.
#pragma once

extern "C" {
#include <libavutil/frame.h>
}

#include <memory>
#include <new>

#include "video/libav/libav_functions.h"

namespace tandem {

struct FreeLibav {
    void operator()(AVCodecContext* context) const { libav().avcodec_free_context(&context); }
    void operator()(AVFrame* frame) const { libav().av_frame_free(&frame); }
    void operator()(AVPacket* packet) const { libav().av_packet_free(&packet); }
    void operator()(SwsContext* context) const { libav().sws_freeContext(context); }
    void operator()(AVCodecParserContext* parser) const { libav().av_parser_close(parser); }
    void operator()(AVFormatContext* input) const { libav().avformat_close_input(&input); }
};

template <class Object> using Libav = std::unique_ptr<Object, FreeLibav>;

/// Takes what an allocation of libav gave.
template <class Object> Libav<Object> own(Object* object) {
    if (object == nullptr) throw std::bad_alloc();
    return Libav<Object>(object);
}

} // namespace tandem
