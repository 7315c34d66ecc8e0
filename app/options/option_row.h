// SPDX-License-Identifier: BSD-2-Clause
// A command and an option as data: the parser, help, the completions and the man page are made from such rows.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace tandem {

/// What an option's value is.
enum class ValueKind : std::uint8_t {
    none,    ///< A switch: no value.
    integer, ///< least..most; or a word of `argument` beside its first: "N|auto".
    real,    ///< The same.
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
    std::string_view name; ///< Without the dashes.
    char letter = 0;       ///< The short form, or 0.
    std::string argument;  ///< As help shows it: "N", "FILE", "tm5|sm3|cost".
    ValueKind kind = ValueKind::none;
    std::string fallback = {}; ///< The value when the option is not given; empty: none.
    double least = 0, most = 0;
    std::string_view section; ///< Heading in help; options of a section stand together.
    std::string_view help;
    bool required = false;
    std::string_view also = {};      ///< Further spellings of the name, with | between them; help shows the name alone.
    bool is_basic = false;           ///< The short help shows it.
    std::string list_words = {};     ///< What a text that is a list may hold, with | between; completions offer it.
    bool is_setting = false;         ///< It is made from a SettingRow: see setting_options.h.
    bool changes_stream = false;     ///< As the SettingRow says.
    std::string_view number_is = {}; ///< Of a choice: the option that a number in place of its words is for; or empty.
};

/// A command line and what it does.
struct Example {
    std::string_view line, says;
};

struct CommandRow {
    std::string_view name;
    std::string_view summary;    ///< One line.
    std::string_view positional; ///< "INPUT", a choice such as "bash", or empty. "[CLIP...]": any number of them.
    ValueKind positional_kind = ValueKind::none;
    std::string_view positional_help;
    std::vector<OptionRow> options;
    std::string details;          ///< Paragraphs for the man page and the end of --help.
    std::string_view second = {}; ///< A second positional, which may be left out: "SECOND", a file; or empty.
    std::string_view second_help = {};
    std::vector<Example> examples = {}; ///< Where there are any, --help is short: these and the basic options.
    /// What to say of a word that begins like an option and is none, as other programs have it; empty where this does
    /// not know it. Null: nothing.
    std::string_view (*answer_to_unknown)(std::string_view word) = nullptr;
};

/// By the name or another of its spellings; null where the command has no such option.
const OptionRow* find_option(const CommandRow& command, std::string_view name);

/// What stands between the | of a list: the words of a choice, the spellings of a name.
std::vector<std::string_view> words_between_bars(std::string_view list);
bool is_choice(std::string_view choices, std::string_view word);

/// One of the words that the option's value may be: "auto" where the argument is "N|auto", but not its N.
bool is_word_of(const OptionRow& row, std::string_view text);

/// Of an option's help, without its full stop.
std::string_view first_sentence(std::string_view help);

/// The rows of all parts. Those of a section stand together, sections in the order in which they come first.
std::vector<OptionRow> rows_by_section(std::initializer_list<std::vector<OptionRow>> parts);

} // namespace tandem
