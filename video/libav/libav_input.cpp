// SPDX-License-Identifier: BSD-2-Clause
#include "video/libav/libav_input.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <string_view>
#include <utility>

#include "files/byte_reader.h"
#include "machine/errors.h"
#include "video/libav/libav_log.h"

extern "C" {
#include <libavutil/mem.h>
}

namespace tandem {

namespace {

/// A damaged file may ask for any amount of memory. It lacks on our side where a modest piece cannot be had either.
bool memory_is_short() {
    constexpr std::size_t modest = std::size_t{256} << 20;
    void* const piece = av_malloc(modest);
    av_free(piece);
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

} // namespace

LibavInput::LibavInput(const std::string& path, std::optional<std::int64_t> numbered) : path_(path) {
    const LibavLogScope log;
    // What the file refers to stays on this machine.
    AVDictionary* options = nullptr;
    av_dict_set(&options, "protocol_whitelist", "file,crypto,data", 0);
    av_dict_set(&options, "pattern_type", numbered ? "sequence" : "none", 0);
    if (numbered) av_dict_set_int(&options, "start_number", *numbered, 0);
    const auto* const demuxer = numbered ? av_find_input_format("image2") : nullptr;
    AVFormatContext* context = nullptr;
    const int opened =
        avformat_open_input(&context, numbered ? path_.c_str() : ("file:" + path_).c_str(), demuxer, &options);
    av_dict_free(&options);
    if (opened < 0) fail("not a video that libavformat reads: " + log.explain(opened), opened);
    input_.reset(context);
    // "tty" renders any text file as a video of a terminal.
    if (std::string_view(input_->iformat->name) == "tty") fail("this is a text file, not a video");
    const int found = avformat_find_stream_info(input_.get(), nullptr);
    if (found < 0) fail("its streams are not understood: " + log.explain(found), found);
    complaints_ = log.demuxer_text();
    read_to_its_end_ = input_->pb != nullptr && avio_feof(input_->pb) != 0;
}

void LibavInput::fail(const std::string& problem, int error) const {
    const int unread = input_ && input_->pb != nullptr ? input_->pb->error : 0;
    if (unread < 0) throw RunError(path_ + ": reading failed: " + libav_message(unread));
    const bool not_its_fault = error == AVERROR(ENOMEM)       ? memory_is_short()
                               : error == AVERROR(EIO)        ? device_fails(path_)
                               : error == AVERROR_INVALIDDATA ? device_fails_at_an_end(path_)
                                                              : system_lacks_something(error);
    if (not_its_fault) throw RunError(path_ + ": " + problem);
    throw InputError(path_ + ": " + problem);
}

} // namespace tandem
