// SPDX-License-Identifier: BSD-2-Clause
// Bits into bytes, most significant first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace tandem {

/// Appends to a byte buffer that it owns. At most 32 bits a call.
///
///     BitWriter out;
///     out.start_code(0xB8);
///     out.put(5, 3);                // 101
///     write_all(out.bytes());       // 00 00 01 B8 A0
class BitWriter {
  public:
    /// The low `count` bits of `value`, 0..32; bits above them must be zero.
    void put(std::uint32_t value, int count);
    /// Zero bits up to the next byte boundary.
    void align();
    /// next_start_code(): aligns, then 00 00 01 and the code.
    void start_code(std::uint8_t code);
    /// Bits written so far.
    std::uint64_t bit_count() const { return written_ * 8 + static_cast<std::uint64_t>(pending_bits_); }
    /// Whole bytes after what is written, which must end at a byte boundary; std::invalid_argument where it does not
    /// (a slice coded apart starts with a start code, and that is never in the middle of a byte). `bytes` is not this
    /// writer's own buffer.
    void append(std::span<const std::uint8_t> bytes);
    /// Everything written; aligns first. Valid until the next call of any other member.
    std::span<const std::uint8_t> bytes();
    /// Forgets what is written and keeps the memory.
    void clear();

    class Burst;

  private:
    /// put() stores eight bytes and moves on by the whole ones among them.
    static constexpr std::size_t store_bytes = 8;

    void make_room(std::size_t more) {
        if (buffer_.size() - written_ < more) grow(more);
    }
    void grow(std::size_t more);

    std::vector<std::uint8_t> buffer_; ///< Its size is the room there is; written_ of it are used.
    std::size_t written_ = 0;
    std::uint64_t pending_ = 0; ///< The low pending_bits_ of it are not yet among the written_ bytes.
    int pending_bits_ = 0;      ///< 0..7 between calls.
};

/// A stretch of writing whose room is made once: put() checks nothing, and a compiler keeps the state in registers,
/// which it cannot do for a BitWriter because stores of bytes may alias its members. The writer is not to be touched
/// while a Burst on it lives.
class BitWriter::Burst {
  public:
    /// Room for `most_bytes` bytes, all that this burst will write.
    Burst(BitWriter& writer, std::size_t most_bytes) : writer_(writer) {
        writer.make_room(most_bytes + store_bytes);
        start();
    }
    ~Burst() {
        writer_.written_ = static_cast<std::size_t>(cursor_ - writer_.buffer_.data());
        writer_.pending_ = pending_;
        writer_.pending_bits_ = pending_bits_;
    }
    Burst(const Burst&) = delete;
    Burst& operator=(const Burst&) = delete;

    /// The low `count` bits of `value`, 1..56; bits above them must be zero.
    void put(std::uint64_t value, int count) {
        pending_ = (pending_ << count) | value;
        pending_bits_ += count;
        // Always store, then move on by the whole bytes: a branch on "is a word full" is taken at random and costs
        // more than the stores.
        store(cursor_, pending_ << (64 - pending_bits_));
        cursor_ += pending_bits_ >> 3;
        pending_bits_ &= 7;
    }
    /// Bits of the whole writer so far.
    std::uint64_t bit_count() const {
        return static_cast<std::uint64_t>(cursor_ - writer_.buffer_.data()) * 8 +
               static_cast<std::uint64_t>(pending_bits_);
    }

  private:
    friend class BitWriter;
    explicit Burst(BitWriter& writer) : writer_(writer) { start(); }
    void start() {
        cursor_ = writer_.buffer_.data() + writer_.written_;
        pending_ = writer_.pending_;
        pending_bits_ = writer_.pending_bits_;
    }
    static void store(std::uint8_t* at, std::uint64_t word) {
        const std::uint8_t bytes[store_bytes] = {
            static_cast<std::uint8_t>(word >> 56), static_cast<std::uint8_t>(word >> 48),
            static_cast<std::uint8_t>(word >> 40), static_cast<std::uint8_t>(word >> 32),
            static_cast<std::uint8_t>(word >> 24), static_cast<std::uint8_t>(word >> 16),
            static_cast<std::uint8_t>(word >> 8),  static_cast<std::uint8_t>(word)};
        std::memcpy(at, bytes, store_bytes);
    }

    BitWriter& writer_;
    std::uint8_t* cursor_;
    std::uint64_t pending_;
    int pending_bits_;
};

inline void BitWriter::put(std::uint32_t value, int count) {
    if (count == 0) return;
    make_room(store_bytes);
    Burst burst(*this);
    burst.put(value, count);
}

} // namespace tandem
