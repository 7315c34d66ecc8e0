// SPDX-License-Identifier: BSD-2-Clause
#include "bitstream/bit_writer.h"

namespace tandem {

void BitWriter::align() {
    if (pending_bits_ % 8 != 0) put(0, 8 - pending_bits_ % 8);
}

void BitWriter::start_code(std::uint8_t code) {
    align();
    put(0x000001, 24);
    put(code, 8);
}

void BitWriter::append(std::span<const std::uint8_t> bytes) {
    const auto before = this->bytes();
    (void)before;
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
}

std::span<const std::uint8_t> BitWriter::bytes() {
    align();
    for (; pending_bits_ > 0; pending_bits_ -= 8) {
        bytes_.push_back(static_cast<std::uint8_t>(pending_ >> (pending_bits_ - 8)));
    }
    return bytes_;
}

void BitWriter::clear() {
    bytes_.clear();
    pending_bits_ = 0;
}

} // namespace tandem
