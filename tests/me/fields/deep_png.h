// SPDX-License-Identifier: BSD-2-Clause
// PNG files of 16 bits a channel, written plainly (ISO/IEC 15948): no filter, nothing compressed.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tandem::test {

inline std::string big_endian(std::uint32_t value) {
    return {static_cast<char>(value >> 24), static_cast<char>(value >> 16), static_cast<char>(value >> 8),
            static_cast<char>(value)};
}

/// Annex D: CRC of a chunk's kind and data.
inline std::uint32_t png_checksum(std::string_view bytes) {
    std::uint32_t sum = 0xFFFFFFFFu;
    for (const char byte : bytes) {
        sum ^= static_cast<std::uint8_t>(byte);
        for (int bit = 0; bit < 8; ++bit)
            sum = (sum & 1) != 0 ? 0xEDB88320u ^ sum >> 1 : sum >> 1;
    }
    return ~sum;
}

inline std::string png_chunk(const std::string& kind, const std::string& data) {
    return big_endian(static_cast<std::uint32_t>(data.size())) + kind + data + big_endian(png_checksum(kind + data));
}

/// A zlib stream of stored blocks (RFC 1950 and 1951).
inline std::string stored(const std::string& bytes) {
    constexpr std::size_t most = 65535;
    std::string stream = "\x78\x01";
    std::uint32_t a = 1, b = 0;
    for (const char byte : bytes) {
        a = (a + static_cast<std::uint8_t>(byte)) % 65521;
        b = (b + a) % 65521;
    }
    for (std::size_t at = 0; at < bytes.size(); at += most) {
        const std::size_t size = std::min(most, bytes.size() - at);
        stream += at + size == bytes.size() ? '\1' : '\0';
        for (const std::size_t word : {size, ~size})
            stream += {static_cast<char>(word), static_cast<char>(word >> 8)};
        stream += bytes.substr(at, size);
    }
    return stream + big_endian(b << 16 | a);
}

/// Red, green and blue of each pel; no pels: all are 0. `depth`: 16, or 8, of which only black can be written.
inline std::string deep_png(int columns, int rows, std::vector<std::array<std::uint16_t, 3>> pels, int depth = 16) {
    pels.resize(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows));
    std::string bytes;
    for (std::size_t i = 0; i < pels.size(); ++i) {
        if (i % static_cast<std::size_t>(columns) == 0) bytes += '\0';
        for (const std::uint16_t value : pels[i]) {
            if (depth == 16) bytes += static_cast<char>(value >> 8);
            bytes += static_cast<char>(value);
        }
    }
    const std::string header = big_endian(static_cast<std::uint32_t>(columns)) +
                               big_endian(static_cast<std::uint32_t>(rows)) + static_cast<char>(depth) +
                               std::string("\2\0\0\0", 4);
    return "\x89PNG\r\n\x1a\n" + png_chunk("IHDR", header) + png_chunk("IDAT", stored(bytes)) + png_chunk("IEND", "");
}

} // namespace tandem::test
