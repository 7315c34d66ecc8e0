// SPDX-License-Identifier: BSD-2-Clause
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/command_table.h"
#include "app/options/completion.h"

namespace tandem {
namespace {

/// In single quotes of the shell.
std::string quoted(std::string_view text) {
    std::string result = "'";
    for (const char letter : text) {
        if (letter == '\'' || letter == '\\') result += '\\';
        result += letter;
    }
    return result + "'";
}

std::string fish_words(std::string_view list) { return fmt::format("{}", fmt::join(words_between_bars(list), " ")); }

/// How the value is completed: switches of fish's `complete`.
std::string value_switches(ValueKind kind, std::string_view argument, std::string_view list_words) {
    if (!list_words.empty()) return fmt::format(" -x -a '(__tandem_list {})'", fish_words(list_words));
    switch (kind) {
    case ValueKind::none:
        return "";
    case ValueKind::choice:
        return fmt::format(" -x -a '{}'", fish_words(argument));
    case ValueKind::device:
        return " -x -a 'auto cpu gpu gpu:0 cpu+gpu'";
    case ValueKind::file:
        return " -r -F";
    case ValueKind::integer:
    case ValueKind::real:
        if (const std::size_t bar = argument.find('|'); bar != argument.npos)
            return fmt::format(" -x -a '{}'", fish_words(argument.substr(bar + 1)));
        return " -x";
    default:
        return " -x";
    }
}

std::string command_lines(const CommandRow& command) {
    const std::string condition = fmt::format("complete -c tandem -n '__fish_seen_subcommand_from {}'", command.name);
    std::string text;
    if (command.positional_kind == ValueKind::choice)
        text += fmt::format("{} -f -a '{}'\n", condition, fish_words(command.positional));
    else if (command.positional_kind == ValueKind::file)
        text += fmt::format("{} -F\n", condition);
    for (const OptionRow& option : command.options) {
        text += condition;
        if (option.letter != 0) text += fmt::format(" -s {}", option.letter);
        text += fmt::format(" -l {}{} -d {}\n", option.name,
                            value_switches(option.kind, option.argument, option.list_words),
                            quoted(first_sentence(option.help)));
    }
    return text;
}

} // namespace

std::string fish_completion() {
    std::string text = "# fish completion for tandem; made by: tandem completion fish\n"
                       "# What stands before the last comma of a list is kept.\n"
                       "function __tandem_list\n"
                       "    set -l token (commandline -ct | string replace -r '^--[^=]*=' '')\n"
                       "    set -l before (string match -r '^.*,' -- $token)\n"
                       "    for word in $argv\n        echo \"$before$word\"\n    end\nend\n"
                       "complete -c tandem -f\n";
    for (const CommandRow& command : commands())
        text += fmt::format("complete -c tandem -n __fish_use_subcommand -a {} -d {}\n", command.name,
                            quoted(command.summary));
    for (const CommandRow& command : commands())
        text += command_lines(command);
    return text;
}

} // namespace tandem
