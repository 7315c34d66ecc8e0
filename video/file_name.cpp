// SPDX-License-Identifier: BSD-2-Clause
#include "video/file_name.h"

#include <filesystem>

namespace tandem {

std::string lower_case_extension(const std::string& path) {
    std::string extension = std::filesystem::path(path).extension().string();
    for (char& c : extension) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return extension;
}

std::string input_name(const std::string& path) { return path == "-" ? "standard input" : path; }

} // namespace tandem
