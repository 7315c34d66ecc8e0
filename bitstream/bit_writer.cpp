// SPDX-License-Identifier: BSD-2-Clause
#include "bitstream/bit_writer.h"

#include <algorithm>
#include <stdexcept>

namespace tandem {

void BitWriter::align() {
    if (pending_bits_ != 0) put(0, 8 - pending_bits_);
}

void BitWriter::start_code(std::uint8_t code) {
    align();
    put(0x00000100U | code, 32);
}

void BitWriter::append(std::span<const std::uint8_t> bytes) {
    if (pending_bits_ != 0) throw std::invalid_argument("BitWriter::append: not at a byte boundary");
    if (bytes.empty()) return;
    make_room(bytes.size());
    std::memcpy(buffer_.data() + written_, bytes.data(), bytes.size());
    written_ += bytes.size();
}

std::span<const std::uint8_t> BitWriter::bytes() {
    align();
    return {buffer_.data(), written_};
}

void BitWriter::clear() {
    written_ = 0;
    pending_bits_ = 0;
}

void BitWriter::grow(std::size_t more) {
    constexpr std::size_t least = 4096;
    buffer_.resize(std::max({least, written_ + more, buffer_.size() * 2}));
}

} // namespace tandem
