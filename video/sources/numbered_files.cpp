// SPDX-License-Identifier: BSD-2-Clause
#include "video/sources/numbered_files.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

namespace tandem {

namespace {

/// The parts of a file's name about its number: "a%04d.png" has "a" and ".png".
std::optional<std::pair<std::string, std::string>> around_number(const std::string& name) {
    const std::size_t percent = name.find('%');
    if (percent == std::string::npos) return std::nullopt;
    const std::size_t letter = name.find_first_not_of("0123456789", percent + 1);
    if (letter == std::string::npos || name[letter] != 'd') return std::nullopt;
    return std::pair{name.substr(0, percent), name.substr(letter + 1)};
}

/// The least and the largest number of the files that are there.
std::optional<std::pair<std::int64_t, std::int64_t>> numbers_of(const std::string& pattern) {
    const std::filesystem::path path(pattern), folder = path.parent_path();
    const auto parts = around_number(path.filename().string());
    if (!parts) return std::nullopt;
    std::optional<std::pair<std::int64_t, std::int64_t>> found;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder.empty() ? "." : folder, none)) {
        const std::string name = entry.path().filename().string();
        if (name.size() <= parts->first.size() + parts->second.size()) continue;
        if (!name.starts_with(parts->first) || !name.ends_with(parts->second)) continue;
        const std::string_view digits = std::string_view(name).substr(
            parts->first.size(), name.size() - parts->first.size() - parts->second.size());
        std::int64_t number = -1;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
        if (error != std::errc() || end != digits.data() + digits.size() || number < 0) continue;
        if (!found) found = {number, number};
        found = {std::min(found->first, number), std::max(found->second, number)};
    }
    return found;
}

} // namespace

std::int64_t pictures_numbered_from(const std::string& pattern, std::int64_t first) {
    const auto numbers = numbers_of(pattern);
    return numbers ? numbers->second - first + 1 : 0;
}

std::optional<std::int64_t> first_number_of(const std::string& pattern) {
    const auto numbers = numbers_of(pattern);
    return numbers ? std::optional(numbers->first) : std::nullopt;
}

} // namespace tandem
