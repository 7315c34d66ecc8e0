// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

namespace tandem {

/// A field of CSV as RFC 4180 has it: in quotes where it must be.
inline std::string csv_field(const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string result = "\"";
    for (const char letter : text)
        result += letter == '"' ? "\"\"" : std::string(1, letter);
    return result + "\"";
}

} // namespace tandem
