// SPDX-License-Identifier: BSD-2-Clause
#include "app/compare/encoders/peer.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include "machine/errors.h"

namespace tandem {
namespace {

constexpr std::string_view mpeg_mark = "{qp}", h264_mark = "{h264_qp}", rate_mark = "{kbps}";

std::vector<std::string> split_list(const std::string& list) {
    std::vector<std::string> parts{""};
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (list[i] == '\\' && i + 1 < list.size() && list[i + 1] == ',')
            parts.back() += list[++i];
        else if (list[i] == ',')
            parts.emplace_back();
        else
            parts.back() += list[i];
    }
    return parts;
}

void take_options(Peer& peer, std::string_view rest) {
    while (!rest.empty()) {
        const std::string_view option = rest.substr(0, rest.find(':'));
        rest.remove_prefix(std::min(rest.size(), option.size() + 1));
        const std::size_t equals = option.find('=');
        const std::string name(option.substr(0, equals));
        if (name.empty() || (peer.kind == PeerKind::library && equals == std::string_view::npos))
            throw InputError(fmt::format("--peers {}: \"{}\" must be OPTION=VALUE", peer.text, option));
        peer.options.emplace_back(name, equals == std::string_view::npos ? "" : option.substr(equals + 1));
    }
}

Peer parse_peer(const std::string& text) {
    Peer peer;
    peer.text = text;
    const std::size_t colon = text.find(':');
    peer.encoder = text.substr(0, colon);
    if (peer.encoder.empty()) throw InputError(fmt::format("--peers {}: an encoder's name is missing", text));
    peer.sets_quantiser = text.find(mpeg_mark) != std::string::npos || text.find(h264_mark) != std::string::npos;
    peer.sets_rate = text.find(rate_mark) != std::string::npos;
    const std::string rest = colon == std::string::npos ? "" : text.substr(colon + 1);
    if (peer.encoder == "ffmpeg") {
        peer.kind = PeerKind::ffmpeg;
        std::istringstream words(rest);
        for (std::string word; words >> word;)
            peer.arguments.push_back(word);
        if (!peer.sets_quantiser && !peer.sets_rate)
            throw InputError(fmt::format(
                "--peers {}: {{qp}} or {{h264_qp}} must stand for the quantiser, or {{kbps}} for the rate", text));
        return peer;
    }
    if (peer.encoder == "none") throw InputError("--peers none: it names no encoder, and stands alone");
    if (text.back() == ':') throw InputError(fmt::format("--peers {}: OPTION=VALUE is missing after the colon", text));
    if (peer.encoder == "x264") peer.kind = PeerKind::x264;
    take_options(peer, rest);
    return peer;
}

void replace_all(std::string& text, std::string_view mark, int value) {
    for (std::size_t at; (at = text.find(mark)) != std::string::npos;)
        text.replace(at, mark.size(), fmt::format("{}", value));
}

} // namespace

std::vector<Peer> parse_peers(const std::string& list) {
    std::vector<Peer> peers;
    if (list.empty() || list == "none") return peers;
    for (const std::string& text : split_list(list))
        peers.push_back(parse_peer(text));
    return peers;
}

int h264_quantiser(int qp) { return static_cast<int>(std::lround(12 + 6 * std::log2(qp / 0.85))); }

std::string with_target(std::string text, const PointTarget& target) {
    replace_all(text, rate_mark, target.kbps);
    if (target.qp == 0) return text;
    replace_all(text, mpeg_mark, target.qp);
    replace_all(text, h264_mark, h264_quantiser(target.qp));
    return text;
}

void check_target(const Peer& peer, const PointTarget& target) {
    if (target.kbps > 0 && peer.sets_quantiser)
        throw InputError(
            fmt::format("--peers {}: with --bitrates there is no quantiser; {{kbps}} is the rate", peer.text));
    if (target.kbps == 0 && peer.sets_rate)
        throw InputError(
            fmt::format("--peers {}: {{kbps}} is a rate, and there is none without --bitrates", peer.text));
    if (target.kbps > 0 && peer.kind == PeerKind::ffmpeg && !peer.sets_rate)
        throw InputError(fmt::format("--peers {}: {{kbps}} must stand for the rate", peer.text));
}

std::string text_of(const PointTarget& target) {
    return target.kbps > 0 ? fmt::format("{} kbit/s", target.kbps) : fmt::format("{}", target.qp);
}

std::string words_of(const PointTarget& target) { return (target.kbps > 0 ? "" : "qp ") + text_of(target); }

} // namespace tandem
