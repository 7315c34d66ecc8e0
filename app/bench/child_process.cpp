// SPDX-License-Identifier: BSD-2-Clause
#include "app/bench/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "app/interrupt.h"
#include "machine/errors.h"

namespace tandem {
namespace {

constexpr int exit_cannot_start = 127;

[[noreturn]] void fail(const char* what) {
    throw RunError(fmt::format("{}: {}", what, std::generic_category().message(errno)));
}

class Descriptor {
  public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() { close(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int number() const { return number_; }
    int release() { return std::exchange(number_, -1); }
    void close() {
        if (number_ >= 0) ::close(number_);
        number_ = -1;
    }

  private:
    int number_;
};

struct Pipe {
    static std::array<int, 2> made() {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe");
        return ends;
    }
    explicit Pipe(std::array<int, 2> ends = made()) : read(ends[0]), write(ends[1]) {}
    Descriptor read, write;
};

/// A process group of its own: a terminal's interrupt reaches the parent alone, which ends the whole group. The
/// parent's files are closed: a child that outlives a killed parent for a moment must not hold its locks.
void become_child(pid_t parent, int kept) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);
    const auto first = static_cast<unsigned>(STDERR_FILENO + 1), own = static_cast<unsigned>(kept);
    if (own > first) ::close_range(first, own - 1, 0);
    ::close_range(own + 1, ~0U, 0);
}

std::string answer_of(const std::function<Json()>& work) {
    Json answer;
    try {
        answer["result"] = work();
    } catch (const InputError& error) {
        answer = {{"input_error", error.what()}};
    } catch (const std::bad_alloc&) {
        answer = {{"error", "out of memory"}};
    } catch (const std::exception& error) {
        answer = {{"error", error.what()}};
    }
    return answer.dump(-1, ' ', false, Json::error_handler_t::replace);
}

[[noreturn]] void work_as_child(int descriptor, const std::function<Json()>& work) {
    const std::string text = answer_of(work);
    std::string_view rest = text;
    while (!rest.empty()) {
        const ssize_t written = ::write(descriptor, rest.data(), rest.size());
        if (written < 0 && errno != EINTR) break;
        rest.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
    }
    ::_exit(rest.empty() ? 0 : 1);
}

pid_t forked() {
    const pid_t process = ::fork();
    if (process < 0) fail("fork");
    return process;
}

int waited_for(pid_t process, rusage* usage = nullptr) {
    int status = 0;
    while (::wait4(process, &status, 0, usage) < 0)
        if (errno != EINTR) fail("wait4");
    return status;
}

/// Everything that comes through the pipe; nothing after an interrupt.
std::optional<std::string> all_of(int descriptor) {
    std::string text;
    std::array<char, 65536> buffer{};
    for (;;) {
        pollfd waiting{descriptor, POLLIN, 0};
        const int ready = ::poll(&waiting, 1, 50);
        if (interrupted()) return std::nullopt;
        if (ready < 0 && errno != EINTR) fail("poll");
        if (ready <= 0) continue;
        const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
        if (count < 0 && errno != EINTR) fail("reading from a child process");
        if (count == 0) return text;
        if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
    }
}

std::string end_text(int status) {
    if (WIFEXITED(status)) return fmt::format("ended with code {}", WEXITSTATUS(status));
    const int signal = WTERMSIG(status);
    return fmt::format("was ended by signal {} ({}){}", signal, ::strsignal(signal),
                       signal == SIGKILL ? ", as happens when memory is short" : "");
}

/// Starts a program with its input, output and errors led to descriptors; -1: to nothing.
pid_t start_program(const std::vector<std::string>& words, int input, int output, int errors) {
    std::vector<std::string> copies = words;
    std::vector<char*> argv;
    for (std::string& word : copies)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    const pid_t parent = ::getpid();
    const pid_t process = forked();
    if (process != 0) return process;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int nothing = ::open("/dev/null", O_RDWR);
    if (::getppid() != parent || nothing < 0 || ::dup2(input < 0 ? nothing : input, STDIN_FILENO) < 0 ||
        ::dup2(output < 0 ? nothing : output, STDOUT_FILENO) < 0 ||
        ::dup2(errors < 0 ? nothing : errors, STDERR_FILENO) < 0)
        ::_exit(exit_cannot_start);
    ::execvp(argv[0], argv.data());
    ::_exit(exit_cannot_start);
}

/// What a program writes into the pipe until its end.
std::string said_by(pid_t process, const std::vector<std::string>& words, const Pipe& pipe) {
    if (std::optional<std::string> said = all_of(pipe.read.number())) return std::move(*said);
    ::kill(process, SIGKILL);
    waited_for(process);
    throw Interrupted(fmt::format("{} was interrupted", words[0]));
}

/// Throws RunError with what the program said where it failed.
void check_end(const std::string& name, int status, const std::string& said) {
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
    constexpr std::size_t longest = 600;
    throw RunError(fmt::format("{} {}: {}", name, end_text(status),
                               said.size() > longest ? said.substr(said.size() - longest) : said));
}

int created(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor < 0) fail(path.c_str());
    return descriptor;
}

std::string text_in(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

} // namespace

std::optional<Json> run_in_child(const std::function<Json()>& work) {
    Pipe pipe;
    const pid_t parent = ::getpid();
    const pid_t child = forked();
    if (child == 0) {
        become_child(parent, pipe.write.number());
        work_as_child(pipe.write.number(), work);
    }
    // Both do it: whoever comes first. The child may have ended already.
    ::setpgid(child, child);
    pipe.write.close();
    const std::optional<std::string> text = all_of(pipe.read.number());
    if (!text) ::kill(-child, SIGKILL);
    const int status = waited_for(child);
    if (!text) return std::nullopt;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw RunError(fmt::format("its process {}", end_text(status)));
    Json answer = Json::parse(*text);
    if (answer.contains("input_error")) throw InputError(answer["input_error"].get<std::string>());
    if (answer.contains("error")) throw RunError(answer["error"].get<std::string>());
    return std::move(answer["result"]);
}

ProgramRun run_program(const std::vector<std::string>& words) {
    Pipe pipe;
    const auto begin = std::chrono::steady_clock::now();
    const pid_t process = start_program(words, -1, -1, pipe.write.number());
    pipe.write.close();
    const std::string said = said_by(process, words, pipe);
    rusage usage{};
    const int status = waited_for(process, &usage);
    ProgramRun run;
    run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    run.peak_rss_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
    check_end(words[0], status, said);
    return run;
}

std::string output_of(const std::vector<std::string>& words) {
    Pipe pipe;
    const pid_t process = start_program(words, -1, pipe.write.number(), -1);
    pipe.write.close();
    const std::string said = said_by(process, words, pipe);
    const int status = waited_for(process);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? said : "";
}

std::string first_line_of(const std::vector<std::string>& words) {
    const std::string said = output_of(words);
    return said.substr(0, said.find('\n'));
}

FedProgram::FedProgram(const std::vector<std::string>& words, const std::string& output, const std::string& errors)
    : name_(words.front()), errors_(errors) {
    Pipe pipe;
    const Descriptor out(created(output)), said(created(errors));
    process_ = start_program(words, pipe.read.number(), out.number(), said.number());
    input_ = pipe.write.release();
}

FedProgram::~FedProgram() {
    if (input_ >= 0) ::close(input_);
    if (process_ < 0) return;
    ::kill(process_, SIGKILL);
    while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

void FedProgram::write(std::span<const std::uint8_t> bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(input_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0 && errno == EPIPE) return;
        if (written < 0) fail("writing to a program");
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

void FedProgram::finish() {
    ::close(std::exchange(input_, -1));
    check_end(name_, waited_for(std::exchange(process_, -1)), text_in(errors_));
}

bool program_exists(const std::string& name) {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');) {
        const std::string program = (folder.empty() ? "." : folder) + "/" + name;
        std::error_code error;
        if (std::filesystem::is_regular_file(program, error) && ::access(program.c_str(), X_OK) == 0) return true;
    }
    return false;
}

} // namespace tandem
