// SPDX-License-Identifier: BSD-2-Clause
#include "app/interrupt.h"

#include <csignal>
#include <cstdint>
#include <ctime>

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
    if (!hangup.load() && first.compare_exchange_strong(before, mine)) return flag.store(true);
    if (before % kinds == signal && mine - before < kinds * second) return;
    end_by(signal);
}

/// The system says it again for each second more; the hard limit kills.
extern "C" void note_limit(int) { flag.store(true); }

/// The shell says it, and the system once more.
extern "C" void note_hangup(int) {
    hangup.store(true);
    flag.store(true);
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

/// Those that end a process and that nobody means as an interrupt. SIGABRT: memory that ends inside a library.
constexpr int ending_signals[] = {SIGQUIT,   SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF,
                                  SIGPOLL,   SIGPWR,  SIGABRT, SIGTRAP, SIGSYS,    SIGSTKFLT};

} // namespace

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
bool hung_up() { return hangup.load(); }

} // namespace tandem
