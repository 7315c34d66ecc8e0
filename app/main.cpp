// SPDX-License-Identifier: BSD-2-Clause
// The command: picks the subcommand, and turns exceptions into a message and an exit code, here and nowhere else.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "app/about.h"
#include "app/bench/bench.h"
#include "app/bench/child_process.h"
#include "app/command_table.h"
#include "app/compare/compare.h"
#include "app/devices/device_choice.h"
#include "app/devices/device_opening.h"
#include "app/devices/devices.h"
#include "app/encode/encode.h"
#include "app/encode/parse_options.h"
#include "app/interrupt.h"
#include "app/live/live.h"
#include "app/messages.h"
#include "app/motion/motion.h"
#include "app/options/arguments.h"
#include "app/options/completion.h"
#include "app/options/help_text.h"
#include "app/synth/synth.h"
#include "app/view/view.h"
#include "files/atomic_file.h"
#include "machine/errors.h"
#include "machine/long_work.h"

namespace tandem {
namespace {

int printed(const std::string& text) {
    print(text);
    return 0;
}

int run_completion(const Arguments& arguments) {
    const std::string& shell = arguments.positional();
    return printed(shell == "zsh" ? zsh_completion() : shell == "fish" ? fish_completion() : bash_completion());
}
int run_man(const Arguments&) { return printed(man_page(version_number())); }

struct Runner {
    std::string_view name;
    int (*run)(const Arguments&);
};
constexpr Runner runners[] = {{"encode", run_encode},   {"motion", run_motion}, {"compare", run_compare},
                              {"devices", run_devices}, {"bench", run_bench},   {"synth", run_synth},
                              {"live", run_live},       {"view", run_view},     {"completion", run_completion},
                              {"man", run_man}};

[[noreturn]] void refuse_command(const std::string& word) {
    std::vector<std::string> known{"--help", "--version"};
    for (const CommandRow& command : commands())
        known.emplace_back(command.name);
    const std::string near = nearest_name(word, known);
    std::error_code none;
    if (near.empty() && std::filesystem::is_regular_file(word, none))
        throw InputError(fmt::format("a command is missing before {}: tandem encode {} -o FILE", word, word));
    throw InputError(fmt::format("unknown command {}{}", word.empty() ? "(empty)" : word,
                                 near.empty() ? "; see tandem --help" : fmt::format(" (did you mean {}?)", near)));
}

int run_command(const std::string& name, std::vector<std::string> words) {
    const CommandRow* command = find_command(name);
    if (command == nullptr) refuse_command(name);
    const Arguments arguments(*command, std::move(words));
    if (arguments.given("fullhelp")) return printed(full_help(*command, help_width()));
    if (arguments.given("help")) return printed(short_help(*command, help_width()));
    if (arguments.given("version")) return printed(version_text());
    if (find_option(*command, "quiet") != nullptr) set_up_messages(verbosity_of(arguments));
    for (const Runner& runner : runners)
        if (runner.name == name) return runner.run(arguments);
    throw std::logic_error("the command table has " + name + ", which nothing runs");
}

int run(const std::vector<std::string>& words) {
    if (words.empty()) throw InputError("a command is missing; see tandem --help");
    if (words[0] == "--help" || words[0] == "-h" || words[0] == "help") return printed(overview_text());
    if (words[0] == "--version") return printed(version_text());
    return run_command(words[0], {words.begin() + 1, words.end()});
}

int guarded_run(const std::vector<std::string>& words) {
    try {
        return run(words);
    } catch (const EnoughPrinted&) {
        return 128 + SIGPIPE; // As a shell shows a program that the signal ended, which nobody is told of.
    } catch (const InputError& error) {
        spdlog::error("{}", error.what());
        return 2;
    } catch (const Interrupted& interruption) {
        spdlog::warn("interrupted: {}", interruption.what());
        return interrupted_exit_code();
    } catch (const std::bad_alloc&) {
        spdlog::error("out of memory");
        return 1;
    } catch (const std::exception& error) {
        spdlog::error("{}", error.what());
        return 1;
    }
}

/// Where a standard stream is closed, a file that is opened would get its number, and the messages. It is opened so
/// that reading and writing by that number fail.
void occupy_standard_streams() {
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(descriptor, F_GETFD) < 0 && errno == EBADF)
            static_cast<void>(::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY));
    }
}

} // namespace
} // namespace tandem

int main(int argc, char** argv) {
    tandem::occupy_standard_streams();
    tandem::set_up_messages(tandem::Verbosity::normal);
    tandem::set_up_signals();
    tandem::set_up_terminate();
    tandem::stop_outputs_on(tandem::interrupt_flag());
    tandem::end_long_work_when(tandem::interrupt_time());
    const int code = tandem::guarded_run({argv + (argc > 0 ? 1 : 0), argv + argc});
    if (tandem::gpus_are_in_use() || tandem::DeviceOpening::any_is_under_way()) {
        std::fflush(nullptr); // What could not be written was said where it was written.
        std::_Exit(code);
    }
    return code;
}
