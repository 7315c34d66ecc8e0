// SPDX-License-Identifier: BSD-2-Clause
// Costs of macroblocks, in raster order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>

#include "me/motion.h"
#include "video/sample_memory.h"

namespace tandem {

/// The cost of a macroblock predicted from one picture.
struct PredictedCost {
    std::uint32_t cost = 0; ///< In the units of whoever measured it, with the vector's bits.
    Mv mv;                  ///< In eighth-pels of the coded picture: prediction(p) = reference(p + mv).
    bool operator==(const PredictedCost&) const = default;
};

/// A piece of memory for several arrays of costs, so that one copy brings all of them from a device.
class CostMemory {
  public:
    /// Uninitialised.
    explicit CostMemory(std::size_t bytes) : memory_(bytes), room_(bytes) {}
    std::uint8_t* data() const { return memory_.data(); }
    /// Of the arrays so far, each of which begins at an address that any type can have.
    std::size_t bytes() const { return bytes_; }

    /// What an array takes.
    template <class Cost> static std::size_t bytes_of(std::size_t count) {
        return (count * sizeof(Cost) + alignment - 1) / alignment * alignment;
    }
    /// The next array. Throws std::logic_error where there is no room for it.
    template <class Cost> Cost* take(std::size_t count) {
        const std::size_t at = bytes_;
        if (bytes_of<Cost>(count) > room_ - at) throw std::logic_error("more costs than their memory has room for");
        bytes_ += bytes_of<Cost>(count);
        return reinterpret_cast<Cost*>(memory_.data() + at);
    }

  private:
    static constexpr std::size_t alignment = 64;
    SampleMemory memory_;
    std::size_t room_, bytes_ = 0;
};

/// An array in a CostMemory, which it keeps. `Cost` is a plain struct or number.
template <class Cost> class CostArray {
  public:
    /// In memory of its own.
    explicit CostArray(std::size_t count, const Cost& value = {})
        : CostArray(std::make_shared<CostMemory>(CostMemory::bytes_of<Cost>(count)), count) {
        std::fill(begin(), end(), value);
    }
    /// Uninitialised.
    CostArray(std::shared_ptr<CostMemory> memory, std::size_t count)
        : memory_(std::move(memory)), first_(memory_->take<Cost>(count)), count_(count) {}
    CostArray(const CostArray&) = delete;
    CostArray& operator=(const CostArray&) = delete;
    CostArray(CostArray&&) = default;
    CostArray& operator=(CostArray&&) = default;

    const std::shared_ptr<CostMemory>& memory() const { return memory_; }
    std::size_t size() const { return count_; }
    Cost* data() { return first_; }
    const Cost* data() const { return first_; }
    Cost* begin() { return first_; }
    Cost* end() { return first_ + count_; }
    const Cost* begin() const { return first_; }
    const Cost* end() const { return first_ + count_; }
    Cost& operator[](std::size_t macroblock) { return first_[macroblock]; }
    const Cost& operator[](std::size_t macroblock) const { return first_[macroblock]; }
    friend bool operator==(const CostArray& a, const CostArray& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end());
    }

  private:
    std::shared_ptr<CostMemory> memory_;
    Cost* first_;
    std::size_t count_;
};

using Costs = CostArray<std::uint32_t>;
using PredictedCosts = CostArray<PredictedCost>;
using CostsPtr = std::shared_ptr<const Costs>;
using PredictedCostsPtr = std::shared_ptr<const PredictedCosts>;

} // namespace tandem
