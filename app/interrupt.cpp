// SPDX-License-Identifier: BSD-2-Clause
#include "app/interrupt.h"

#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <new>
#include <string_view>

#include "files/temporary_file.h"

namespace tandem {
namespace {

std::atomic<bool> flag{false}, hangup{false};
static_assert(std::atomic<bool>::is_always_lock_free, "signal handlers may use nothing else");

std::atomic<std::int64_t> first{0}; ///< When it came, in nanoseconds, times 64, and which one it was.
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

/// Nanoseconds; one of the calls that handlers may make.
std::int64_t now() {
    timespec time{};
    ::clock_gettime(CLOCK_MONOTONIC, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

std::atomic<std::int64_t> told{0}; ///< When the flag was set, in nanoseconds; 0: it is not.

void note_stop() {
    std::int64_t never = 0;
    told.compare_exchange_strong(never, now());
    flag.store(true);
}

/// Ends the process as the signal does by itself, without its unfinished files.
extern "C" void end_by(int signal) {
    remove_temporaries();
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

/// The first one is noted, a second one, of whichever kind, ends the process. The same once more within a second is no
/// second one: GNU timeout signals the program and then its whole group.
extern "C" void note_interrupt(int signal) {
    constexpr std::int64_t kinds = 64, second = 1'000'000'000;
    const std::int64_t mine = kinds * now() + signal;
    std::int64_t before = 0;
    if (!hangup.load() && first.compare_exchange_strong(before, mine)) return note_stop();
    if (before % kinds == signal && mine - before < kinds * second) return;
    end_by(signal);
}

/// The system says it again for each second more; the hard limit kills.
extern "C" void note_limit(int) { note_stop(); }

/// The shell says it, and the system once more.
extern "C" void note_hangup(int) {
    hangup.store(true);
    note_stop();
}

} // namespace

namespace {

/// What the parent ignores (nohup, a shell's job in the background) stays ignored.
void set_handler(int signal, void (*handler)(int)) {
    struct sigaction before {};
    if (sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) return;
    struct sigaction action {};
    action.sa_handler = handler;
    // Calls go on: whoever waits looks at the flag from time to time.
    action.sa_flags = static_cast<int>(SA_RESTART);
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
}

/// Memory may end where no exception can pass: in a task of a pool's thread, below a library's C code, in nlohmann's
/// functions that promise to throw nothing. That is a failure like others. What else comes here is a fault of ours.
[[noreturn]] void end_by_exception() {
    try {
        if (std::current_exception()) throw;
    } catch (const std::bad_alloc&) {
        remove_temporaries();
        constexpr std::string_view words = "tandem: out of memory\n";
        static_cast<void>(!::write(STDERR_FILENO, words.data(), words.size()));
        ::_exit(1);
    } catch (...) {
    }
    std::abort();
}

/// Those that end a process and that nobody means as an interrupt. SIGABRT: memory that ends inside a library.
constexpr int ending_signals[] = {SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF,
                                  SIGPOLL, SIGPWR,  SIGABRT, SIGTRAP, SIGSYS,    SIGSTKFLT};

} // namespace

void set_up_terminate() { std::set_terminate(end_by_exception); }

void set_up_signals() {
    for (const int signal : {SIGINT, SIGTERM})
        set_handler(signal, note_interrupt);
    set_handler(SIGXCPU, note_limit);
    set_handler(SIGHUP, note_hangup);
    for (const int signal : ending_signals)
        set_handler(signal, end_by);
    std::signal(SIGCHLD, SIG_DFL); // A parent that ignores it would take the ends of our children from us.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
}

const std::atomic<bool>& interrupt_flag() { return flag; }
const std::atomic<std::int64_t>& interrupt_time() { return told; }
bool hung_up() { return hangup.load(); }

} // namespace tandem
