// SPDX-License-Identifier: BSD-2-Clause
#include "app/encode/rate/pass_file.h"

#include <fmt/format.h>

#include "app/encode/text_file.h"
#include "machine/errors.h"
#include "video/codec.h"

namespace tandem {
namespace {

std::string text_of(const PassStream& stream) {
    return fmt::format("{} {}x{} at {}/{}", stream.codec, stream.width, stream.height, stream.frame_rate.numerator,
                       stream.frame_rate.denominator);
}

PassStream stream_of(const Settings& settings, const VideoFormat& format) {
    return {std::string(codec_row(settings.codec).name), format.width, format.height, format.frame_rate};
}

} // namespace

PassRecord pass_record_of(const PictureStats& stats) {
    const std::uint64_t bits = 8 * (stats.bytes - stats.stuffing_bytes);
    return {stats.display_index, stats.type, stats.even_quantiser, bits, stats.costs.intra, stats.costs.inter};
}

std::vector<PassRecord> read_pass_file(const std::string& path, const Settings& settings, const VideoFormat& format) {
    constexpr std::size_t longest = std::size_t{1} << 30;
    PassLog log = parse_pass_log(read_text_file(path, longest, "a pass log"), path);
    const PassStream now = stream_of(settings, format);
    if (log.stream != now)
        throw InputError(fmt::format("{}: the pass before coded {}, and this one codes {}", path, text_of(log.stream),
                                     text_of(now)));
    return std::move(log.pictures);
}

PassFile::PassFile(const std::string& path, const Settings& settings, const VideoFormat& format) : file_(path) {
    file_.write(pass_log_beginning(stream_of(settings, format)));
}

void PassFile::write(const PictureStats& stats) {
    file_.write(pass_log_line(pass_record_of(stats)));
    ++pictures_;
}

void PassFile::close() {
    file_.write(pass_log_end(pictures_));
    file_.close();
}

} // namespace tandem
