// SPDX-License-Identifier: BSD-2-Clause
#include "tests/app/run_command.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <system_error>
#include <thread>

extern char** environ;

namespace tandem::test {
namespace {

/// A job in the background of a script inherits that these are ignored, and so would the command.
[[maybe_unused]] const bool signals_are_heard = [] {
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGQUIT, SIG_DFL);
    return true;
}();

void check(int error, const char* what) {
    if (error != 0) throw std::system_error(error, std::generic_category(), what);
}

std::string new_file() {
    std::string name = (std::filesystem::temp_directory_path() / "tandem-test-XXXXXX").string();
    const int descriptor = ::mkstemp(name.data());
    if (descriptor < 0) check(errno, "mkstemp");
    ::close(descriptor);
    return name;
}

/// The spawn attributes as an object, so that a throw between frees them.
struct FileActions {
    posix_spawn_file_actions_t actions{};
    FileActions() { check(posix_spawn_file_actions_init(&actions), "posix_spawn_file_actions_init"); }
    ~FileActions() { posix_spawn_file_actions_destroy(&actions); }
    FileActions(const FileActions&) = delete;
    FileActions& operator=(const FileActions&) = delete;
    void open(int descriptor, const std::string& name, int flags) {
        if (name == closed_stream) {
            check(posix_spawn_file_actions_addclose(&actions, descriptor), "addclose");
            return;
        }
        check(posix_spawn_file_actions_addopen(&actions, descriptor, name.c_str(), flags, 0666), "addopen");
    }
};

} // namespace

Command::Command(const std::string& folder, const std::vector<std::string>& arguments, const Streams& streams)
    : output_name_(streams.output), errors_name_(streams.errors), output_captured_(streams.output.empty()),
      errors_captured_(streams.errors.empty()) {
    if (output_captured_) output_name_ = new_file();
    if (errors_captured_) errors_name_ = new_file();
    FileActions files;
    check(posix_spawn_file_actions_addchdir_np(&files.actions, folder.c_str()), "addchdir");
    files.open(STDIN_FILENO, streams.input.empty() ? "/dev/null" : streams.input, O_RDONLY);
    files.open(STDOUT_FILENO, output_name_, O_WRONLY | O_CREAT);
    files.open(STDERR_FILENO, errors_name_, O_WRONLY | O_NOCTTY);
    std::vector<std::string> words{TANDEM_BINARY};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    check(posix_spawn(&process_, TANDEM_BINARY, &files.actions, nullptr, argv.data(), environ), "posix_spawn");
}

Command::~Command() {
    if (process_ > 0) {
        ::kill(process_, SIGKILL);
        ::waitpid(process_, nullptr, 0);
    }
    if (errors_captured_) ::unlink(errors_name_.c_str());
    if (output_captured_) ::unlink(output_name_.c_str());
}

void Command::signal(int number) const { ::kill(process_, number); }

bool Command::says(const std::string& words) const {
    using namespace std::chrono_literals;
    const auto end = std::chrono::steady_clock::now() + 60s;
    while (read_file(errors_name_).find(words) == std::string::npos) {
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::sleep_for(10ms);
    }
    return true;
}

Outcome Command::wait() {
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0)
        if (errno != EINTR) check(errno, "waitpid");
    process_ = -1;
    Outcome outcome;
    outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    if (errors_captured_) outcome.errors = read_file(errors_name_);
    if (output_captured_) outcome.output = read_file(output_name_);
    return outcome;
}

LimitOfFileSizes::LimitOfFileSizes(rlim_t bytes) {
    EXPECT_EQ(::getrlimit(RLIMIT_FSIZE, &before_), 0);
    const rlimit limit{bytes, before_.rlim_max};
    EXPECT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
}

LimitOfFileSizes::~LimitOfFileSizes() { ::setrlimit(RLIMIT_FSIZE, &before_); }

Outcome run_command(const std::string& folder, const std::vector<std::string>& arguments, const Streams& streams) {
    return Command(folder, arguments, streams).wait();
}

void write_file(const std::string& path, const std::string& contents) {
    std::ofstream file(path, std::ios::binary);
    file.write(contents.data(), static_cast<std::streamsize>(contents.size()));
    file.close();
    if (!file) throw std::runtime_error("cannot write " + path);
}

std::string read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("cannot read " + path);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::map<std::string, std::string> snapshot_of(const std::string& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        std::string& shown = files[entry.path().lexically_relative(folder).string()];
        if (entry.is_symlink()) {
            shown = "-> " + std::filesystem::read_symlink(entry.path()).string();
        } else if (entry.is_regular_file()) {
            const std::string contents = read_file(entry.path().string());
            shown = std::to_string(contents.size()) + " bytes, " + std::to_string(std::hash<std::string>{}(contents));
        } else {
            shown = "not a file";
        }
    }
    return files;
}

} // namespace tandem::test
