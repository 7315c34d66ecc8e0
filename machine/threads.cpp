// SPDX-License-Identifier: BSD-2-Clause
#include "machine/threads.h"

#include <sched.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "machine/errors.h"

namespace tandem {

std::thread start_thread(const std::string& name, std::function<void()> body) {
    try {
        return std::thread(std::move(body));
    } catch (const std::system_error& error) {
        throw RunError(name + " cannot be started: " + error.code().message());
    }
}

int available_threads() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

} // namespace tandem
