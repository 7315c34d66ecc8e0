// SPDX-License-Identifier: BSD-2-Clause
#include "files/file_name.h"

#include <filesystem>
#include <system_error>

namespace tandem {

std::string lower_case_extension(const std::string& path) {
    std::string extension = std::filesystem::path(path).extension().string();
    for (char& c : extension) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return extension;
}

std::string real_path(const std::string& path) {
    std::error_code error;
    const std::filesystem::path absolute = std::filesystem::absolute(path, error);
    if (error) return path;
    std::filesystem::path real = std::filesystem::weakly_canonical(absolute, error);
    if (error) return absolute.lexically_normal().string();
    // It leaves a link as it is that leads to nothing, or to another such link.
    constexpr int most_links = 40;
    for (int i = 0; i < most_links; ++i) {
        const std::filesystem::path link = std::filesystem::read_symlink(real, error);
        if (error) break;
        const std::filesystem::path end = std::filesystem::weakly_canonical(real.parent_path() / link, error);
        if (error) break;
        real = end;
    }
    return real.string();
}

std::string input_name(const std::string& path) { return path == "-" ? "standard input" : path; }

} // namespace tandem
