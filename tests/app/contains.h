// SPDX-License-Identifier: BSD-2-Clause
// What tests ask of texts.
#pragma once

#include <string>

namespace tandem::test {

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

} // namespace tandem::test
