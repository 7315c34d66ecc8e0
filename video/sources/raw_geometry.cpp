// SPDX-License-Identifier: BSD-2-Clause
#include "video/sources/raw_geometry.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <vector>

#include "video/sources/source_kinds.h"

namespace tandem {

namespace {

std::vector<std::string> words_of(const std::string& path) {
    std::vector<std::string> words(1);
    for (const char c : std::filesystem::path(path).stem().string()) {
        if (c == '_' || c == '-' || c == ' ') {
            words.emplace_back();
        } else {
            words.back().push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
        }
    }
    return words;
}

std::optional<std::pair<int, int>> parse_size(std::string_view word) {
    const std::size_t by = word.find('x');
    if (by == std::string_view::npos) return std::nullopt;
    const auto width = parse_count(word.substr(0, by), largest_side);
    const auto height = parse_count(word.substr(by + 1), largest_side);
    if (!width || !height) return std::nullopt;
    return std::pair{static_cast<int>(*width), static_cast<int>(*height)};
}

std::string_view without_suffix(std::string_view word, std::string_view suffix) {
    return word.ends_with(suffix) ? word.substr(0, word.size() - suffix.size()) : word;
}

std::optional<Rational> parse_rate(std::string_view word) {
    word = without_suffix(without_suffix(word, "fps"), "hz");
    struct Named {
        std::string_view word;
        Rational rate;
    };
    constexpr std::array<Named, 8> fractional{{{"23.976", {24000, 1001}},
                                               {"23.98", {24000, 1001}},
                                               {"29.97", {30000, 1001}},
                                               {"59.94", {60000, 1001}},
                                               {"14.985", {15000, 1001}},
                                               {"119.88", {120000, 1001}},
                                               {"12.5", {25, 2}},
                                               {"7.5", {15, 2}}}};
    for (const Named& named : fractional) {
        if (word == named.word) return named.rate;
    }
    const auto rate = parse_count(word, 1000);
    if (!rate) return std::nullopt;
    return Rational{*rate, 1};
}

bool names_another_format(std::string_view word) {
    constexpr std::array<std::string_view, 14> others{"422",     "444",     "400",    "411",    "yuv422p",
                                                      "yuv444p", "yuv411p", "yuv422", "yuv444", "p010",
                                                      "p016",    "yuyv",    "uyvy",   "rgb24"};
    if (std::find(others.begin(), others.end(), word) != others.end()) return true;
    if (word.starts_with("yuv4") && (word.ends_with("le") || word.ends_with("be"))) return true;
    const std::string_view depth = without_suffix(without_suffix(word, "bit"), "bits");
    return depth.size() < word.size() && parse_count(depth, 64).value_or(8) != 8;
}

} // namespace

RawGeometry raw_geometry_from_name(const std::string& path) {
    RawGeometry found;
    const std::vector<std::string> words = words_of(path);
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (found.unsupported.empty() && names_another_format(words[i])) found.unsupported = words[i];
        const auto size = parse_size(words[i]);
        if (found.size && size && *size != *found.size) found.has_two_sizes = true;
        if (found.size) continue;
        found.size = size;
        if (found.size && i + 1 < words.size()) found.frame_rate = parse_rate(words[i + 1]);
    }
    return found;
}

} // namespace tandem
