// SPDX-License-Identifier: BSD-2-Clause
// Every command and option as data: the parser, --help, the completion and the man page are made from this table.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace tandem {

/// What an option's value is.
enum class ValueKind : std::uint8_t {
    none,    ///< A switch: no value.
    integer, ///< least..most.
    real,    ///< least..most.
    choice,  ///< One of the words in `argument`, separated by |.
    ratio,   ///< N[/D].
    place,   ///< N, 0..most, or a time.
    time,    ///< Seconds, M:S or H:M:S.
    aspect,  ///< N:D.
    size,    ///< WxH, each 1..most.
    pair,    ///< X,Y, each least..most.
    range,   ///< N, or X,Y, each least..most, or the word picture.
    device,  ///< As parse_device() of device_choice.h reads it.
    text,    ///< Not empty; the command reads it.
    file,
};

struct OptionRow {
    std::string_view name;     ///< Without the dashes.
    char letter = 0;           ///< The short form, or 0.
    std::string_view argument; ///< As help shows it: "N", "FILE", "tm5|sm3|cost".
    ValueKind kind = ValueKind::none;
    std::string_view fallback; ///< The value when the option is not given; empty: none.
    double least = 0, most = 0;
    std::string_view section; ///< Heading in help; options of a section stand together.
    std::string_view help;
    bool required = false;
    std::string_view also = {}; ///< A second name, or empty.
};

struct CommandRow {
    std::string_view name;
    std::string_view summary;    ///< One line.
    std::string_view positional; ///< "INPUT", a choice such as "bash", or empty. "[CLIP...]": any number of them.
    ValueKind positional_kind = ValueKind::none;
    std::string_view positional_help;
    std::span<const OptionRow> options;
    std::string_view details;     ///< Paragraphs for the man page and the end of --help.
    std::string_view second = {}; ///< A second positional, which may be left out: "SECOND", a file; or empty.
    std::string_view second_help = {};
};

/// All commands in the order in which help lists them.
std::span<const CommandRow> commands();
const CommandRow* find_command(std::string_view name);
const OptionRow* find_option(const CommandRow& command, std::string_view name);

/// The words of a choice.
bool is_choice(std::string_view choices, std::string_view word);

} // namespace tandem
