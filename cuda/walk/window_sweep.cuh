// SPDX-License-Identifier: BSD-2-Clause
// Every position of a window by one warp: a column of positions to each lane, some rows of them at a time, so that a
// row of the reference that is loaded meets several of the block.
#pragma once

#include "cuda/full/block_sweep.cuh"
#include "cuda/walk/warp_block.cuh"

namespace tandem::cuda {

/// The samples of a block that is `width` wide and at most `most_height` high, which all lanes read together.
class SweptBlock {
  public:
    static constexpr int width = 16, most_height = 16;
    static constexpr int together = 4; ///< Rows of positions.

    /// Those that one warp has in shared memory.
    using Rows = uint4[most_height];

    /// Whether windows of a block may be swept: the metric sums words, and rows come in whole groups.
    template <Metric metric> static __device__ bool fits(const BlockArea& area, const VectorArea& window) {
        return sums_words(metric) && area.width == width && area.height <= most_height && area.height % together == 0 &&
               window.max_y - window.min_y + 1 >= together;
    }

    /// All lanes of the warp call this.
    __device__ SweptBlock(const WordPlane& current, const BlockArea& area, int lane, Rows& rows)
        : rows_(rows), height_(area.height) {
        __syncwarp();
        auto* const words = reinterpret_cast<std::uint32_t*>(rows);
        for (int i = lane; i < height_ * 4; i += 32)
            words[i] = WholeSamples(current, area.x, area.y)(i % 4 * 4, i / 4);
        __syncwarp();
    }

    /// The distortions of the position at `reference` and of those below it.
    template <Metric metric>
    __device__ void distortions(const WholeSamples& reference, std::uint32_t (&sums)[together]) const {
        const std::uint32_t* next = reference.origin;
        const auto stride = static_cast<int>(reference.stride);
        std::uint32_t line[together][4];
        for (int i = 0; i < together - 1; ++i)
            load(line[i], next, stride);
        for (int i = 0; i < together; ++i)
            sums[i] = 0;
        for (int first = 0; first < height_; first += together) {
#pragma unroll
            for (int k = 0; k < together; ++k) {
                load(line[(k + together - 1) % together], next, stride);
                const uint4 own = rows_[first + k];
#pragma unroll
                for (int i = 0; i < together; ++i) {
                    const std::uint32_t(&its)[4] = line[(k + i) % together];
                    sums[i] = add_differences<metric>(own.x, its[0], sums[i]);
                    sums[i] = add_differences<metric>(own.y, its[1], sums[i]);
                    sums[i] = add_differences<metric>(own.z, its[2], sums[i]);
                    sums[i] = add_differences<metric>(own.w, its[3], sums[i]);
                }
            }
        }
    }

  private:
    static __device__ void load(std::uint32_t (&line)[4], const std::uint32_t*& next, int stride) {
#pragma unroll
        for (int w = 0; w < 4; ++w)
            line[w] = __ldg(next + 4 * w);
        next += stride;
    }

    const Rows& rows_;
    int height_;
};

/// Offers every position of the window's rows first .. end - 1, of which there may be none; the window has `together`
/// rows at least.
template <Metric metric>
__device__ void offer_rows(const SearchTask& task, const WarpBlock<metric>& block, const SweptBlock& swept,
                           const VectorArea& window, int first, int end, WarpList& list) {
    constexpr int together = SweptBlock::together;
    for (int left = window.min_x; left <= window.max_x; left += 32) {
        const int x = left + block.lane();
        for (int done = first; done < end; done += together) {
            // Where fewer rows are left, some above them are swept again, so that none outside of the window is read.
            const int top = max(min(done, end - together), window.min_y);
            std::uint32_t sums[together];
            swept.distortions<metric>(block.reference({min(x, window.max_x), top}), sums);
#pragma unroll 1
            for (int y = top; y < top + together; ++y) {
                list.offer_promising(y >= done && y < end && x <= window.max_x, sums[0], [&] {
                    return block.candidate(mv_of(task, {x, y}), sums[0]);
                });
#pragma unroll
                for (int i = 0; i + 1 < together; ++i)
                    sums[i] = sums[i + 1];
            }
        }
    }
}

/// Offers every position of the window, from the row in the middle on and after the last row the first ones: what is
/// good there is hard to beat.
template <Metric metric>
__device__ void offer_swept(const SearchTask& task, const WarpBlock<metric>& block, const SweptBlock& swept,
                            const VectorArea& window, WarpList& list) {
    int first = window.min_y + (window.max_y - window.min_y + 1) / 2, end = window.max_y + 1;
#pragma unroll 1 // It is much text.
    for (int half = 0; half < 2; ++half) {
        offer_rows(task, block, swept, window, first, end, list);
        end = first;
        first = window.min_y;
    }
}

} // namespace tandem::cuda
