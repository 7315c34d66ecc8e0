// SPDX-License-Identifier: BSD-2-Clause
#include "video/libav/reading/libav_input.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <new>
#include <string_view>
#include <utility>

#include "files/byte_reader.h"
#include "machine/errors.h"
#include "video/libav/libav_functions.h"
#include "video/libav/libav_log.h"

namespace tandem {

namespace {

/// A damaged file may ask for any amount of memory. It lacks on our side where a modest piece cannot be had either.
bool memory_is_short() {
    constexpr std::size_t modest = std::size_t{256} << 20;
    void* const piece = libav().av_malloc(modest);
    libav().av_free(piece);
    return piece == nullptr;
}

/// libavformat says EIO where a file ends too early, too. The device fails where we cannot read it to its end either.
bool device_fails(const std::string& path) {
    try {
        ByteReader reader(path);
        std::array<std::uint8_t, 65536> bytes;
        while (reader.read(bytes) > 0) {
        }
    } catch (const RunError&) {
        return true;
    } catch (const InputError&) {
    }
    return false;
}

/// Whether the beginning or the end of the file cannot be read: where a container has its index.
bool device_fails_at_an_end(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::array<char, 65536> bytes;
    for (const auto& [offset, from] : {std::pair{0, std::ios::beg}, {-static_cast<int>(bytes.size()), std::ios::end}}) {
        file.clear();
        errno = 0;
        if (!file.seekg(offset, from)) continue;
        file.read(bytes.data(), bytes.size());
        if (file.bad() && errno == EIO) return true;
    }
    return false;
}

/// EAGAIN is what the system says where it has no thread for a decoder.
bool system_lacks_something(int error) {
    constexpr std::array lacks{EMFILE, ENFILE, EAGAIN, ENOSPC};
    return std::ranges::find(lacks, AVUNERROR(error)) != lacks.end();
}

/// What the file refers to stays on this machine.
AVDictionary* local_files_only() {
    AVDictionary* options = nullptr;
    libav().av_dict_set(&options, "protocol_whitelist", "file,crypto,data", 0);
    return options;
}

} // namespace

LibavInput::LibavInput(const std::string& path, std::optional<std::int64_t> numbered) : path_(path) {
    AVDictionary* options = local_files_only();
    libav().av_dict_set(&options, "pattern_type", numbered ? "sequence" : "none", 0);
    if (numbered) libav().av_dict_set_int(&options, "start_number", *numbered, 0);
    open(numbered ? path_ : "file:" + path_, numbered ? libav().av_find_input_format("image2") : nullptr, options);
}

LibavInput::LibavInput(ByteReader pipe) : path_(pipe.name()), pipe_(std::make_unique<PipeInput>(std::move(pipe))) {
    open("", nullptr, local_files_only());
}

void LibavInput::open(const std::string& url, const AVInputFormat* demuxer, AVDictionary* options) {
    const LibavLogScope log;
    AVFormatContext* context = nullptr;
    if (pipe_) {
        context = libav().avformat_alloc_context();
        if (context == nullptr) throw std::bad_alloc();
        context->pb = pipe_->context();
        context->flags |= AVFMT_FLAG_CUSTOM_IO;
    }
    const int opened = libav().avformat_open_input(&context, url.c_str(), demuxer, &options);
    libav().av_dict_free(&options);
    if (opened < 0)
        fail("not a video that libavformat reads: " + log.explain(opened) +
                 (log.text().find("moov atom not found") != std::string::npos
                      ? "; its index is missing: it is cut off, its recording was not ended, or it is no .mp4"
                      : "") +
                 (pipe_ ? "; raw pictures in a pipe need their size given (--input-res)" : ""),
             opened);
    input_.reset(context);
    // "tty" renders any text file as a video of a terminal.
    if (std::string_view(input_->iformat->name) == "tty") fail("this is a text file, not a video");
    const int found = libav().avformat_find_stream_info(input_.get(), nullptr);
    if (found < 0) fail("its streams are not understood: " + log.explain(found), found);
    complaints_ = log.demuxer_text();
    read_to_its_end_ = input_->pb != nullptr && libav().avio_feof(input_->pb) != 0;
}

std::int64_t LibavInput::size() const {
    if (pipe_) return pipe_->bytes_read();
    return input_->pb != nullptr ? libav().avio_size(input_->pb) : 0;
}

bool LibavInput::is_not_its_fault(int error) const {
    if (error == AVERROR(ENOMEM)) return memory_is_short();
    if (pipe_) return system_lacks_something(error);
    if (error == AVERROR(EIO)) return device_fails(path_);
    if (error == AVERROR_INVALIDDATA) return device_fails_at_an_end(path_);
    return system_lacks_something(error);
}

void LibavInput::fail(const std::string& problem, int error) const {
    if (pipe_) pipe_->rethrow();
    const int unread = input_ && input_->pb != nullptr ? input_->pb->error : 0;
    if (unread < 0) throw RunError(path_ + ": reading failed: " + libav_message(unread));
    if (is_not_its_fault(error)) throw RunError(path_ + ": " + problem);
    const bool may_have_its_index_last = pipe_ && input_ && std::string_view(input_->iformat->name).starts_with("mov");
    throw InputError(path_ + ": " + problem +
                     (may_have_its_index_last ? "; an .mp4 with its index at its end cannot be read from a pipe" : ""));
}

} // namespace tandem
