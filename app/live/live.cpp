// SPDX-License-Identifier: BSD-2-Clause
// The live server is Python: this finds an interpreter that has it, and becomes that.
#include "app/live/live.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "app/bench/child_process.h"
#include "machine/errors.h"

namespace tandem {
namespace {

using Words = std::vector<std::string>;

constexpr std::string_view here = "tandem.live is here";
constexpr const char* probe = "try:\n"
                              "    import tandem.live.server\n"
                              "    print('tandem.live is here')\n"
                              "except ImportError as error:\n"
                              "    print(error)\n";

/// TANDEM_PYTHON names the only one; else those on the path and the system's.
Words interpreters() {
    const char* named = std::getenv("TANDEM_PYTHON");
    if (named != nullptr && *named != '\0') return {named};
    return {"python3", "/usr/bin/python3", "python"};
}

std::string interpreter_with_live() {
    std::string reasons;
    for (const std::string& interpreter : interpreters()) {
        const std::string answer = first_line_of({interpreter, "-c", probe});
        if (answer == here) return interpreter;
        reasons += fmt::format("\n  {}: {}", interpreter, answer.empty() ? "it does not run" : answer);
    }
    throw InputError(fmt::format("no Python interpreter here has tandem.live:{}\n"
                                 "Install it with pip install '.[live]' in Tandem's sources, in a virtual environment. "
                                 "For the module of a build set PYTHONPATH=BUILD/python and install aiohttp (Debian: "
                                 "python3-aiohttp). TANDEM_PYTHON names another interpreter.",
                                 reasons));
}

} // namespace

int run_live(const Arguments& arguments) {
    Words words{interpreter_with_live(), "-m", "tandem.live"};
    for (const OptionRow& row : live_rows()) {
        if (!arguments.given(row.name)) continue;
        const std::string flag = fmt::format("--{}", row.name);
        words.push_back(row.kind == ValueKind::none ? flag : fmt::format("{}={}", flag, arguments.text(row.name)));
    }
    std::vector<char*> argv;
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    ::execvp(argv[0], argv.data());
    throw RunError(fmt::format("{}: {}", words[0], std::generic_category().message(errno)));
}

} // namespace tandem
