// SPDX-License-Identifier: BSD-2-Clause
#include "app/encode/matrix_file.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "app/options/numbers.h"
#include "files/byte_reader.h"
#include "machine/errors.h"

namespace tandem {
namespace {

constexpr std::string_view separators = " \t\r\f\v,;";

void read_line(const std::string& path, int number, std::string_view line, std::vector<std::uint8_t>& values) {
    line = line.substr(0, line.find('#'));
    for (std::size_t begin = line.find_first_not_of(separators); begin != std::string_view::npos;) {
        const std::size_t end = std::min(line.find_first_of(separators, begin), line.size());
        std::string word(line.substr(begin, end - begin));
        // A zero byte would end the message.
        std::ranges::replace(word, '\0', '?');
        const auto value = parse_integer(fmt::format("{}:{}:", path, number), word, 1, 255);
        values.push_back(static_cast<std::uint8_t>(value));
        if (values.size() > 128) throw InputError(fmt::format("{}: more than 128 numbers", path));
        begin = line.find_first_not_of(separators, end);
    }
}

/// The whole file; what is too long to be a matrix file is not read to its end.
std::string read_text(const std::string& path) {
    constexpr std::size_t longest = 65536;
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) throw InputError(fmt::format("{}: this is a directory", path));
    std::ifstream file(path, std::ios::binary);
    if (!file) refuse_file(fmt::format("{}: cannot be opened: ", path), errno);
    std::string text(longest + 1, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (file.bad()) throw RunError(fmt::format("{}: reading failed", path));
    text.resize(static_cast<std::size_t>(file.gcount()));
    if (text.size() > longest)
        throw InputError(fmt::format("{}: longer than {} bytes: not a matrix file", path, longest));
    return text;
}

} // namespace

MatrixFile read_matrix_file(const std::string& path) {
    const std::string text = read_text(path);
    std::vector<std::uint8_t> values;
    std::size_t begin = 0;
    for (int number = 1; begin < text.size(); ++number) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        read_line(path, number, std::string_view(text).substr(begin, end - begin), values);
        begin = end + 1;
    }
    if (values.size() != 64 && values.size() != 128)
        throw InputError(fmt::format("{}: {} numbers; a matrix file has 64 (intra) or 128 (intra, then non-intra)",
                                     path, values.size()));
    if (values[0] != 8)
        throw InputError(fmt::format("{}: the first number is {}; an intra matrix begins with 8", path, values[0]));
    MatrixFile result{};
    std::copy_n(values.begin(), 64, result.intra.begin());
    if (values.size() == 128) std::copy_n(values.begin() + 64, 64, result.non_intra.emplace().begin());
    return result;
}

} // namespace tandem
