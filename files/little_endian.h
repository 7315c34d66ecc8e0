// SPDX-License-Identifier: BSD-2-Clause
// Numbers as bytes in files, the least significant byte first, whatever the machine's own order.
//
//     std::vector<std::uint8_t> bytes;
//     append_little_endian(bytes, std::int16_t{-2});
//     read_little_endian<std::int16_t>(bytes.data()); // -2
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace tandem {

/// The unsigned integer with as many bytes as T.
template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 1, std::uint8_t,
                                  std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                                     std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

/// Appends an integer or a floating-point number.
template <class T> void append_little_endian(std::vector<std::uint8_t>& to, T value) {
    const auto bits = std::bit_cast<BitsOf<T>>(value);
    for (std::size_t i = 0; i < sizeof(T); ++i)
        to.push_back(static_cast<std::uint8_t>(bits >> (8 * i)));
}

/// The number in sizeof(T) bytes from `from` on.
template <class T> T read_little_endian(const std::uint8_t* from) {
    BitsOf<T> bits = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
        bits = static_cast<BitsOf<T>>(bits | static_cast<BitsOf<T>>(BitsOf<T>{from[i]} << (8 * i)));
    return std::bit_cast<T>(bits);
}

} // namespace tandem
