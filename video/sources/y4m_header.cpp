// SPDX-License-Identifier: BSD-2-Clause
#include "video/sources/y4m_header.h"

#include <algorithm>
#include <array>
#include <string>

#include "machine/errors.h"
#include "video/sources/source_kinds.h"

namespace tandem {

namespace {

constexpr std::int64_t largest_term = 0x7FFFFFFF;

/// A tag as it may appear in a message: control characters and bytes beyond ASCII as '?', long ones shortened.
std::string shown(std::string_view tag) {
    constexpr std::size_t longest = 40;
    std::string text(tag.substr(0, longest));
    for (char& c : text) {
        if (c < ' ' || c > '~') c = '?';
    }
    return "'" + text + (tag.size() > longest ? "...'" : "'");
}

int parse_side(std::string_view tag, const char* what) {
    const auto value = parse_count(tag.substr(1), largest_side);
    if (!value) {
        throw InputError("the " + std::string(what) + " " + shown(tag) + " is not a number from 1 to 16384");
    }
    return static_cast<int>(*value);
}

/// N:D, both positive; nothing for 0:0, which means unknown.
std::optional<Rational> parse_ratio(std::string_view tag, const char* what) {
    const std::string_view value = tag.substr(1);
    if (value == "0:0") return std::nullopt;
    const std::size_t colon = std::min(value.find(':'), value.size());
    const auto numerator = parse_count(value.substr(0, colon), largest_term);
    const auto denominator = parse_count(value.substr(std::min(colon + 1, value.size())), largest_term);
    if (!numerator || !denominator) {
        throw InputError("the " + std::string(what) + " " + shown(tag) +
                         " is not a ratio N:D of numbers from 1 to 2147483647");
    }
    return Rational{*numerator, *denominator};
}

void check_interlacing(std::string_view tag) {
    if (tag == "Ip" || tag == "I?") return;
    const std::string_view known = tag == "It"   ? ", interlaced with the top field first,"
                                   : tag == "Ib" ? ", interlaced with the bottom field first,"
                                   : tag == "Im" ? ", mixed interlacing,"
                                                 : "";
    const std::string refusal =
        "the field order " + shown(tag) + std::string(known) + " is not supported: pictures must be progressive (Ip)";
    if (tag == "It" || tag == "Ib") throw UnsupportedY4m(refusal);
    throw InputError(refusal);
}

/// What FFmpeg writes of other samples, and libavformat reads.
bool is_known_elsewhere(std::string_view chroma) {
    constexpr std::array<std::string_view, 5> formats{"C420", "C422", "C444", "C411", "Cmono"};
    constexpr std::array<std::string_view, 11> depths{"",  "p9", "p10", "p12", "p14",  "p16",
                                                      "9", "10", "12",  "16",  "alpha"};
    return std::ranges::any_of(formats, [&](std::string_view format) {
        return chroma.starts_with(format) && std::ranges::find(depths, chroma.substr(format.size())) != depths.end();
    });
}

void check_chroma(std::string_view tag) {
    // The four differ only in where the chroma samples lie, which no later stage looks at.
    constexpr std::array<std::string_view, 4> accepted{"C420", "C420jpeg", "C420paldv", "C420mpeg2"};
    if (std::find(accepted.begin(), accepted.end(), tag) != accepted.end()) return;
    const std::string refusal = "the chroma format " + shown(tag) +
                                " is not supported: it must be 8-bit 4:2:0 (C420, C420jpeg, C420paldv, C420mpeg2)";
    if (is_known_elsewhere(tag)) throw UnsupportedY4m(refusal);
    throw InputError(refusal);
}

/// mjpegtools' way to say what C says, alone in files older than C; where they disagree neither is believed.
void check_extension(std::string_view tag) {
    constexpr std::string_view subsampling = "XYSCSS=";
    constexpr std::array<std::string_view, 4> accepted{"420", "420JPEG", "420PALDV", "420MPEG2"};
    if (tag.substr(0, subsampling.size()) != subsampling) return;
    if (std::find(accepted.begin(), accepted.end(), tag.substr(subsampling.size())) == accepted.end())
        throw InputError("the chroma format " + shown(tag) + " is not supported: it must be 8-bit 4:2:0");
}

void parse_tag(std::string_view tag, Y4mHeader& header) {
    switch (tag.front()) {
    case 'W':
        header.width = parse_side(tag, "width");
        break;
    case 'H':
        header.height = parse_side(tag, "height");
        break;
    case 'F':
        header.frame_rate = parse_ratio(tag, "frame rate");
        break;
    case 'A':
        header.sample_aspect = parse_ratio(tag, "sample aspect").value_or(Rational{0, 1});
        break;
    case 'I':
        check_interlacing(tag);
        break;
    case 'C':
        check_chroma(tag);
        break;
    case 'X':
        check_extension(tag);
        header.full_range = header.full_range || tag == "XCOLORRANGE=FULL";
        break;
    default:
        throw InputError("the header has an unknown tag " + shown(tag));
    }
}

} // namespace

Y4mHeader parse_y4m_header(std::string_view line) {
    constexpr std::string_view magic = "YUV4MPEG2";
    if (line.substr(0, magic.size()) != magic || (line.size() > magic.size() && line[magic.size()] != ' ')) {
        throw InputError("the file does not begin with YUV4MPEG2 but with " + shown(line.substr(0, magic.size() + 3)));
    }
    Y4mHeader header;
    std::string seen;
    for (std::size_t at = magic.size(); at < line.size();) {
        const std::size_t begin = line.find_first_not_of(' ', at);
        if (begin == std::string_view::npos) break;
        at = std::min(line.find(' ', begin), line.size());
        const std::string_view tag = line.substr(begin, at - begin);
        if (tag.front() != 'X' && seen.find(tag.front()) != std::string::npos) {
            throw InputError("the header gives " + std::string(1, tag.front()) + " twice, the second time " +
                             shown(tag));
        }
        seen.push_back(tag.front());
        parse_tag(tag, header);
    }
    if (header.width == 0) throw InputError("the header has no width (W)");
    if (header.height == 0) throw InputError("the header has no height (H)");
    return header;
}

} // namespace tandem
