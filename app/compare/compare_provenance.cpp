// SPDX-License-Identifier: BSD-2-Clause
#include "app/compare/compare_provenance.h"

#include <fstream>
#include <iterator>
#include <map>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "app/about.h"
#include "app/bench/child_process.h"
#include "machine/simd_level.h"
#include "machine/threads.h"

namespace tandem {
namespace {

/// As a shell would take it.
std::string shell_word(const std::string& word) {
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+,./:%@";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
    std::string text = "'";
    for (const char letter : word)
        text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    return text + "'";
}

/// This process's own words, less --point: the points of one sweep have one maker, wherever each ran.
std::string command_line() {
    std::ifstream file("/proc/self/cmdline", std::ios::binary);
    std::string text = "tandem", word;
    std::getline(file, word, '\0');
    while (std::getline(file, word, '\0')) {
        if (word == "--point")
            std::getline(file, word, '\0');
        else if (!word.starts_with("--point="))
            text += " " + shell_word(word);
    }
    return text;
}

std::string libavcodec_version() {
    for (const auto& [name, version] : build_features())
        if (name == "libavcodec") return version;
    return "";
}

} // namespace

Json common_provenance() {
    const Machine machine = this_machine();
    Json json = {{"command", command_line()}, {"tandem", version_number()}};
    if (const std::string revision = source_revision(); !revision.empty()) json["git"] = revision;
    json["libavcodec"] = libavcodec_version();
    json["cpu"] = machine.processor;
    json["simd"] = std::string(name_of(simd_level()));
    json["threads"] = available_threads();
    json["os"] = machine.system;
    return json;
}

std::string peer_version(const Peer& peer) {
    if (peer.kind == PeerKind::library) return fmt::format("libavcodec {} {}", libavcodec_version(), peer.encoder);
    return first_line_of({peer.encoder, peer.kind == PeerKind::x264 ? "--version" : "-version"});
}

void warn_of_other_makers(const std::vector<Json>& rows, const Json& provenance) {
    std::map<std::string, int> differences;
    for (const Json& row : rows) {
        if (!row.contains("provenance")) continue;
        for (const char* name : {"tandem", "git", "libavcodec", "cpu", "simd", "threads"}) {
            const Json before = row["provenance"].value(name, Json()), now = provenance.value(name, Json());
            if (before != now) ++differences[fmt::format("{} {}, now {}", name, before.dump(), now.dump())];
        }
    }
    for (const auto& [text, count] : differences)
        spdlog::warn("warning: {} kept points were made with {}", count, text);
}

} // namespace tandem
