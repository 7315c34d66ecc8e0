// SPDX-License-Identifier: BSD-2-Clause
#include "tests/bitstream/bit_reader.h"

namespace tandem::test {

std::uint32_t BitReader::read(int count) {
    if (position_ + static_cast<std::size_t>(count) > bytes_.size() * 8) fail("the stream ends in the middle");
    std::uint32_t value = 0;
    for (int i = 0; i < count; ++i, ++position_) {
        value = (value << 1) | ((bytes_[position_ / 8] >> (7 - position_ % 8)) & 1U);
    }
    return value;
}

std::optional<std::uint8_t> BitReader::start_code() const {
    if (!aligned() || byte() + 4 > bytes_.size()) return std::nullopt;
    const auto at = bytes_.subspan(byte(), 4);
    if (at[0] != 0 || at[1] != 0 || at[2] != 1) return std::nullopt;
    return at[3];
}

std::size_t BitReader::next_start_code() {
    while (!aligned())
        expect(!flag(), "a bit before the start code is not 0");
    std::size_t zeros = 0;
    for (; !at_end() && !start_code(); ++zeros)
        expect(read(8) == 0, "there is something before the next start code");
    return zeros;
}

void BitReader::fail(const std::string& what) const {
    throw ParseError("byte " + std::to_string(position_ / 8) + " bit " + std::to_string(position_ % 8) + ": " + what);
}

void VlcTree::add(VlcCode code, int value) {
    std::size_t node = 0;
    for (int bit = code.length - 1; bit >= 0; --bit) {
        if (nodes_[node].value) throw std::logic_error("a code is the beginning of another");
        const auto side = static_cast<std::size_t>((code.bits >> bit) & 1);
        if (nodes_[node].child[side] < 0) {
            nodes_[node].child[side] = static_cast<int>(nodes_.size());
            nodes_.emplace_back();
        }
        node = static_cast<std::size_t>(nodes_[node].child[side]);
    }
    const Node& leaf = nodes_[node];
    if (leaf.value || leaf.child[0] >= 0 || leaf.child[1] >= 0) throw std::logic_error("two codes are not apart");
    nodes_[node].value = value;
}

int VlcTree::read(BitReader& reader, const char* name) const {
    std::size_t node = 0;
    while (!nodes_[node].value) {
        const int child = nodes_[node].child[reader.read(1)];
        if (child < 0) reader.fail(std::string("no code of ") + name);
        node = static_cast<std::size_t>(child);
    }
    return *nodes_[node].value;
}

} // namespace tandem::test
