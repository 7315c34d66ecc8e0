// SPDX-License-Identifier: BSD-2-Clause
#include "app/view/mpeg_buffer.h"

#include "bitstream/mpeg/mpeg_picture.h"

namespace tandem {
namespace {

constexpr std::uint8_t sequence_header = 0xB3, extension = 0xB5;

/// What follows the first start code with this value; empty where there is none.
std::span<const std::uint8_t> behind_start_code(std::span<const std::uint8_t> bytes, std::uint8_t value) {
    for (std::size_t at = 0; at + 4 <= bytes.size(); ++at) {
        if (bytes[at] == 0 && bytes[at + 1] == 0 && bytes[at + 2] == 1 && bytes[at + 3] == value)
            return bytes.subspan(at + 4);
    }
    return {};
}

/// `count` bits from bit number `first` on.
std::int64_t field(std::span<const std::uint8_t> bytes, std::size_t first, std::size_t count) {
    std::int64_t value = 0;
    for (std::size_t bit = first; bit < first + count; ++bit)
        value = value * 2 + (bytes[bit / 8] >> (7 - bit % 8) & 1);
    return value;
}

} // namespace

std::optional<VbvDescription> declared_mpeg_buffer(std::string_view codec, std::span<const std::uint8_t> bytes,
                                                   Rational pictures_per_second) {
    constexpr std::size_t header_bytes = 8, extension_bytes = 5;
    constexpr std::int64_t rate_unit_bits = 400, buffer_unit_bits = 16384, sequence_extension = 1;
    if (codec != "mpeg1video" && codec != "mpeg2video") return std::nullopt;
    const auto header = behind_start_code(bytes, sequence_header);
    if (header.size() < header_bytes) return std::nullopt;
    // Two sizes of 12 bits, two codes of 4, bit_rate_value, a marker, vbv_buffer_size_value.
    std::int64_t rate = field(header, 32, 18), size = field(header, 51, 10);
    const auto more = behind_start_code(header, extension);
    const bool is_extended = more.size() >= extension_bytes && field(more, 0, 4) == sequence_extension;
    if (is_extended) {
        // Id, profile and level 8, progressive 1, chroma 2, sizes 2 and 2, bit_rate_extension, a marker, vbv's.
        rate += field(more, 19, 12) << 18;
        size += field(more, 32, 8) << 10;
    }
    // MPEG-1 has a value for a rate that varies, and others write it in MPEG-2 too.
    if (rate == 0 || rate == std::int64_t{variable_bit_rate} || size == 0) return std::nullopt;
    VbvDescription buffer;
    buffer.bits_per_second = rate_unit_bits * rate;
    buffer.buffer_bits = buffer.initial_bits = buffer_unit_bits * size;
    buffer.pictures_per_second = pictures_per_second;
    return buffer;
}

} // namespace tandem
