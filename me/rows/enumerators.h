// SPDX-License-Identifier: BSD-2-Clause
// Values that an enumeration does not have: whoever fills a struct of parameters may have cast a number.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tandem {

/// Adds a sentence to `problems` where the value is none of an enumeration's `count`, which count from 0.
template <class Enum>
void check_enumerator(std::vector<std::string>& problems, const char* what, Enum value, std::ptrdiff_t count) {
    const int number = static_cast<int>(value);
    if (number >= 0 && number < count) return;
    problems.push_back(std::string(what) + " has the value " + std::to_string(number) + "; there are " +
                       std::to_string(count));
}

} // namespace tandem
