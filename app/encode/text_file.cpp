// SPDX-License-Identifier: BSD-2-Clause
#include "app/encode/text_file.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

#include "files/byte_reader.h"
#include "machine/errors.h"

namespace tandem {

std::string read_text_file(const std::string& path, std::size_t longest, const char* kind) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) throw InputError(fmt::format("{}: this is a directory", path));
    std::ifstream file(path, std::ios::binary);
    if (!file) refuse_file(fmt::format("{}: cannot be opened: ", path), errno);
    std::string text;
    std::string part(65536, '\0');
    while (file && text.size() <= longest) {
        file.read(part.data(), static_cast<std::streamsize>(part.size()));
        text.append(part, 0, static_cast<std::size_t>(file.gcount()));
    }
    if (file.bad()) throw RunError(fmt::format("{}: reading failed", path));
    if (text.size() > longest) throw InputError(fmt::format("{}: longer than {} bytes: not {}", path, longest, kind));
    return text;
}

void for_each_line(std::string_view text, const std::function<void(int number, std::string_view line)>& take) {
    std::size_t begin = 0;
    for (int number = 1; begin < text.size(); ++number) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = text.substr(begin, end - begin);
        take(number, line.substr(0, line.find('#')));
        begin = end + 1;
    }
}

} // namespace tandem
