// SPDX-License-Identifier: BSD-2-Clause
// Threads, and how many this process may use.
#pragma once

#include <functional>
#include <string>
#include <thread>

namespace tandem {

/// A thread of its own. RunError, which says its `name`, where the machine gives no more.
std::thread start_thread(const std::string& name, std::function<void()> body);

/// Threads of this machine that this process may use; at least 1.
int available_threads();
/// So many; 0 is all of them.
inline int threads_or_all(int threads) { return threads > 0 ? threads : available_threads(); }

} // namespace tandem
