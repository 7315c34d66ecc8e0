// SPDX-License-Identifier: BSD-2-Clause
#include "app/encode/rate/rate_files.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/encode/text_file.h"
#include "app/options/numbers.h"
#include "machine/errors.h"

namespace tandem {
namespace {

constexpr std::int64_t last_picture = 1LL << 40;

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
    std::vector<std::string_view> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
        parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

Zone parse_zone(std::string_view text) {
    const std::string name = fmt::format("--zones {}:", text);
    const std::vector<std::string_view> parts = split(text, ",");
    if (parts.size() != 3 || (!parts[2].starts_with("q=") && !parts[2].starts_with("b=")))
        throw InputError(fmt::format("{} a zone is FIRST,LAST,q=QUANTISER or FIRST,LAST,b=TIMES", name));
    Zone zone;
    zone.first = parse_integer(name, parts[0], 0, last_picture);
    zone.last = parse_integer(name, parts[1], zone.first, last_picture);
    const std::string_view value = parts[2].substr(2);
    if (parts[2].starts_with("q="))
        zone.quantiser = parse_real(name, value, 1, 31);
    else
        zone.bits = parse_real(name, value, 0.01, 100);
    return zone;
}

std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words = split(line, " \t\r");
    std::erase_if(words, [](std::string_view word) { return word.empty(); });
    return words;
}

PictureType parse_type(const std::string& name, std::string_view word) {
    if (word == "I" || word == "i" || word == "K") return PictureType::intra;
    if (word == "P") return PictureType::predicted;
    if (word == "B" || word == "b") return PictureType::bidirectional;
    throw InputError(fmt::format("{} {}: a picture's type is one of I, i, K, P, B and b", name, word));
}

GivenPicture parse_given(const std::string& name, const std::vector<std::string_view>& words) {
    if (words.size() != 2 && words.size() != 3)
        throw InputError(
            fmt::format("{} a picture's number, its type and perhaps its quantiser have to be here", name));
    GivenPicture given;
    given.display_index = parse_integer(name, words[0], 0, last_picture);
    given.type = parse_type(name, words[1]);
    if (words.size() == 3 && words[2] != "-1") given.quantiser = parse_real(name, words[2], 1, 31);
    return given;
}

} // namespace

std::vector<Zone> parse_zones(const std::string& text) {
    std::vector<Zone> zones;
    for (const std::string_view zone : split(text, "/"))
        zones.push_back(parse_zone(zone));
    return zones;
}

std::vector<GivenPicture> read_quantiser_file(const std::string& path) {
    constexpr std::size_t longest = 64 << 20;
    std::vector<GivenPicture> all;
    for_each_line(read_text_file(path, longest, "a file of quantisers"), [&](int number, std::string_view line) {
        const std::vector<std::string_view> words = words_of(line);
        if (words.empty()) return;
        const std::string name = fmt::format("{}:{}:", path, number);
        const GivenPicture given = parse_given(name, words);
        if (!all.empty() && given.display_index <= all.back().display_index) {
            throw InputError(fmt::format("{} picture {} follows picture {}: numbers have to rise", name,
                                         given.display_index, all.back().display_index));
        }
        all.push_back(given);
    });
    if (all.empty()) throw InputError(fmt::format("{}: it names no picture", path));
    return all;
}

} // namespace tandem
