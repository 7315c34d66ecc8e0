// SPDX-License-Identifier: BSD-2-Clause
#include "app/options/help_text.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/command_table.h"
#include "app/options/numbers.h"

namespace tandem {
namespace {

constexpr std::size_t help_column = 30;

/// Words in lines; every line but the first is indented.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
    std::string result, line;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, end);
        if (!line.empty() && indent + line.size() + 1 + word.size() > width) {
            result += line + "\n" + std::string(indent, ' ');
            line.clear();
        }
        line += (line.empty() ? "" : " ") + std::string(word);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return result + line;
}

std::string option_text(const OptionRow& option, std::size_t width) {
    std::string text = "  " + spelling(option);
    if (text.size() + 2 > help_column)
        text += "\n" + std::string(help_column, ' ');
    else
        text.resize(help_column, ' ');
    const std::string limits = limits_text(option);
    const std::string help = std::string(option.help) + (limits.empty() ? "" : fmt::format(" [{}]", limits));
    return text + wrapped(help, help_column, width) + "\n";
}

std::string usage_text(const CommandRow& command) {
    std::string text = fmt::format("Usage: tandem {}", command.name);
    if (!command.positional.empty()) text += fmt::format(" {}", command.positional);
    if (!command.second.empty()) text += fmt::format(" [{}]", command.second);
    for (const OptionRow& option : command.options)
        if (option.required) text += fmt::format(" -{} {}", option.letter, option.argument);
    return text + fmt::format(" [options]\n\n{}.\n", command.summary);
}

std::string paragraphs(std::string_view text, std::size_t width) {
    std::string result;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        result += "\n" + wrapped(text.substr(0, end), 0, width) + "\n";
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return result;
}

} // namespace

std::size_t help_width() {
    constexpr std::size_t least = 60, most = 140, without_terminal = 100;
    std::size_t columns = 0;
    if (const char* set = std::getenv("COLUMNS"); set != nullptr) {
        const std::string_view text = set;
        std::from_chars(text.data(), text.data() + text.size(), columns);
    }
    winsize size{};
    if (columns == 0 && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) columns = size.ws_col;
    return columns == 0 ? without_terminal : std::clamp(columns, least, most);
}

std::string spelling(const OptionRow& option) {
    std::string text = option.letter != 0 ? fmt::format("-{}, ", option.letter) : "    ";
    text += fmt::format("--{}", option.name);
    if (!option.argument.empty()) text += fmt::format(" {}", option.argument);
    return text;
}

std::string limits_text(const OptionRow& option) {
    std::vector<std::string> parts;
    if (option.required) parts.emplace_back("required");
    if (!option.fallback.empty()) parts.push_back(fmt::format("default {}", option.fallback));
    const bool numbers = option.kind == ValueKind::integer || option.kind == ValueKind::real ||
                         option.kind == ValueKind::pair || option.kind == ValueKind::range;
    if (numbers) parts.push_back(fmt::format("{}..{}", number_text(option.least), number_text(option.most)));
    return fmt::format("{}", fmt::join(parts, ", "));
}

std::string overview_text() {
    std::string text = "Usage: tandem COMMAND [options]\n\nTandem codes video as MPEG-1 and MPEG-2, with motion "
                       "estimation beside it.\n\nCommands:\n";
    for (const CommandRow& command : commands())
        text += fmt::format("  {:<12}{}\n", command.name, command.summary);
    return text + "\n  tandem COMMAND --help   shows a command's options\n  tandem --version        shows the version "
                  "and what this build contains\n\n"
                  "Exit codes: 0 done, 1 failed while running, 2 wrong usage or input, 130 interrupted, 129 by\n"
                  "a terminal that was closed.\n";
}

std::string short_help(const CommandRow& command, std::size_t width) {
    if (command.examples.empty()) return full_help(command, width);
    std::string text = usage_text(command) + "\nExamples:\n";
    for (const Example& example : command.examples)
        text += fmt::format("  {}\n      {}\n", example.line, example.says);
    text += "\nThe options that are used most:\n";
    for (const OptionRow& option : command.options)
        if (option.is_basic) text += option_text(option, width);
    return text + fmt::format("\ntandem {} --help all shows all {} options.\n", command.name, command.options.size());
}

std::string full_help(const CommandRow& command, std::size_t width) {
    const auto positional = [&](std::string_view name, std::string_view help) {
        return fmt::format("  {:<28}{}\n", name, wrapped(help, help_column, width));
    };
    std::string text = usage_text(command);
    if (!command.positional.empty()) text += "\n" + positional(command.positional, command.positional_help);
    if (!command.second.empty()) text += positional(command.second, command.second_help);
    std::string_view section;
    for (const OptionRow& option : command.options) {
        if (option.section != section) text += fmt::format("\n{}:\n", option.section);
        section = option.section;
        text += option_text(option, width);
    }
    return text + paragraphs(command.details, width);
}

} // namespace tandem
