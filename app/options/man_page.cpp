// SPDX-License-Identifier: BSD-2-Clause
// The man page, from the option table.
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "app/command_table.h"
#include "app/options/help_text.h"

namespace tandem {
namespace {

/// Text as troff takes it: backslashes and hyphens are written out, and no line begins with a control character.
std::string escaped(std::string_view text) {
    std::string result;
    bool line_begins = true;
    for (const char letter : text) {
        if (line_begins && (letter == '.' || letter == '\'')) result += "\\&";
        line_begins = letter == '\n';
        if (letter == '\\')
            result += "\\e";
        else if (letter == '-')
            result += "\\-";
        else
            result += letter;
    }
    return result;
}

std::string option_entry(const OptionRow& option) {
    std::string text = ".TP\n";
    std::string head;
    if (option.letter != 0) head = fmt::format("\\fB\\-{}\\fR, ", option.letter);
    head += fmt::format("\\fB\\-\\-{}\\fR", escaped(option.name));
    if (!option.argument.empty()) head += fmt::format(" \\fI{}\\fR", escaped(option.argument));
    const std::string limits = limits_text(option);
    text += head + "\n" + escaped(option.help) + "\n";
    if (!limits.empty()) text += escaped(fmt::format("[{}]", limits)) + "\n";
    return text;
}

std::string paragraphs(std::string_view text) {
    std::string result = ".PP\n";
    for (const char letter : escaped(text))
        result += letter == '\n' ? std::string("\n.PP\n") : std::string(1, letter);
    return result + "\n";
}

std::string command_entry(const CommandRow& command) {
    std::string upper(command.name);
    std::ranges::transform(upper, upper.begin(), [](char letter) { return static_cast<char>(letter - 'a' + 'A'); });
    std::string text = fmt::format(".SH \"TANDEM {}\"\n{}.\n", upper, escaped(command.summary));
    if (!command.positional.empty())
        text += fmt::format(".TP\n\\fI{}\\fR\n{}\n", escaped(command.positional), escaped(command.positional_help));
    if (!command.second.empty())
        text += fmt::format(".TP\n\\fI{}\\fR\n{}\n", escaped(command.second), escaped(command.second_help));
    std::string_view section;
    for (const OptionRow& option : command.options) {
        if (option.section != section) text += fmt::format(".SS {}\n", option.section);
        section = option.section;
        text += option_entry(option);
    }
    return command.details.empty() ? text : text + ".SS Notes\n" + paragraphs(command.details);
}

std::string synopsis(const CommandRow& command) {
    std::string text = fmt::format(".B tandem {}\n", escaped(command.name));
    if (!command.positional.empty()) text += fmt::format(".I {}\n", escaped(command.positional));
    if (!command.second.empty()) text += fmt::format("[\\fI{}\\fR]\n", escaped(command.second));
    for (const OptionRow& option : command.options)
        if (option.required) text += fmt::format("\\fB\\-{}\\fR \\fI{}\\fR\n", option.letter, option.argument);
    return text + "[options]\n.br\n";
}

} // namespace

std::string man_page(std::string_view version) {
    std::string text = fmt::format(".TH TANDEM 1 \"\" \"tandem {}\" \"User Commands\"\n", version);
    text +=
        ".SH NAME\ntandem \\- codes video as MPEG\\-1 and MPEG\\-2, with motion estimation beside it\n.SH SYNOPSIS\n";
    for (const CommandRow& command : commands())
        text += synopsis(command);
    for (const CommandRow& command : commands())
        text += command_entry(command);
    text += ".SH EXIT STATUS\n.TP\n0\nDone.\n.TP\n1\nFailed while running: a write, a device, "
            "\\-\\-verify.\n.TP\n2\nWrong usage or input.\n.TP\n130, 129\nInterrupted, the latter by a terminal "
            "that was closed. A stream, and the files of motion, hold what was done until then; synth leaves none.\n"
            ".PP\nA file appears under its name when it is complete, numbered ones one by one. What was there before a "
            "failure stays.\n";
    text += ".SH EXAMPLES\n.nf\n"
            "tandem encode clip.y4m \\-o clip.m2v \\-\\-qp 4 \\-\\-bframes 2\n"
            "ffmpeg \\-i film.mkv \\-f yuv4mpegpipe \\-pix_fmt yuv420p \\- | tandem encode \\- \\-o film.mpg\n"
            "tandem synth \\-\\-scene zoom \\-o zoom.y4m \\-\\-truth zoom.npy\n.fi\n";
    return text;
}

} // namespace tandem
