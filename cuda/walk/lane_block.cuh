// SPDX-License-Identifier: BSD-2-Clause
// A small block and the thread that works on it. A warp that shares such a block spends most of its time on who has
// which part; threads side by side have blocks side by side, which mostly go the same way.
#pragma once

#include "cuda/walk/searched_block.cuh"

namespace tandem::cuda {

/// By SAD, whole within its picture.
class LaneBlock : public SearchedBlock {
  public:
    static constexpr int side = 8; ///< Samples.

    __device__ LaneBlock(const SearchTask& task, int block) : SearchedBlock(task, block) {
        const WholeSamples samples(task.current, area().x, area().y);
        for_words([&](int i, int x, int y) { current_[i] = samples(x, y); });
    }

    /// The block of this thread; task.rows * task.columns or more: none.
    static __device__ int number() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }

    /// Of a position of the grid.
    __device__ Candidate measure(Position position) const {
        const WholeSamples samples = reference(position);
        std::uint32_t sum = 0;
        for_words([&](int i, int x, int y) { sum = add_absolute_differences(current_[i], samples(x, y), sum); });
        return candidate(mv_of(task(), position), sum);
    }
    /// Of any vector: as BlendedSamples has it, but each row is blended once with its right neighbours.
    __device__ Candidate measure_blended(Mv mv) const {
        const WholeSamples samples(task().reference.whole, area().x + (mv.x >> 3), area().y + (mv.y >> 3));
        const std::uint32_t right = mv.x & 7, below = mv.y & 7;
        std::uint32_t sum = 0;
#pragma unroll
        for (int x = 0; x < side; x += 4) {
            Halves row(samples, x, 0, right);
#pragma unroll
            for (int y = 0; y < side; ++y) {
                const Halves next = y + 1 < side || below != 0 ? Halves(samples, x, y + 1, right) : row;
                sum = add_absolute_differences(current_[2 * y + x / 4], row.blended(next, below), sum);
                row = next;
            }
        }
        return candidate(mv, sum);
    }

  private:
    static constexpr int words = side * side / 4;

    /// visit(number, x, y) for the block's words, by rows.
    template <class Visit> static __device__ void for_words(const Visit& visit) {
#pragma unroll
        for (int i = 0; i < words; ++i)
            visit(i, i % 2 * 4, i / 2);
    }

    /// Eight times four samples of a row between their right neighbours, two in halves of a word.
    struct Halves {
        std::uint32_t even, odd;

        __device__ Halves(const WholeSamples& samples, int x, int y, std::uint32_t right) {
            const std::uint32_t own = samples(x, y), other = right != 0 ? samples(x + 1, y) : own;
            even = (own & 0x00FF00FFu) * (8 - right) + (other & 0x00FF00FFu) * right;
            odd = (own >> 8 & 0x00FF00FFu) * (8 - right) + (other >> 8 & 0x00FF00FFu) * right;
        }
        /// The four samples between this row and the next.
        __device__ std::uint32_t blended(const Halves& next, std::uint32_t below) const {
            const std::uint32_t of_even = even * (8 - below) + next.even * below + 0x00200020u;
            const std::uint32_t of_odd = odd * (8 - below) + next.odd * below + 0x00200020u;
            return (of_even >> 6 & 0x00FF00FFu) | (of_odd << 2 & 0xFF00FF00u);
        }
    };

    std::uint32_t current_[words];
};

/// Whether threads can do the work of warps, of a batch, which is measured by SAD.
inline bool suits_lanes(const SearchTask& task) {
    constexpr int side = LaneBlock::side;
    return task.candidates == 1 && task.block_width == side && task.block_height == side &&
           task.picture_width % side == 0 && task.picture_height % side == 0;
}

inline constexpr int lane_kernel_threads = 64;
/// A row of groups for each picture.
inline dim3 lane_kernel_groups(const SearchTask& task, const PictureBatch& batch) {
    const int groups = (task.rows * task.columns + lane_kernel_threads - 1) / lane_kernel_threads;
    return {static_cast<unsigned>(groups), static_cast<unsigned>(batch.count)};
}

} // namespace tandem::cuda
