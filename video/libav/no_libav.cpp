// SPDX-License-Identifier: BSD-2-Clause
// A build without FFmpeg: the same symbols, each saying so.
#include "machine/errors.h"
#include "video/libav/reading/built_with_filters.h"
#include "video/libav/reading/stream_decoder.h"
#include "video/libav/writing/coded_file.h"
#include "video/libav/writing/libav_sink.h"
#include "video/libav/writing/png_image.h"
#include "video/sources/source_kinds.h"

namespace tandem {

std::unique_ptr<FrameSource> open_libav_source(const std::string& path, const SourceOptions&) {
    throw InputError(path + ": this build has no FFmpeg and reads y4m and yuv only");
}

std::unique_ptr<FrameSource> open_libav_source(ByteReader pipe, const SourceOptions&) {
    throw InputError(pipe.name() +
                     ": this is not YUV4MPEG2, which is all that this build, without FFmpeg, reads from a "
                     "pipe; raw pictures need their size given (--input-res)");
}

std::unique_ptr<FrameSource> open_picture_sequence(const std::string& pattern, std::int64_t, const SourceOptions&) {
    throw InputError(pattern + ": this build has no FFmpeg and reads y4m and yuv only");
}

std::unique_ptr<PacketSink> open_libav_sink(const std::string& path, const std::string& extension, Codec,
                                            const VideoFormat&, const CarriedRate&, const CopiedRest&) {
    throw InputError(path + ": this build has no FFmpeg and writes elementary streams (.m1v, .m2v) only, not " +
                     extension);
}

std::unique_ptr<StreamDecoder> make_stream_decoder(Codec, StreamDecoder::Output) {
    throw InputError("this build has no FFmpeg, so that it cannot decode its own stream");
}

bool built_with_filters() { return false; }

void require_png() { throw InputError("this build has no FFmpeg and writes no PNG"); }

DeepPicture read_deep_png(const std::string& path, const std::atomic<bool>*) {
    throw InputError(path + ": this build has no FFmpeg and reads no PNG");
}

std::vector<std::uint8_t> png_image(int, int, std::span<const std::uint8_t>) {
    require_png();
    return {};
}

std::unique_ptr<StreamDecoder> make_stream_decoder(const std::string&, const StreamDecoderOptions&,
                                                   std::function<void(const DecodedPicture&)>) {
    throw InputError("this build has no FFmpeg, so that it cannot decode a stream");
}

std::unique_ptr<CodedFile> create_h264_file(const std::string&, const VideoFormat&) { return nullptr; }

std::unique_ptr<CodedFile> create_gif_file(const std::string& path, const VideoFormat&) {
    throw InputError(path + ": this build has no FFmpeg and writes no GIF");
}

class CodedFile::State {};
CodedFile::CodedFile(std::unique_ptr<State> state) : state_(std::move(state)) {}
CodedFile::~CodedFile() = default;
void CodedFile::write(const Frame&) {}
void CodedFile::write_rgb(std::span<const std::uint8_t>) {}
void CodedFile::finish() {}

bool holds_h264(const std::string& extension) {
    return extension == ".mp4" || extension == ".mov" || extension == ".mkv";
}

bool built_with_libav() { return false; }

} // namespace tandem
