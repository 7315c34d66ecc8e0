// SPDX-License-Identifier: BSD-2-Clause
#include "app/interrupt.h"

#include <csignal>
#include <cstdint>
#include <ctime>

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

/// The first one is noted, a second one, of whichever kind, ends the process. The same once more within a second is no
/// second one: GNU timeout signals the program and then its whole group.
extern "C" void note_interrupt(int signal) {
    constexpr std::int64_t kinds = 64, second = 1'000'000'000;
    const std::int64_t mine = kinds * now() + signal;
    std::int64_t before = 0;
    if (!hangup.load() && first.compare_exchange_strong(before, mine)) return flag.store(true);
    if (before % kinds == signal && mine - before < kinds * second) return;
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

/// The system says it again for each second more; the hard limit kills.
extern "C" void note_limit(int) { flag.store(true); }

/// The shell says it, and the system once more.
extern "C" void note_hangup(int) {
    hangup.store(true);
    flag.store(true);
}

} // namespace

void set_up_signals() {
    struct sigaction action {};
    action.sa_handler = note_interrupt;
    // Calls go on: whoever waits looks at the flag from time to time.
    action.sa_flags = static_cast<int>(SA_RESTART);
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    action.sa_handler = note_limit;
    sigaction(SIGXCPU, &action, nullptr);
    struct sigaction before {};
    sigaction(SIGHUP, nullptr, &before);
    action.sa_handler = note_hangup;
    if (before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
    std::signal(SIGCHLD, SIG_DFL); // A parent that ignores it would take the ends of our children from us.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
}

const std::atomic<bool>& interrupt_flag() { return flag; }
bool hung_up() { return hangup.load(); }

} // namespace tandem
