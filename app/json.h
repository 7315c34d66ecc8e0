// SPDX-License-Identifier: BSD-2-Clause
// What all reports have in common.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace tandem {

/// Keys stay in the order in which they are written.
using Json = nlohmann::ordered_json;

/// A figure, "inf" for infinity, null for what is not a number: JSON has neither.
Json figure_json(double value);

/// Adds what ran where: "simd", "versions", "machine".
void add_provenance(Json& report);

/// Indented, with a newline at its end; bytes of file names that are not UTF-8 are replaced.
std::string json_text(const Json& report);

} // namespace tandem
