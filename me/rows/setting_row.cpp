// SPDX-License-Identifier: BSD-2-Clause
#include "me/rows/setting_row.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace tandem {

std::string setting_number_text(double value) {
    std::array<char, 400> text; // The largest double has 309 digits.
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed).ptr;
    return {text.data(), end};
}

std::string setting_value_text(std::span<const SettingWord> words, double value) {
    for (const SettingWord& known : words)
        if (known.value == value) return std::string(known.word);
    return std::isnan(value) ? "" : setting_number_text(value);
}

std::optional<double> setting_value_of(std::span<const SettingWord> words, std::string_view word) {
    for (const SettingWord& known : words)
        if (known.word == word) return known.value;
    return std::nullopt;
}

std::optional<std::string> range_problem(std::string_view name, double value, double least, double most) {
    if (value >= least && value <= most) return std::nullopt;
    return std::string(name) + " is " + setting_number_text(value) + "; it must be " + setting_number_text(least) +
           " to " + setting_number_text(most);
}

std::optional<std::string> word_problem(std::string_view name, double value, std::span<const SettingWord> words) {
    if (std::ranges::find(words, value, &SettingWord::value) != words.end()) return std::nullopt;
    std::string all;
    for (const SettingWord& known : words)
        all += (all.empty() ? "" : ", ") + std::string(known.word);
    return std::string(name) + " is " + setting_number_text(value) + "; it must be one of " + all;
}

} // namespace tandem
