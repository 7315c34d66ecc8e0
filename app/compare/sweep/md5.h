// SPDX-License-Identifier: BSD-2-Clause
// MD5 sums, to name files and streams: not a protection against forgery.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tandem {

/// 32 hexadecimal digits, as md5sum prints them.
std::string md5_of(std::span<const std::uint8_t> bytes);
std::string md5_of(std::string_view text);
/// Of a whole file. Throws InputError when it cannot be read; ends early, with the sum so far, at an interrupt.
std::string md5_of_file(const std::string& path);

} // namespace tandem
