// SPDX-License-Identifier: BSD-2-Clause
// Owners of libav's objects, its errors as text, and its log while one of our calls runs. FFmpeg 5 to 7.
#pragma once

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/frame.h>
#include <libswscale/swscale.h>
}

#include <memory>
#include <new>
#include <string>

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

/// libav's words for an error code.
std::string libav_message(int error);

/// While it lives, what libav logs as an error on this thread is collected here and not printed. Elsewhere and
/// otherwise libav's log goes where it went before, less what is below an error. Scopes do not nest.
class LibavLogScope {
  public:
    LibavLogScope();
    ~LibavLogScope();
    LibavLogScope(const LibavLogScope&) = delete;
    LibavLogScope& operator=(const LibavLogScope&) = delete;

    /// What was logged so far, the messages separated by "; ".
    const std::string& text() const { return text_; }
    /// libav's words for `error`, and what was logged with it.
    std::string explain(int error) const;

  private:
    std::string text_;
};

} // namespace tandem
