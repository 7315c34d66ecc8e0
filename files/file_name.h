// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <string>

namespace tandem {

/// The extension with its dot in lower case (ASCII only), ".mkv" of "Clip.MKV"; empty if there is none.
std::string lower_case_extension(const std::string& path);

/// Absolute and without links; what does not exist keeps its name, and so does all of a path that cannot be followed.
std::string real_path(const std::string& path);

/// The number of the open file of this process that an output's name stands for: /dev/stdout, /dev/stderr, /dev/fd/N,
/// /proc/self/fd/N, or a link to one of these. Where such a file was redirected, it belongs to the shell too, so that it
/// is written to and never replaced.
std::optional<int> named_descriptor(const std::string& path);

/// "-", or another name of standard output.
bool is_standard_output(const std::string& path);

/// What messages call an input: the path, or "standard input" for "-".
std::string input_name(const std::string& path);

} // namespace tandem
