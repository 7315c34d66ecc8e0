// SPDX-License-Identifier: BSD-2-Clause
// A setting as a row of a table. The command line, help, reports and checks read the row, so that a new setting is a
// field of a plain struct and a row:
//
//     {.name = "passes", .field = setting_field<SearchParams, &SearchParams::passes>(), .least = 1, .most = 4,
//      .section = "Motion", .help = "How often the search goes over the picture."}
//
// The default is the field's own initialiser.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "me/rows/search_names.h"
#include "video/codec.h"

namespace tandem {

/// What a setting is. A toggle is true or false, a choice an enumeration.
enum class SettingType : std::uint8_t { integer, real, toggle, choice };

/// A word that stands for a value of a setting.
struct SettingWord {
    std::string_view word;
    double value = 0; ///< An enumerator counts as its number, true as 1.
};

/// The words of a row, its first one for a value being the one that help and reports show. (Lists are types of their
/// own, and texts that may be missing are const char*, because GCC 12 cannot make std::vector and std::string_view by
/// the initialiser of a template's member.)
struct SettingWords : std::vector<SettingWord> {
    using std::vector<SettingWord>::vector;
    SettingWords() {}
};

/// Limits that hold where the codec is this one. Where both are equal, the codec does not have the setting.
struct CodecLimits {
    Codec codec{};
    double least = 0, most = 0;
};

struct LimitsInCodecs : std::vector<CodecLimits> {
    using std::vector<CodecLimits>::vector;
    LimitsInCodecs() {}
};

/// Stands for an optional field that has no value.
inline constexpr double no_setting = std::numeric_limits<double>::quiet_NaN();

/// How a field of `Owner` is read and written. Every value is exact as a double.
template <class Owner> struct SettingField {
    SettingType type = SettingType::integer;
    bool is_optional = false; ///< no_setting is a value too.
    std::function<double(const Owner&)> get;
    std::function<void(Owner&, double)> set;
};

template <class Owner> struct SettingRow {
    std::string_view name; ///< Of the option, without dashes.
    SettingField<Owner> field;
    double least = 0, most = 0; ///< Of integers and reals without words.
    SettingWords words{};       ///< A choice has them; a toggle may, and a number, beside its range or instead of one.
    LimitsInCodecs limits_in_codec{};
    std::string_view section; ///< Heading in help.
    std::string_view help;
    const char* argument = "";  ///< What help calls the value; empty: N, F for a real, or the words.
    const char* key = "";       ///< In reports; empty: the name, with _ for -.
    const char* also = "";      ///< Further spellings of the name, with | between them.
    bool changes_stream = true; ///< False: another value gives the same bytes.
    bool is_basic = false;      ///< The short help shows it.

    bool has_range() const { return least < most; }
};

namespace detail {
template <class Value> struct Unwrapped { using type = Value; };
template <class Value> struct Unwrapped<std::optional<Value>> { using type = Value; };

template <class Owner, class Pointer, class... Rest> auto& member_at(Owner& owner, Pointer first, Rest... rest) {
    if constexpr (sizeof...(rest) == 0)
        return owner.*first;
    else
        return member_at(owner.*first, rest...);
}
} // namespace detail

template <class Value> constexpr SettingType setting_type() {
    if constexpr (std::is_enum_v<Value>)
        return SettingType::choice;
    else if constexpr (std::is_same_v<Value, bool>)
        return SettingType::toggle;
    else if constexpr (std::is_floating_point_v<Value>)
        return SettingType::real;
    else
        return SettingType::integer;
}

/// The field that is reached from an owner by one pointer to a member after the other:
/// setting_field<Settings, &Settings::search, &SearchParams::passes>(). It may be a std::optional.
template <class Owner, auto... path> SettingField<Owner> setting_field() {
    using Member = std::remove_cvref_t<decltype(detail::member_at(std::declval<Owner&>(), path...))>;
    using Value = typename detail::Unwrapped<Member>::type;
    constexpr bool is_optional = !std::is_same_v<Member, Value>;
    const auto get = [](const Owner& owner) {
        const Member& member = detail::member_at(owner, path...);
        if constexpr (is_optional)
            return member ? static_cast<double>(*member) : no_setting;
        else
            return static_cast<double>(member);
    };
    const auto set = [](Owner& owner, double value) {
        Member& member = detail::member_at(owner, path...);
        if constexpr (is_optional) {
            if (std::isnan(value)) return member.reset();
        }
        member = static_cast<Value>(value);
    };
    return {setting_type<Value>(), is_optional, get, set};
}

/// The names of a table as words.
template <class Value, std::size_t count> SettingWords words_of(const NameTable<Value, count>& names) {
    SettingWords words;
    for (const auto& [name, value] : names)
        words.push_back({name, static_cast<double>(value)});
    return words;
}

/// The row of a part, as a row of the whole that holds the part in `part`.
template <class Owner, class Part> SettingRow<Owner> row_of_part(const SettingRow<Part>& row, Part Owner::*part) {
    SettingField<Owner> field;
    field.type = row.field.type;
    field.is_optional = row.field.is_optional;
    field.get = [get = row.field.get, part](const Owner& owner) { return get(owner.*part); };
    field.set = [set = row.field.set, part](Owner& owner, double value) { set(owner.*part, value); };
    return {row.name, field,        row.least, row.most, row.words,          row.limits_in_codec, row.section,
            row.help, row.argument, row.key,   row.also, row.changes_stream, row.is_basic};
}

/// "16", "0.25", "nan".
std::string setting_number_text(double value);

/// The first word that stands for the value, or the number; empty for no_setting of an optional field.
std::string setting_value_text(std::span<const SettingWord> words, double value);

/// The value of a word; nothing where no word is this one.
std::optional<double> setting_value_of(std::span<const SettingWord> words, std::string_view word);

/// Nothing, or what is wrong: "qp is 99; it must be 1 to 31".
std::optional<std::string> range_problem(std::string_view name, double value, double least, double most);
/// The same for a value that must have a word.
std::optional<std::string> word_problem(std::string_view name, double value, std::span<const SettingWord> words);

/// What is wrong with the owner's value, its codec's limits aside.
template <class Owner> std::optional<std::string> setting_problem(const SettingRow<Owner>& row, const Owner& owner) {
    const double value = row.field.get(owner);
    const bool is_unset = row.field.is_optional && std::isnan(value);
    if (row.field.type == SettingType::toggle || is_unset) return std::nullopt;
    return row.has_range() ? range_problem(row.name, value, row.least, row.most)
                           : word_problem(row.name, value, row.words);
}

/// Adds a sentence for every value that its row does not allow.
template <class Owner>
void check_settings(std::vector<std::string>& problems, std::span<const SettingRow<Owner>> rows, const Owner& owner) {
    for (const SettingRow<Owner>& row : rows)
        if (auto problem = setting_problem(row, owner)) problems.push_back(std::move(*problem));
}

} // namespace tandem
