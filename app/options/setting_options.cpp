// SPDX-License-Identifier: BSD-2-Clause
#include "app/options/setting_options.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace tandem::detail {
namespace {

std::string joined_words(std::span<const SettingWord> words) {
    std::string joined;
    for (const SettingWord& known : words)
        joined += (joined.empty() ? "" : "|") + std::string(known.word);
    return joined;
}

ValueKind kind_of(SettingType type, bool has_words, bool has_range) {
    if (has_words && !has_range) return ValueKind::choice;
    if (type == SettingType::toggle) return ValueKind::none;
    return type == SettingType::real ? ValueKind::real : ValueKind::integer;
}

} // namespace

OptionRow option_row(SettingType type, std::span<const SettingWord> words, bool has_range, std::string_view argument,
                     double fallback) {
    OptionRow row;
    row.kind = kind_of(type, !words.empty(), has_range);
    if (row.kind == ValueKind::none) return row;
    row.argument = joined_words(words);
    if (row.kind != ValueKind::choice) {
        const std::string number(!argument.empty() ? argument : type == SettingType::real ? "F" : "N");
        row.argument = words.empty() ? number : number + "|" + row.argument;
    }
    row.fallback = setting_value_text(words, fallback);
    return row;
}

double given_value(const Arguments& arguments, std::string_view name, SettingType type,
                   std::span<const SettingWord> words) {
    if (const auto value = setting_value_of(words, arguments.text(name))) return *value;
    if (type == SettingType::toggle) return 1;
    return type == SettingType::real ? arguments.real(name) : static_cast<double>(arguments.integer(name));
}

Json value_json(SettingType type, std::span<const SettingWord> words, double value) {
    switch (type) {
    case SettingType::toggle:
        return value != 0;
    case SettingType::choice:
        if (const std::string word = setting_value_text(words, value); !word.empty()) return word;
        throw std::logic_error("a value of the settings has no name");
    case SettingType::integer:
        return std::isnan(value) ? Json() : Json(static_cast<std::int64_t>(value));
    case SettingType::real:
        return std::isnan(value) ? Json() : Json(value);
    }
    return {};
}

std::string key_of_name(std::string_view name) {
    std::string key(name);
    std::ranges::replace(key, '-', '_');
    return key;
}

} // namespace tandem::detail
