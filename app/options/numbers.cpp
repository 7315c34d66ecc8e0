// SPDX-License-Identifier: BSD-2-Clause
#include "app/options/numbers.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "machine/errors.h"
#include "video/frame_rate.h"

namespace tandem {
namespace {

[[noreturn]] void refuse(std::string_view name, std::string_view text, const std::string& wanted) {
    throw InputError(fmt::format("{} {}: must be {}", name, text.empty() ? "(empty)" : text, wanted));
}

bool has_leading_zero(std::string_view text) {
    if (text.starts_with('-')) text.remove_prefix(1);
    return text.size() > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9';
}

/// Nothing when the text is not wholly a number of this kind, or too large for it.
template <class Number> std::optional<Number> whole_number(std::string_view text) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || has_leading_zero(text)) return std::nullopt;
    return value;
}

/// What stands before the first `mark` and after it; without one there is nothing after it.
std::pair<std::string_view, std::string_view> cut_at(std::string_view text, char mark) {
    const std::size_t place = std::min(text.find(mark), text.size());
    return {text.substr(0, place), text.substr(std::min(place + 1, text.size()))};
}

/// Of "12.5"; nothing for what is no such number with one to six digits after the point.
std::optional<Rational> decimal_fraction(std::string_view text) {
    const auto [before, after] = cut_at(text, '.');
    const auto whole = whole_number<std::int64_t>(before);
    const bool is_digits = std::ranges::all_of(after, [](char c) { return c >= '0' && c <= '9'; });
    if (!whole || before.starts_with('-') || *whole > 1'000'000 || !is_digits || after.empty() || after.size() > 6)
        return std::nullopt;
    Rational value{*whole, 1};
    for (const char digit : after)
        value = {10 * value.numerator + (digit - '0'), 10 * value.denominator};
    const std::int64_t divisor = std::gcd(value.numerator, value.denominator);
    return Rational{value.numerator / divisor, value.denominator / divisor};
}

/// The last part of a time, where "03" and "3.50" are as good as "3" and "3.5".
std::optional<double> seconds_of(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
    const bool is_number = !text.empty() && text.find_first_not_of("0123456789.") == text.npos;
    return is_number && error == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

} // namespace

std::string number_text(double value) { return fmt::format("{}", value); }

std::int64_t parse_integer(std::string_view name, std::string_view text, std::int64_t least, std::int64_t most) {
    const auto value = whole_number<std::int64_t>(text);
    if (!value || *value < least || *value > most)
        refuse(name, text, fmt::format("a whole number from {} to {}", least, most));
    return *value;
}

double parse_real(std::string_view name, std::string_view text, double least, double most) {
    const auto value = whole_number<double>(text);
    if (!value || !std::isfinite(*value) || *value < least || *value > most)
        refuse(name, text, fmt::format("a number from {} to {}", least, most));
    return *value;
}

Rational parse_ratio(std::string_view name, std::string_view text) {
    constexpr std::int64_t most = 1000000000;
    if (const auto decimal = decimal_fraction(text);
        decimal && decimal->numerator > 0 && decimal->numerator <= most && decimal->denominator <= most)
        return rate_of_decimal(*decimal);
    const std::size_t slash = text.find('/');
    const auto numerator = whole_number<std::int64_t>(text.substr(0, slash));
    const auto denominator =
        slash == std::string_view::npos ? std::int64_t{1} : whole_number<std::int64_t>(text.substr(slash + 1));
    const auto good = [](const std::optional<std::int64_t>& value) { return value && *value >= 1 && *value <= most; };
    if (!good(numerator) || !good(denominator))
        refuse(name, text, fmt::format("N or N/D in whole numbers from 1 to {}, such as 25, 30000/1001 or 12.5", most));
    const std::int64_t divisor = std::gcd(*numerator, *denominator);
    return {*numerator / divisor, *denominator / divisor};
}

Rational parse_aspect(std::string_view name, std::string_view text) {
    constexpr int most = 100000;
    const std::size_t mark = std::min(text.find_first_of(":/"), text.size());
    const int wide = whole_number<int>(text.substr(0, mark)).value_or(0);
    const int high = whole_number<int>(text.substr(std::min(mark + 1, text.size()))).value_or(0);
    if (wide < 1 || wide > most || high < 1 || high > most)
        refuse(name, text, fmt::format("N:D in whole numbers from 1 to {}, such as 16:9", most));
    return {wide, high};
}

double parse_time(std::string_view name, std::string_view text) {
    constexpr double most = 1e6;
    double seconds = 0;
    int parts = 0;
    for (std::string_view rest = text; parts == 0 || !rest.empty(); ++parts) {
        const auto [part, after] = cut_at(rest, ':');
        const bool is_last = part.size() == rest.size();
        const auto value = seconds_of(part);
        const bool is_good = value && *value >= 0 && *value <= most && (parts == 0 || *value < 60) && parts < 3;
        if (!is_good || (!is_last && (part.find('.') != part.npos || after.empty())))
            refuse(name, text, "a time: seconds, M:S or H:M:S, such as 90, 12.5 or 1:23.5");
        seconds = 60 * seconds + *value;
        rest = after;
    }
    return seconds;
}

ClipPlace parse_place(std::string_view name, std::string_view text, std::int64_t most) {
    if (text.find_first_of(".:") != text.npos) return {0, parse_time(name, text)};
    const auto value = whole_number<std::int64_t>(text);
    if (!value || *value < 0 || *value > most)
        refuse(name, text,
               fmt::format("a whole number of pictures from 0 to {}, or a time such as 12.5 or 1:23.5", most));
    return {*value, 0};
}

std::pair<int, int> parse_size(std::string_view name, std::string_view text, int least, int most) {
    const auto [first, second] = cut_at(text, 'x');
    const int width = whole_number<int>(first).value_or(0), height = whole_number<int>(second).value_or(0);
    if (std::min(width, height) < least || std::max(width, height) > most)
        refuse(name, text,
               fmt::format("WIDTHxHEIGHT, both whole numbers from {} to {}, such as {}", least, most,
                           most < 352 ? "16x16" : "352x288"));
    return {width, height};
}

std::pair<double, double> parse_pair(std::string_view name, std::string_view text, double least, double most) {
    constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
    const auto [first, second] = cut_at(text, ',');
    const double x = whole_number<double>(first).value_or(nothing), y = whole_number<double>(second).value_or(nothing);
    // No comparison holds for nan, and none of these for inf.
    if (!(x >= least && x <= most && y >= least && y <= most))
        refuse(name, text, fmt::format("X,Y, both numbers from {} to {}", least, most));
    return {x, y};
}

std::optional<std::pair<int, int>> parse_range(std::string_view name, std::string_view text, int least, int most) {
    if (text == "picture") return std::nullopt;
    const auto [first, second] = cut_at(text, ',');
    const auto x = whole_number<int>(first);
    const auto y = first.size() == text.size() ? x : whole_number<int>(second);
    const auto good = [&](const std::optional<int>& value) { return value && *value >= least && *value <= most; };
    if (!good(x) || !good(y)) {
        refuse(name, text, fmt::format("N or X,Y, whole numbers from {} to {}, or the word picture", least, most));
    }
    return std::pair{*x, *y};
}

} // namespace tandem
