// SPDX-License-Identifier: BSD-2-Clause
// Small text files that a user names in an option.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace tandem {

/// The whole file; what is longer than `longest` bytes is none of `kind` ("a matrix file"). Throws InputError that
/// names the file.
std::string read_text_file(const std::string& path, std::size_t longest, const char* kind);

/// Each line, numbered from 1, without what follows a #.
void for_each_line(std::string_view text, const std::function<void(int number, std::string_view line)>& take);

} // namespace tandem
