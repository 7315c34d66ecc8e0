// SPDX-License-Identifier: BSD-2-Clause
// The best candidates of one block: the one place where a candidate replaces another.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "me/motion.h"

namespace tandem {

inline constexpr int most_candidates = 16;

/// Keeps the `capacity` best distinct candidates of those offered, best first by better(). Since better() is a total
/// order of distinct vectors, what it keeps does not depend on the order of the offers.
class CandidateList {
  public:
    /// `capacity`: 1..most_candidates.
    explicit CandidateList(int capacity) : capacity_(capacity) {}

    int size() const { return size_; }
    bool empty() const { return size_ == 0; }
    bool full() const { return size_ > 0 && size_ == capacity_; } // The first for GCC 13, which else sees index -1.
    const Candidate& best() const { return kept_[0]; }
    const Candidate& operator[](int index) const { return kept_[static_cast<std::size_t>(index)]; }
    /// A candidate whose cost is above this cannot enter; one of equal cost may.
    std::uint32_t threshold() const { return full() ? kept_[static_cast<std::size_t>(size_ - 1)].cost : UINT32_MAX; }
    bool contains(Mv mv) const {
        return std::any_of(kept_.begin(), kept_.begin() + size_, [mv](const Candidate& c) { return c.mv == mv; });
    }

    /// True when the candidate is the new best. A vector has the same cost whenever it is offered, so that it would
    /// stand next to itself.
    bool offer(const Candidate& candidate) {
        if (full() && !better(candidate, kept_[static_cast<std::size_t>(size_ - 1)])) return false;
        auto slot = static_cast<std::size_t>(size_);
        while (slot > 0 && better(candidate, kept_[slot - 1]))
            --slot;
        if (slot > 0 && kept_[slot - 1].mv == candidate.mv) return false;
        if (!full()) ++size_;
        for (auto i = static_cast<std::size_t>(size_ - 1); i > slot; --i)
            kept_[i] = kept_[i - 1];
        kept_[slot] = candidate;
        return slot == 0;
    }

    /// Puts `wanted` among the candidates whatever its cost, in the place of the worst one that is neither the best nor
    /// in `kept`; does nothing when there is no such place. Keeps the order of better().
    void force(const Candidate& wanted, std::span<const Candidate> kept) {
        if (contains(wanted.mv)) return;
        if (full()) {
            int victim = size_ - 1;
            const auto is_kept = [&](const Candidate& c) {
                return std::any_of(kept.begin(), kept.end(), [&](const Candidate& k) { return k.mv == c.mv; });
            };
            while (victim > 0 && is_kept((*this)[victim]))
                --victim;
            if (victim == 0) return;
            std::move(kept_.begin() + victim + 1, kept_.begin() + size_, kept_.begin() + victim);
            --size_;
        }
        offer(wanted);
    }

    /// Moves the candidate of this vector to the front, where it is one of the list's.
    void promote(Mv mv) {
        const auto end = kept_.begin() + size_;
        const auto found = std::find_if(kept_.begin(), end, [mv](const Candidate& c) { return c.mv == mv; });
        if (found != end) std::rotate(kept_.begin(), found, found + 1);
    }

    /// Writes the candidates and empty slots after them.
    void store(std::span<Candidate> slots) const {
        std::fill(std::copy(kept_.begin(), kept_.begin() + size_, slots.begin()), slots.end(), Candidate{});
    }

  private:
    std::array<Candidate, most_candidates> kept_{};
    int capacity_ = 1;
    int size_ = 0;
};

} // namespace tandem
