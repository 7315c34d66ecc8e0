// SPDX-License-Identifier: BSD-2-Clause
// Bits out of bytes, and variable-length codes out of bits, for the tests' parser: plain rather than fast.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "bitstream/mpeg/vlc.h"

namespace tandem::test {

/// A stream that breaks its standard; says at which byte and bit.
class ParseError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Reads the span it is given, which outlives it. Reading past the end is a ParseError.
class BitReader {
  public:
    explicit BitReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    std::size_t position() const { return position_; } ///< In bits.
    std::size_t byte() const { return position_ / 8; }
    bool aligned() const { return position_ % 8 == 0; }
    bool at_end() const { return byte() >= bytes_.size(); }

    /// Unsigned, most significant bit first; 0..32 bits.
    std::uint32_t read(int count);
    bool flag() { return read(1) != 0; }
    void marker_bit() { expect(flag(), "marker_bit is 0"); }
    /// The code of the start code at this byte, if there is one.
    std::optional<std::uint8_t> start_code() const;
    /// next_start_code(): at most 7 zero bits, then whole zero bytes, then a start code or the end of the stream.
    /// Returns how many zero bytes there were.
    std::size_t next_start_code();

    [[noreturn]] void fail(const std::string& what) const;
    void expect(bool holds, const char* what) const {
        if (!holds) fail(what);
    }

  private:
    std::span<const std::uint8_t> bytes_;
    std::size_t position_ = 0;
};

/// A code's binary tree.
class VlcTree {
  public:
    /// std::logic_error where one code is the beginning of another.
    void add(VlcCode code, int value);
    int read(BitReader& reader, const char* name) const;

  private:
    struct Node {
        std::array<int, 2> child{-1, -1};
        std::optional<int> value;
    };
    std::vector<Node> nodes_{1};
};

} // namespace tandem::test
