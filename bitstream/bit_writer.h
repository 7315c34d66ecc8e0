// SPDX-License-Identifier: BSD-2-Clause
// Bits into bytes, most significant first.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tandem {

/// Appends to a byte buffer that it owns. At most 32 bits a call.
class BitWriter {
  public:
    /// The low `count` bits of `value`, 0..32; bits above them must be zero.
    void put(std::uint32_t value, int count) {
        pending_ = (pending_ << count) | value;
        pending_bits_ += count;
        if (pending_bits_ >= 32) flush_word();
    }
    /// Zero bits up to the next byte boundary.
    void align();
    /// next_start_code(): aligns, then 00 00 01 and the code.
    void start_code(std::uint8_t code);
    /// Bits written so far.
    std::uint64_t bit_count() const { return bytes_.size() * 8 + static_cast<std::uint64_t>(pending_bits_); }
    void append(std::span<const std::uint8_t> bytes); ///< Must be aligned.
    /// Everything written; aligns first. Valid until the next call.
    std::span<const std::uint8_t> bytes();
    void clear();

  private:
    void flush_word() {
        const auto word = static_cast<std::uint32_t>(pending_ >> (pending_bits_ - 32));
        const std::uint8_t four[4] = {static_cast<std::uint8_t>(word >> 24), static_cast<std::uint8_t>(word >> 16),
                                      static_cast<std::uint8_t>(word >> 8), static_cast<std::uint8_t>(word)};
        bytes_.insert(bytes_.end(), four, four + 4);
        pending_bits_ -= 32;
    }
    std::vector<std::uint8_t> bytes_;
    std::uint64_t pending_ = 0; ///< The last pending_bits_ (below 32 between calls) are not yet in bytes_.
    int pending_bits_ = 0;
};

} // namespace tandem
