// SPDX-License-Identifier: BSD-2-Clause
#include "app/command_table.h"

#include <algorithm>

#include "app/bench/bench_rows.h"
#include "app/compare/compare_rows.h"
#include "app/encode/encode_rows.h"
#include "app/live/live.h"
#include "app/motion/motion_rows.h"
#include "app/options/shared_rows.h"
#include "app/synth/synth_rows.h"
#include "app/view/view.h"

namespace tandem {
namespace {

using enum ValueKind;

CommandRow devices_command() {
    OptionRow report = report_row();
    report.help = "Writes the same and more as JSON; with - there is no table.";
    return {
        "devices",
        "Lists where motion can be searched",
        "",
        none,
        "",
        rows_by_section({{report}, help_rows()}),
        "A line for each GPU and one for the CPU: name, memory, what code runs there (a GPU's compute capability, the "
        "CPU's instruction set and threads), driver, and tandem motion's searches. What a GPU does not run, the CPU "
        "does. "
        "Where there is no GPU, or one cannot be used, a line says why."};
}

CommandRow completion_command() {
    return {"completion",
            "Prints the shell completion",
            "bash|zsh|fish",
            choice,
            "The shell.",
            help_rows(),
            "Load it with: eval \"$(tandem completion bash)\"."};
}

CommandRow man_command() {
    return {"man", "Prints the man page", "", none, "", help_rows(), "Read it with: tandem man | man -l -."};
}

} // namespace

std::span<const CommandRow> commands() {
    static const std::vector<CommandRow> rows{
        encode_command(), motion_command(), compare_command(), synth_command(),      devices_command(),
        bench_command(),  live_command(),   view_command(),    completion_command(), man_command()};
    return rows;
}

const CommandRow* find_command(std::string_view name) {
    const auto rows = commands();
    const auto found = std::ranges::find(rows, name, &CommandRow::name);
    return found == rows.end() ? nullptr : &*found;
}

} // namespace tandem
