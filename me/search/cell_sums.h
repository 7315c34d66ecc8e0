// SPDX-License-Identifier: BSD-2-Clause
// The sums of samples of all cells of a plane, for the elimination of positions.
#pragma once

#include <cstdint>

#include "me/buffer_pool.h"
#include "me/simd_variants.h"
#include "video/plane.h"
#include "video/workers.h"

namespace tandem {

/// The side of a cell, in samples.
inline constexpr int cell_side = 4;

/// Owns the sums of cells of 4x4 samples: sum (x, y) is that of the cell whose top left sample is (x, y), for every
/// cell that lies inside the reference extended by its border in x, and whose y is in first_y..end_y-1. Owns their
/// means too, and those of cells of 2x2 samples, as CellMeans wants them.
class CellSums {
  public:
    /// The rows of samples first_y .. end_y + 2 must exist.
    CellSums(PlaneView reference, int border, int first_y, int end_y, Workers& workers, BufferPool& buffers);
    ~CellSums();
    CellSums(CellSums&&) noexcept = default;
    CellSums& operator=(CellSums&&) = delete;

    std::ptrdiff_t stride() const { return stride_; }
    const std::uint16_t* at(int x, int y) const { return sums_ + (y - first_y_) * stride_ + (x - first_x_); }

    std::ptrdiff_t means_stride() const { return stride_ / positions_per_chunk * bytes_per_chunk; }
    /// The chunk of means that the cell is in, and which of its positions it is.
    const std::uint8_t* chunk_at(int x, int y) const { return means_ + chunk_offset(x, y); }
    const std::uint8_t* fine_chunk_at(int x, int y) const { return fine_means_ + chunk_offset(x, y); }
    int place_in_chunk(int x) const { return (x - first_x_) % positions_per_chunk; }

  private:
    std::ptrdiff_t chunk_offset(int x, int y) const {
        return (y - first_y_) * means_stride() + (x - first_x_) / positions_per_chunk * bytes_per_chunk;
    }
    void fill_fine_rows(PlaneView reference, int first_y, int end_y);
    void fill_rows(PlaneView reference, int first_y, int end_y);

    int first_x_, first_y_, count_;
    std::ptrdiff_t stride_ = 0;
    BufferPool* buffers_;
    BufferPool::Buffer memory_;
    std::uint16_t* sums_ = nullptr;
    std::uint8_t* means_ = nullptr;
    std::uint8_t* fine_means_ = nullptr;
};

} // namespace tandem
