// SPDX-License-Identifier: BSD-2-Clause
// A warp that works on one macroblock or one slice, as one object. The functions beside it are written once: a kernel
// runs them with the 32 threads of a warp, and the host with a loop in the place of each step, so that what they
// compute is tested on machines without a GPU.
//
// Between the steps every thread runs the same code on the same values; what threads find on their own they leave in
// memory that the warp shares, and a step ends when all of it is there.
#pragma once

#include <bit>
#include <cstdint>

#include "me/motion.h"

/// Before a loop that a kernel is to have once in its text: what does not fit into the caches of instructions is waited
/// for; and before one whose turns are to wait for memory together.
#ifdef __CUDA_ARCH__
#define TANDEM_ROLLED _Pragma("unroll 1")
#define TANDEM_UNROLLED _Pragma("unroll")
#else
#define TANDEM_ROLLED
#define TANDEM_UNROLLED
#endif

namespace tandem::cuda {

class Lanes {
  public:
    static constexpr int count = 32;

    Lanes() = default;
    /// Host alone: steps in falling order, which must not matter.
    explicit Lanes(bool backwards) : backwards_(backwards) {}

    /// A step: work(item) for 0 .. items - 1, in any order.
    template <class Work> TANDEM_HOST_DEVICE void each(int items, const Work& work) const {
#ifdef __CUDA_ARCH__
        TANDEM_ROLLED
        for (int item = own(); item < items; item += count)
            work(item);
        __syncwarp();
#else
        for (int item = 0; item < items; ++item)
            work(backwards_ ? items - 1 - item : item);
#endif
    }

    /// A step of one thread.
    template <class Work> TANDEM_HOST_DEVICE void once(const Work& work) const {
        each(1, [&](int) { work(); });
    }

    /// A step: the sum of value(item).
    template <class Value> TANDEM_HOST_DEVICE std::uint32_t sum(int items, const Value& value) const {
        std::uint32_t total = 0;
#ifdef __CUDA_ARCH__
        TANDEM_ROLLED
        for (int item = own(); item < items; item += count)
            total += value(item);
        __syncwarp();
        return reduced(total);
#else
        each(items, [&](int item) { total += value(item); });
        return total;
#endif
    }

    /// A step: the least value(item).
    template <class Value> TANDEM_HOST_DEVICE std::uint32_t least(int items, const Value& value) const {
        std::uint32_t found = UINT32_MAX;
#ifdef __CUDA_ARCH__
        TANDEM_ROLLED
        for (int item = own(); item < items; item += count)
            found = min(found, value(item));
        __syncwarp();
        return least_of_all(found);
#else
        each(items, [&](int item) {
            const std::uint32_t other = value(item);
            found = other < found ? other : found;
        });
        return found;
#endif
    }

    /// A step: adds up `sums` sums at a time: add(item, parts) adds its own to parts[0 .. sums - 1].
    template <int sums, class Add>
    TANDEM_HOST_DEVICE void add_up(int items, const Add& add, std::uint32_t (&totals)[sums]) const {
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
        for (int i = 0; i < sums; ++i)
            totals[i] = 0;
#ifdef __CUDA_ARCH__
        TANDEM_ROLLED
        for (int item = own(); item < items; item += count)
            add(item, totals);
        __syncwarp();
#pragma unroll
        for (int i = 0; i < sums; ++i)
            totals[i] = reduced(totals[i]);
#else
        each(items, [&](int item) { add(item, totals); });
#endif
    }

    /// A step: whether holds(item) for one of at most 32 items.
    template <class Holds> TANDEM_HOST_DEVICE bool any(int items, const Holds& holds) const {
#ifdef __CUDA_ARCH__
        const bool held = own() < items && holds(own());
        __syncwarp();
        return __any_sync(all, held) != 0;
#else
        bool found = false;
        each(items, [&](int item) { found = found || holds(item); });
        return found;
#endif
    }

    /// A step of 64 items: bit `item` is whether holds(item).
    template <class Holds> TANDEM_HOST_DEVICE std::uint64_t mask64(const Holds& holds) const {
#ifdef __CUDA_ARCH__
        const unsigned low = __ballot_sync(all, holds(own()));
        const unsigned high = __ballot_sync(all, holds(own() + count));
        __syncwarp();
        return static_cast<std::uint64_t>(high) << 32 | low;
#else
        std::uint64_t mask = 0;
        each(64, [&](int item) { mask |= static_cast<std::uint64_t>(holds(item)) << item; });
        return mask;
#endif
    }

    /// A step: the best of candidate(item) for at most 32 items, by better(); one without a vector is none.
    template <class Find> TANDEM_HOST_DEVICE Candidate best(int items, const Find& candidate) const {
        Candidate found;
#ifdef __CUDA_ARCH__
        if (own() < items) found = candidate(own());
        __syncwarp();
        const std::uint32_t least = least_of_all(found.cost);
        const unsigned holders = __ballot_sync(all, found.cost == least);
        Candidate first = from(found, __ffs(static_cast<int>(holders)) - 1);
        for (unsigned left = holders & (holders - 1); left != 0; left &= left - 1) {
            const Candidate other = from(found, __ffs(static_cast<int>(left)) - 1);
            if (better(other, first)) first = other;
        }
        return first;
#else
        each(items, [&](int item) {
            const Candidate other = candidate(item);
            if (better(other, found)) found = other;
        });
        return found;
#endif
    }

    /// Adds to a number that all warps share; what it was before.
    TANDEM_HOST_DEVICE std::uint32_t reserve(std::uint32_t* shared, std::uint32_t amount) const {
#ifdef __CUDA_ARCH__
        std::uint32_t before = 0;
        if (own() == 0) before = atomicAdd(shared, amount);
        return __shfl_sync(all, before, 0);
#else
        const std::uint32_t before = *shared;
        *shared += amount;
        return before;
#endif
    }

  private:
#ifdef __CUDACC__
    static constexpr unsigned all = 0xFFFFFFFFu;
#endif
#ifdef __CUDA_ARCH__
    __device__ static int own() { return static_cast<int>(threadIdx.x) % count; }
    __device__ static std::uint32_t reduced(std::uint32_t value) {
#if __CUDA_ARCH__ >= 800
        return __reduce_add_sync(all, value);
#else
        for (int step = count / 2; step > 0; step /= 2)
            value += __shfl_xor_sync(all, value, step);
        return value;
#endif
    }
    __device__ static std::uint32_t least_of_all(std::uint32_t value) {
#if __CUDA_ARCH__ >= 800
        return __reduce_min_sync(all, value);
#else
        for (int step = count / 2; step > 0; step /= 2)
            value = min(value, __shfl_xor_sync(all, value, step));
        return value;
#endif
    }
    __device__ static Candidate from(const Candidate& own, int lane) {
        const unsigned bits =
            static_cast<std::uint16_t>(own.mv.x) | static_cast<unsigned>(static_cast<std::uint16_t>(own.mv.y)) << 16;
        const unsigned told = __shfl_sync(all, bits, lane);
        return {{static_cast<std::int16_t>(told & 0xFFFF), static_cast<std::int16_t>(told >> 16)},
                __shfl_sync(all, own.distortion, lane),
                __shfl_sync(all, own.cost, lane)};
    }
#endif
    bool backwards_ = false;
};

/// Several warps that work on one slice. On a device they are a group's first ones, and a step ends when all of them
/// are there. What is read between two steps is not written by the second of them, since a warp may be there already.
class Warps {
  public:
    Warps() = default;
    /// Host alone: see Lanes.
    explicit Warps(bool backwards) : backwards_(backwards) {}

    /// A step: work(lanes, warp) for warp 0 .. warps - 1; the group has as many at least.
    template <class Work> TANDEM_HOST_DEVICE void each(int warps, const Work& work) const {
#ifdef __CUDA_ARCH__
        const int own = static_cast<int>(threadIdx.x) / Lanes::count;
        if (own < warps) work(Lanes(), own);
        __syncthreads();
#else
        for (int warp = 0; warp < warps; ++warp)
            work(Lanes(backwards_), backwards_ ? warps - 1 - warp : warp);
#endif
    }

  private:
    bool backwards_ = false;
};

/// The number of the lowest or the highest bit that is set, of one that has some, and how many are.
TANDEM_HOST_DEVICE inline int lowest_bit(std::uint64_t mask) {
#ifdef __CUDA_ARCH__
    return __ffsll(static_cast<long long>(mask)) - 1;
#else
    return std::countr_zero(mask);
#endif
}
TANDEM_HOST_DEVICE inline int highest_bit(std::uint64_t mask) {
#ifdef __CUDA_ARCH__
    return 63 - __clzll(static_cast<long long>(mask));
#else
    return 63 - std::countl_zero(mask);
#endif
}
TANDEM_HOST_DEVICE inline int bits_set(std::uint64_t mask) {
#ifdef __CUDA_ARCH__
    return __popcll(mask);
#else
    return std::popcount(mask);
#endif
}

} // namespace tandem::cuda
