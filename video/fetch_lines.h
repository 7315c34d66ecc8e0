// SPDX-License-Identifier: BSD-2-Clause
// Asks for samples before they are used, a line of the cache at a time. Planes' rows begin where lines do.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tandem {

enum class Use : std::uint8_t { read, write };

/// Asks for the line in which each row of a block ends, unless the block beside it on the left ends in that line too:
/// then it has been asked for.
template <Use use = Use::read>
inline void fetch_lines(const std::uint8_t* block, std::ptrdiff_t stride, int width, int height) {
    constexpr std::uintptr_t line = 64;
    const std::uint8_t* last = block + width - 1;
    if (reinterpret_cast<std::uintptr_t>(last) % line >= static_cast<std::uintptr_t>(width)) return;
    for (int y = 0; y < height; ++y)
        __builtin_prefetch(last + y * stride, use == Use::write);
}

} // namespace tandem
