// SPDX-License-Identifier: BSD-2-Clause
// me/candidate_list.h for a warp. All lanes call every function with the same arguments but where it says otherwise.
#pragma once

#include "cuda/search_geometry.cuh"
#include "cuda/walk/best_candidate.cuh"
#include "cuda/warp_reduction.cuh"

namespace tandem::cuda {

inline constexpr unsigned whole_warp = 0xFFFFFFFFu;

__device__ inline int packed(Mv mv) { return static_cast<std::uint16_t>(mv.x) | static_cast<int>(mv.y) << 16; }
__device__ inline Mv unpacked(int bits) {
    return {static_cast<std::int16_t>(bits & 0xFFFF), static_cast<std::int16_t>(bits >> 16)};
}

/// The candidate that another lane holds.
__device__ inline Candidate from_lane(const Candidate& own, int lane) {
    return {unpacked(__shfl_sync(whole_warp, packed(own.mv), lane)), __shfl_sync(whole_warp, own.distortion, lane),
            __shfl_sync(whole_warp, own.cost, lane)};
}

/// The best by better() of the candidates that lanes have of their own, in all lanes; Candidate{}: no lane has one.
__device__ inline Candidate best_of_lanes(bool has_one, const Candidate& own) {
    const std::uint32_t cost = least_of(whole_warp, has_one ? own.cost : UINT32_MAX);
    Candidate best;
    unsigned left = __ballot_sync(whole_warp, has_one && own.cost == cost);
    while (left != 0) {
        best = from_lane(own, __ffs(static_cast<int>(left)) - 1);
        left &= __ballot_sync(whole_warp, better(own, best));
    }
    return best;
}

/// Slot i lives in lane i.
class WarpList {
  public:
    __device__ WarpList(int capacity, int lane) : capacity_(capacity), lane_(lane) {}

    __device__ bool empty() const { return size_ == 0; }
    __device__ int size() const { return size_; }
    /// Lanes may ask for different ones.
    __device__ Candidate at(int slot) const { return from_lane(own_, slot); }
    __device__ bool full() const { return size_ == capacity_; }
    __device__ Candidate best() const { return from_lane(own_, 0); }
    __device__ Candidate worst() const { return from_lane(own_, max(size_ - 1, 0)); }
    /// Above it nothing enters.
    __device__ std::uint32_t most_cost() const {
        const std::uint32_t cost = __shfl_sync(whole_warp, own_.cost, max(size_ - 1, 0));
        return full() ? cost : UINT32_MAX;
    }
    __device__ bool contains(Mv mv) const { return holders(mv) != 0; }
    __device__ void clear() { size_ = 0; }

    __device__ void offer(const Candidate& candidate) {
        if (contains(candidate.mv)) return;
        const int rank = __popc(__ballot_sync(whole_warp, lane_ < size_ && better(own_, candidate)));
        if (rank >= capacity_) return;
        const Candidate before = from_lane(own_, max(lane_ - 1, 0));
        if (lane_ > rank) own_ = before;
        if (lane_ == rank) own_ = candidate;
        size_ = min(size_ + 1, capacity_);
    }

    /// Offers each lane's own candidate where it has one that is good enough: the best first, so that few are offered
    /// in vain.
    __device__ void offer_each(bool has_one, const Candidate& own) {
        for (;;) {
            const Candidate last = worst();
            has_one = has_one && (!full() || better(own, last));
            if (__ballot_sync(whole_warp, has_one) == 0) return;
            const Candidate best = best_of_lanes(has_one, own);
            offer(best);
            has_one = has_one && !(own.mv == best.mv);
        }
    }

    /// The same of candidates that are known by their distortions; candidate() is asked only where one may be good
    /// enough.
    template <class Make>
    __device__ void offer_promising(bool has_one, std::uint32_t distortion, const Make& candidate) {
        const std::uint32_t most = most_cost();
        const bool promises = has_one && distortion <= most;
        if (__any_sync(whole_warp, promises)) offer_each(promises, candidate());
    }

    /// Offers a candidate that is worse than all in the list, which is not full.
    __device__ void append(const Candidate& candidate) {
        if (lane_ == size_) own_ = candidate;
        ++size_;
    }

    /// Puts `wanted` in the place of the worst candidate but the best.
    __device__ void force(const Candidate& wanted) { force(wanted, lane_ > 0 && lane_ < size_); }
    /// The same, not in the place of `kept`.
    __device__ void force(const Candidate& wanted, Mv kept) {
        force(wanted, lane_ > 0 && lane_ < size_ && !(own_.mv == kept));
    }

    __device__ void promote(Mv mv) {
        const unsigned found = holders(mv);
        if (found == 0) return;
        const int slot = __ffs(static_cast<int>(found)) - 1;
        const Candidate candidate = from_lane(own_, slot);
        const Candidate before = from_lane(own_, max(lane_ - 1, 0));
        if (lane_ <= slot) own_ = lane_ == 0 ? candidate : before;
    }

    __device__ void store(Candidate* slots) const {
        if (lane_ < capacity_) slots[lane_] = lane_ < size_ ? own_ : Candidate{};
    }

  private:
    __device__ void force(const Candidate& wanted, bool own_is_replaceable) {
        if (contains(wanted.mv)) return;
        if (full()) {
            const unsigned victims = __ballot_sync(whole_warp, own_is_replaceable);
            if (victims == 0) return;
            const int victim = 31 - __clz(static_cast<int>(victims));
            const Candidate after = from_lane(own_, min(lane_ + 1, 31));
            if (lane_ >= victim) own_ = after;
            --size_;
        }
        offer(wanted);
    }
    __device__ unsigned holders(Mv mv) const { return __ballot_sync(whole_warp, lane_ < size_ && own_.mv == mv); }

    Candidate own_;
    int capacity_;
    int size_ = 0;
    int lane_;
};

/// A BestCandidate that all lanes hold.
class WarpBest : public BestCandidate {
  public:
    __device__ WarpBest(int, int lane) : lane_(lane) {}

    __device__ void offer_each(bool has_one, const Candidate& own) {
        has_one = has_one && better(own, best());
        if (__ballot_sync(whole_warp, has_one) != 0) offer(best_of_lanes(has_one, own));
    }
    __device__ void store(Candidate* slots) const {
        if (lane_ == 0) BestCandidate::store(slots);
    }

  private:
    int lane_;
};

} // namespace tandem::cuda
