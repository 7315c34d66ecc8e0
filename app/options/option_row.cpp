// SPDX-License-Identifier: BSD-2-Clause
#include "app/options/option_row.h"

#include <algorithm>

namespace tandem {

const OptionRow* find_option(const CommandRow& command, std::string_view name) {
    const auto is_it = [&](const OptionRow& row) { return row.name == name || is_choice(row.also, name); };
    const auto found = std::ranges::find_if(command.options, is_it);
    return found == command.options.end() ? nullptr : &*found;
}

std::vector<std::string_view> words_between_bars(std::string_view list) {
    std::vector<std::string_view> words;
    for (std::size_t begin = 0; !list.empty() && begin <= list.size();) {
        const std::size_t end = std::min(list.find('|', begin), list.size());
        words.push_back(list.substr(begin, end - begin));
        begin = end + 1;
    }
    return words;
}

bool is_choice(std::string_view choices, std::string_view word) {
    const auto words = words_between_bars(choices);
    return !word.empty() && std::ranges::find(words, word) != words.end();
}

bool is_word_of(const OptionRow& row, std::string_view text) {
    if (row.kind == ValueKind::choice) return is_choice(row.argument, text);
    const bool is_number = row.kind == ValueKind::integer || row.kind == ValueKind::real;
    const std::size_t bar = row.argument.find('|');
    return is_number && bar != std::string::npos && is_choice(std::string_view(row.argument).substr(bar + 1), text);
}

std::vector<OptionRow> rows_by_section(std::initializer_list<std::vector<OptionRow>> parts) {
    std::vector<OptionRow> rows;
    for (const std::vector<OptionRow>& part : parts) {
        for (const OptionRow& row : part) {
            const auto last = std::find_if(rows.rbegin(), rows.rend(),
                                           [&](const OptionRow& other) { return other.section == row.section; });
            rows.insert(last == rows.rend() ? rows.end() : last.base(), row);
        }
    }
    return rows;
}

} // namespace tandem
