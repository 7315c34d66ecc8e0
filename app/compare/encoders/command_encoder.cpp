// SPDX-License-Identifier: BSD-2-Clause
#include "app/compare/encoders/command_encoder.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "machine/errors.h"
#include "video/frame_sink.h"
#include "video/libav/libav_functions.h"

namespace tandem {

std::string codec_of_command(const Peer& peer) {
    if (peer.kind == PeerKind::x264) return "h264";
    const auto option = std::ranges::find_if(peer.arguments, [](const std::string& word) {
        return word == "-c:v" || word == "-codec:v" || word == "-vcodec";
    });
    if (option == peer.arguments.end() || option + 1 == peer.arguments.end())
        throw InputError(fmt::format("--peers {}: -c:v must name the encoder", peer.text));
    const AVCodec* encoder = libav().avcodec_find_encoder_by_name((option + 1)->c_str());
    if (encoder == nullptr)
        throw InputError(fmt::format("--peers {}: libavcodec here knows no encoder {}", peer.text, *(option + 1)));
    return libav().avcodec_get_name(encoder->id);
}

namespace {

std::vector<std::string> x264_target(const Peer& peer, const PeerSettings& settings) {
    if (peer.sets_quantiser || peer.sets_rate) return {};
    if (settings.target.kbps == 0) return {"--qp", fmt::format("{}", h264_quantiser(settings.target.qp))};
    std::vector<std::string> words{"--bitrate", fmt::format("{}", settings.target.kbps)};
    if (settings.vbv_kbit > 0)
        words.insert(words.end(), {"--vbv-maxrate", fmt::format("{}", settings.vbv_kbps), "--vbv-bufsize",
                                   fmt::format("{}", settings.vbv_kbit)});
    return words;
}

} // namespace

std::vector<std::string> command_words(const Peer& peer, const PeerSettings& settings, const std::string& input,
                                       const std::string& output) {
    const std::string threads = fmt::format("{}", settings.threads);
    std::vector<std::string> words;
    if (peer.kind == PeerKind::ffmpeg) {
        words = {"ffmpeg", "-v", "error", "-nostdin", "-y", "-i", input, "-threads", threads};
        for (const std::string& word : peer.arguments)
            words.push_back(with_target(word, settings.target));
        // Packets one after the other, whatever the codec: an elementary stream.
        words.insert(words.end(), {"-f", "rawvideo", output});
        return words;
    }
    words = {"x264", "--quiet", "--keyint", fmt::format("{}", settings.keyint), "--threads", threads};
    for (const std::string& word : x264_target(peer, settings))
        words.push_back(word);
    for (const auto& [name, value] : peer.options) {
        words.push_back("--" + name);
        if (!value.empty()) words.push_back(with_target(value, settings.target));
    }
    words.insert(words.end(), {"--demuxer", "y4m", "-o", output, input});
    return words;
}

void write_clip(const std::string& path, FrameSource& source, std::int64_t frames) {
    const auto sink = open_frame_sink(path, source.format());
    for (std::int64_t i = 0; i < frames; ++i)
        if (const auto frame = source.read()) sink->write(*frame);
    sink->finish();
}

std::vector<std::uint8_t> read_bytes(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (!file) throw RunError(fmt::format("{}: cannot be read", path));
    return bytes;
}

} // namespace tandem
