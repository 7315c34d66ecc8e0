// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

namespace tandem {

/// The extension with its dot in lower case (ASCII only), ".mkv" of "Clip.MKV"; empty if there is none.
std::string lower_case_extension(const std::string& path);

/// Absolute and without links; what does not exist keeps its name, and so does all of a path that cannot be followed.
std::string real_path(const std::string& path);

/// What messages call an input: the path, or "standard input" for "-".
std::string input_name(const std::string& path);

} // namespace tandem
