// SPDX-License-Identifier: BSD-2-Clause
#include "app/encode/matrix_file.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "app/encode/text_file.h"
#include "app/options/numbers.h"
#include "machine/errors.h"

namespace tandem {
namespace {

constexpr std::string_view separators = " \t\r\f\v,;";

void read_line(const std::string& path, int number, std::string_view line, std::vector<std::uint8_t>& values) {
    for (std::size_t begin = line.find_first_not_of(separators); begin != std::string_view::npos;) {
        const std::size_t end = std::min(line.find_first_of(separators, begin), line.size());
        const std::string word(line.substr(begin, end - begin));
        const auto value = parse_integer(fmt::format("{}:{}:", path, number), word, 1, 255);
        values.push_back(static_cast<std::uint8_t>(value));
        if (values.size() > 128) throw InputError(fmt::format("{}: more than 128 numbers", path));
        begin = line.find_first_not_of(separators, end);
    }
}

} // namespace

MatrixFile read_matrix_file(const std::string& path) {
    const std::string text = read_text_file(path, 65536, "a matrix file");
    std::vector<std::uint8_t> values;
    for_each_line(text, [&](int number, std::string_view line) { read_line(path, number, line, values); });
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
