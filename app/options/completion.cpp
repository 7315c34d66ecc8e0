// SPDX-License-Identifier: BSD-2-Clause
#include "app/options/completion.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/command_table.h"

namespace tandem {
namespace {

std::string words_of(std::string_view choices) {
    std::string words(choices);
    std::ranges::replace(words, '|', ' ');
    return words;
}

/// A case label for an option with a value: "--output|-o".
std::string label_of(const OptionRow& option) {
    return option.letter != 0 ? fmt::format("--{}|-{}", option.name, option.letter) : fmt::format("--{}", option.name);
}

std::string words_reply(std::string_view words) { return fmt::format("_tandem_words '{}' \"$word\"", words); }

std::string list_reply(std::string_view words) { return fmt::format("_tandem_list '{}' \"$word\"", words); }

std::string value_reply(ValueKind kind, std::string_view argument) {
    switch (kind) {
    case ValueKind::choice:
        return words_reply(words_of(argument));
    case ValueKind::integer:
    case ValueKind::real:
        return argument.find('|') == argument.npos ? "COMPREPLY=()"
                                                   : words_reply(words_of(argument.substr(argument.find('|') + 1)));
    case ValueKind::device:
        return words_reply("auto cpu gpu gpu:0 cpu+gpu");
    case ValueKind::file:
        return "_tandem_files \"$word\"";
    default:
        return "COMPREPLY=()";
    }
}

std::string option_reply(const OptionRow& option) {
    if (!option.list_words.empty()) return list_reply(words_of(option.list_words));
    return value_reply(option.kind, option.argument);
}

std::string command_case(const CommandRow& command) {
    std::string text = fmt::format("    {})\n        case $previous in\n", command.name);
    std::string all;
    for (const OptionRow& option : command.options) {
        if (option.kind != ValueKind::none)
            text += fmt::format("        {}) {}; return ;;\n", label_of(option), option_reply(option));
        all += fmt::format(" --{}", option.name);
        if (option.letter != 0) all += fmt::format(" -{}", option.letter);
    }
    return text + fmt::format("        esac\n        if [[ $word == -* ]]; then {}; else {}; fi ;;\n",
                              words_reply(all.substr(1)), value_reply(command.positional_kind, command.positional));
}

} // namespace

std::string bash_completion() {
    std::string names;
    for (const CommandRow& command : commands())
        names += fmt::format("{} ", command.name);
    std::string text = "# bash completion for tandem; made by: tandem completion bash\n"
                       "_tandem_files() {\n"
                       "    compopt -o filenames 2>/dev/null\n"
                       "    mapfile -t COMPREPLY < <(compgen -f -- \"$1\")\n"
                       "}\n"
                       "_tandem_words() { mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$2\"); }\n"
                       "# What stands before the last comma of a list is kept.\n"
                       "_tandem_list() {\n"
                       "    local before=\n"
                       "    [[ $2 == *,* ]] && before=${2%,*},\n"
                       "    compopt -o nospace 2>/dev/null\n"
                       "    mapfile -t COMPREPLY < <(compgen -P \"$before\" -W \"$1\" -- \"${2##*,}\")\n"
                       "}\n"
                       "_tandem() {\n"
                       "    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
                       "    # Readline takes --option=value apart.\n"
                       "    if [[ $word == = ]]; then\n"
                       "        word=\n"
                       "    elif [[ $previous == = ]]; then\n"
                       "        previous=${COMP_WORDS[COMP_CWORD-2]}\n"
                       "    fi\n"
                       "    if ((COMP_CWORD == 1)); then\n";
    text += fmt::format("        {}\n", words_reply(names + "--help --version"));
    text += "        return\n    fi\n    case ${COMP_WORDS[1]} in\n";
    for (const CommandRow& command : commands())
        text += command_case(command);
    return text + "    esac\n}\ncomplete -F _tandem tandem\n";
}

} // namespace tandem
