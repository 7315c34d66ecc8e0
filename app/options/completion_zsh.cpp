// SPDX-License-Identifier: BSD-2-Clause
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/command_table.h"
#include "app/options/completion.h"

namespace tandem {
namespace {

/// As a specification of _arguments takes it inside single quotes of the shell.
std::string escaped(std::string_view text) {
    std::string result;
    for (const char letter : text) {
        if (letter == '\'') result += "'\\'";
        if (letter == '[' || letter == ']' || letter == ':' || letter == '\\') result += '\\';
        result += letter;
    }
    return result;
}

/// What completes a value: an action of _arguments.
std::string action_of(ValueKind kind, std::string_view argument, std::string_view list_words) {
    const auto words = [](std::string_view list) {
        return fmt::format("{}", fmt::join(words_between_bars(list), " "));
    };
    if (!list_words.empty()) return fmt::format("_sequence compadd - {}", words(list_words));
    switch (kind) {
    case ValueKind::choice:
        return fmt::format("({})", words(argument));
    case ValueKind::device:
        return "(auto cpu gpu gpu\\:0 cpu+gpu)";
    case ValueKind::file:
        return "_files";
    case ValueKind::integer:
    case ValueKind::real:
        if (const std::size_t bar = argument.find('|'); bar != argument.npos)
            return fmt::format("({})", words(argument.substr(bar + 1)));
        return " ";
    default:
        return " ";
    }
}

/// A line for each form of the option: -o and --output, of which one excludes the other.
std::string option_lines(const OptionRow& option) {
    const std::string help = fmt::format("[{}]", escaped(first_sentence(option.help)));
    std::string value;
    if (option.kind != ValueKind::none)
        value =
            fmt::format(":{}:{}", escaped(option.argument), action_of(option.kind, option.argument, option.list_words));
    const char* const long_end = option.kind == ValueKind::none ? "" : "=";
    if (option.letter == 0) return fmt::format("            '--{}{}{}{}' \\\n", option.name, long_end, help, value);
    const std::string both = fmt::format("(-{} --{})", option.letter, option.name);
    const char* const short_end = option.kind == ValueKind::none ? "" : "+";
    return fmt::format("            '{}-{}{}{}{}' \\\n", both, option.letter, short_end, help, value) +
           fmt::format("            '{}--{}{}{}{}' \\\n", both, option.name, long_end, help, value);
}

std::string zsh_case(const CommandRow& command) {
    std::string text = fmt::format("    {})\n        _arguments -s -S \\\n", command.name);
    for (const OptionRow& option : command.options)
        text += option_lines(option);
    const std::string action = action_of(command.positional_kind, command.positional, {});
    if (command.positional.empty()) return text + "            && return ;;\n";
    const std::string name = escaped(command.positional);
    if (command.positional_kind != ValueKind::choice)
        return text + fmt::format("            '*:{}:{}' ;;\n", name, action);
    return text + fmt::format("            '1:{}:{}' '2:file:_files' ;;\n", name, action);
}

} // namespace

std::string zsh_completion() {
    std::string text = "#compdef tandem\n# zsh completion for tandem; made by: tandem completion zsh\n"
                       "_tandem() {\n    local -a commands=(\n";
    for (const CommandRow& command : commands())
        text += fmt::format("        '{}:{}'\n", command.name, escaped(command.summary));
    text += "    )\n    if ((CURRENT == 2)); then\n"
            "        _describe -t commands command commands\n        return\n    fi\n"
            "    local command=$words[2]\n    shift words\n    ((CURRENT--))\n    case $command in\n";
    for (const CommandRow& command : commands())
        text += zsh_case(command);
    // Sourced, it announces itself; as a file of $fpath it is the function's body.
    return text +
           "    esac\n}\n"
           "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _tandem \"$@\"; else compdef _tandem tandem; fi\n";
}

} // namespace tandem
