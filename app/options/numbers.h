// SPDX-License-Identifier: BSD-2-Clause
// Numbers from text, read strictly: the whole text, in decimal, inside its limits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "video/frame.h"

namespace tandem {

/// Each throws InputError "NAME VALUE: what it must be"; `name` is the option as the user writes it ("--qp").
/// Whole numbers are an optional minus and digits, without leading zeros (is 010 ten or eight?).
std::int64_t parse_integer(std::string_view name, std::string_view text, std::int64_t least, std::int64_t most);
/// Neither nan nor inf.
double parse_real(std::string_view name, std::string_view text, double least, double most);
/// N or N/D, both from 1 to 1000000000, or a decimal fraction: see rate_of_decimal().
/// N:D or N/D in whole numbers, as aspects are written.
Rational parse_aspect(std::string_view name, std::string_view text);

/// Seconds of "90", "12.5", "1:23.5" or "1:02:03".
double parse_time(std::string_view name, std::string_view text);

/// A place in a clip: a whole number of pictures, or where there is a point or a colon a time.
struct ClipPlace {
    std::int64_t pictures = 0;
    double seconds = 0;
};
ClipPlace parse_place(std::string_view name, std::string_view text, std::int64_t most);

Rational parse_ratio(std::string_view name, std::string_view text);
/// WxH, both from least to most.
std::pair<int, int> parse_size(std::string_view name, std::string_view text, int least, int most);
/// X,Y, both from least to most.
std::pair<double, double> parse_pair(std::string_view name, std::string_view text, double least, double most);
/// N (for both) or X,Y, whole numbers from least to most; nothing for the word "picture".
std::optional<std::pair<int, int>> parse_range(std::string_view name, std::string_view text, int least, int most);

/// A number as short as it can be written: "16", "0.25".
std::string number_text(double value);

} // namespace tandem
