// SPDX-License-Identifier: BSD-2-Clause
// Where libavformat's muxers write.
#pragma once

#include <exception>
#include <new>
#include <string>
#include <utility>

#include "files/atomic_file.h"
#include "video/libav/libav_functions.h"

namespace tandem {

/// libavformat's output into an AtomicFile. libav is C: what our file throws is kept and thrown again by rethrow().
class MuxerFile {
  public:
    explicit MuxerFile(const std::string& path) : file_(path) {
        constexpr int buffer_size = 64 * 1024;
        auto* buffer = static_cast<unsigned char*>(libav().av_malloc(buffer_size));
        if (buffer == nullptr) throw std::bad_alloc();
        context_ = libav().avio_alloc_context(buffer, buffer_size, 1, this, nullptr, &MuxerFile::write_callback,
                                              file_.seekable() ? &MuxerFile::seek_callback : nullptr);
        if (context_ == nullptr) {
            libav().av_free(buffer);
            throw std::bad_alloc();
        }
    }
    ~MuxerFile() {
        libav().av_freep(&context_->buffer);
        libav().avio_context_free(&context_);
    }
    MuxerFile(const MuxerFile&) = delete;
    MuxerFile& operator=(const MuxerFile&) = delete;

    AVIOContext* context() { return context_; }
    bool seekable() const { return file_.seekable(); }
    void rethrow() {
        if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
    }
    void close() {
        libav().avio_flush(context_);
        rethrow();
        file_.close();
    }
    void finish() { file_.finish(); }

  private:
    template <class Action> std::int64_t guarded(Action action) noexcept {
        try {
            return action();
        } catch (...) {
            if (!error_) error_ = std::current_exception();
            return AVERROR(EIO);
        }
    }

#if LIBAVFORMAT_VERSION_MAJOR >= 61
    using WrittenByte = const std::uint8_t;
#else
    using WrittenByte = std::uint8_t;
#endif
    static int write_callback(void* self, WrittenByte* bytes, int size) noexcept {
        auto& sink = *static_cast<MuxerFile*>(self);
        return static_cast<int>(sink.guarded([&]() -> std::int64_t {
            sink.file_.write({bytes, static_cast<std::size_t>(size)});
            return size;
        }));
    }

    static std::int64_t seek_callback(void* self, std::int64_t offset, int whence) noexcept {
        auto& sink = *static_cast<MuxerFile*>(self);
        return sink.guarded([&]() -> std::int64_t {
            AtomicFile& file = sink.file_;
            if (whence == AVSEEK_SIZE) return file.size();
            const std::int64_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? file.position() : file.size();
            if (base + offset < 0) return AVERROR(EINVAL);
            file.seek(base + offset);
            return base + offset;
        });
    }

    AtomicFile file_;
    AVIOContext* context_ = nullptr;
    std::exception_ptr error_;
};

struct FreeMuxer {
    void operator()(AVFormatContext* context) const { libav().avformat_free_context(context); }
};

} // namespace tandem
