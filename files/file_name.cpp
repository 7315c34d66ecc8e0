// SPDX-License-Identifier: BSD-2-Clause
#include "files/file_name.h"

#include <unistd.h>

#include <charconv>
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

namespace {

/// Whether it is where the system lists the open files of this process, or of one of its threads.
bool lists_descriptors(const std::filesystem::path& real) {
    const std::string process = "/proc/" + std::to_string(::getpid()) + "/", path = real.string();
    return path.starts_with(process) && real.filename() == "fd";
}

std::optional<int> descriptor_number(const std::string& name) {
    int number = -1;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    const bool whole = error == std::errc() && end == name.data() + name.size();
    return whole && number >= 0 ? std::optional(number) : std::nullopt;
}

} // namespace

std::optional<int> named_descriptor(const std::string& path) {
    constexpr int most_links = 40;
    std::error_code error;
    std::filesystem::path at = std::filesystem::absolute(path, error);
    for (int i = 0; i < most_links && !error; ++i) {
        // The folder without links, but not what the last name leads to: that is the redirected file itself.
        const std::filesystem::path folder = std::filesystem::canonical(at.parent_path(), error);
        if (error) break;
        if (lists_descriptors(folder)) return descriptor_number(at.filename().string());
        const std::filesystem::path link = std::filesystem::read_symlink(at, error);
        at = folder / link;
    }
    return std::nullopt;
}

bool is_standard_output(const std::string& path) { return path == "-" || named_descriptor(path) == STDOUT_FILENO; }

std::string input_name(const std::string& path) { return path == "-" ? "standard input" : path; }

} // namespace tandem
