// SPDX-License-Identifier: BSD-2-Clause
// Arrays that lie in one piece of memory, so that one copy takes them all.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tandem::cuda {

/// Hands out parts of a piece of memory, one after the other, each at an address that any type can have.
class MemoryParts {
  public:
    explicit MemoryParts(std::uint8_t* memory = nullptr) : memory_(memory) {}
    template <class Element> Element* take(std::size_t count) {
        const std::size_t at = bytes_;
        bytes_ += (count * sizeof(Element) + alignment - 1) / alignment * alignment;
        return memory_ == nullptr ? nullptr : reinterpret_cast<Element*>(memory_ + at);
    }
    std::size_t bytes() const { return bytes_; }

  private:
    static constexpr std::size_t alignment = 256;
    std::uint8_t* memory_;
    std::size_t bytes_ = 0;
};

} // namespace tandem::cuda
