// SPDX-License-Identifier: BSD-2-Clause
// A program with this in it has an operator new that can be told to fail.
#pragma once

#include <functional>

namespace tandem::test {

/// Runs it again and again, with another allocation of any of its threads failing each time, until it makes no more;
/// how often it threw std::bad_alloc.
int failures_of(const std::function<void()>& run);

} // namespace tandem::test
