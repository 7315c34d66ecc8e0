// SPDX-License-Identifier: BSD-2-Clause
// Pictures in files of their own, whose names differ by a number.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tandem {

/// Files that a pattern ("%04d.png") stands for, from the number `first` to the largest that is there.
std::int64_t pictures_numbered_from(const std::string& pattern, std::int64_t first);

/// The least number of a file that is there and that the pattern stands for.
std::optional<std::int64_t> first_number_of(const std::string& pattern);

} // namespace tandem
