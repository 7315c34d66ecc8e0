// SPDX-License-Identifier: BSD-2-Clause
// What the command makes of settings' rows (me/rows/setting_row.h): options, values from arguments, and JSON.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/json.h"
#include "app/options/arguments.h"
#include "app/options/option_row.h"
#include "me/rows/setting_row.h"

namespace tandem {

namespace detail {

/// All of an option that does not depend on the struct.
OptionRow option_row(SettingType type, std::span<const SettingWord> words, bool has_range, std::string_view argument,
                     double fallback);

/// The value that the user gave; `words` and `type` are the row's.
double given_value(const Arguments& arguments, std::string_view name, SettingType type,
                   std::span<const SettingWord> words);

/// A choice is its word, a toggle true or false, an optional number without a value null.
Json value_json(SettingType type, std::span<const SettingWord> words, double value);

/// The key of a row in reports: "ip_factor" of "ip-factor".
std::string key_of_name(std::string_view name);

} // namespace detail

/// The option of a setting, whose default is a new owner's value.
template <class Owner> OptionRow option_of(const SettingRow<Owner>& setting) {
    OptionRow row = detail::option_row(setting.field.type, setting.words, setting.has_range(), setting.argument,
                                       setting.field.get(Owner{}));
    row.name = setting.name;
    row.least = setting.least;
    row.most = setting.most;
    row.section = setting.section;
    row.help = setting.help;
    row.also = setting.also;
    row.is_basic = setting.is_basic;
    row.is_setting = true;
    row.changes_stream = setting.changes_stream;
    return row;
}

template <class Owner> std::vector<OptionRow> options_of(std::span<const SettingRow<Owner>> settings) {
    std::vector<OptionRow> rows;
    for (const SettingRow<Owner>& setting : settings)
        rows.push_back(option_of(setting));
    return rows;
}

/// Calls `use` with each row whose option the command has and the user gave, and with its value.
template <class Owner, class Use>
void for_each_given(const Arguments& arguments, std::span<const SettingRow<Owner>> settings, const Use& use) {
    for (const SettingRow<Owner>& setting : settings) {
        const OptionRow* option = find_option(arguments.command(), setting.name);
        if (option == nullptr || !option->is_setting || !arguments.given(setting.name)) continue;
        use(setting, detail::given_value(arguments, setting.name, setting.field.type, setting.words));
    }
}

/// Sets what the user gave of those settings that the command has as options; the rest stays as the owner has it.
template <class Owner>
void fill_settings(const Arguments& arguments, std::span<const SettingRow<Owner>> settings, Owner& owner) {
    for_each_given(arguments, settings, [&](const auto& setting, double value) { setting.field.set(owner, value); });
}

/// Every setting by its key, in the order of the rows.
template <class Owner> Json settings_json(std::span<const SettingRow<Owner>> settings, const Owner& owner) {
    Json json;
    for (const SettingRow<Owner>& setting : settings) {
        const std::string key = *setting.key == 0 ? detail::key_of_name(setting.name) : setting.key;
        json[key] = detail::value_json(setting.field.type, setting.words, setting.field.get(owner));
    }
    return json;
}

} // namespace tandem
