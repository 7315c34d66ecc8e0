// SPDX-License-Identifier: BSD-2-Clause
// What the elimination of positions knows of the reference: sums and means of all cells of a plane.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>

#include "me/coprocessor/buffer_pool.h"
#include "me/kernels/elimination_variants.h"
#include "video/plane.h"

namespace tandem {

/// The side of a cell, in samples.
inline constexpr int cell_side = 4;

/// Which of a block's cells are compared, by its size: see BlockCells.
struct CellKinds {
    bool coarse = false, fine = false, sums = false;
};
CellKinds kinds_of_cells(int block_width, int block_height);

/// Owns the bytes of cells of 4x4 and of 2x2 samples as CellBytes wants them, and sums of 4x4 samples: cell (x, y) is
/// the one whose top left sample is (x, y), for every cell that lies inside the reference extended by its border in x,
/// and whose y is in first_y..end_y-1. They are made when they are asked for, in slices of rows, so that they are still
/// near the processor when they are used.
class CellSums {
  public:
    /// The rows of samples first_y .. end_y + 2 must exist. The plane must outlive this.
    CellSums(PlaneView reference, int border, int first_y, int end_y, CellKinds kinds, BufferPool& buffers);
    ~CellSums();
    CellSums(CellSums&&) noexcept = default;
    CellSums& operator=(CellSums&&) = delete;

    /// Makes the rows that a block needs which covers rows first_y..end_y-1 of samples. Any number of threads at once.
    void prepare(int first_y, int end_y) const;

    CellKinds kinds() const { return kinds_; }
    std::ptrdiff_t stride() const { return stride_; }
    const std::uint16_t* at(int x, int y) const { return sums_ + (y - first_y_) * stride_ + (x - first_x_); }

    std::ptrdiff_t bytes_stride() const { return bytes_stride_; }
    /// The chunk that the cell is in, and which of its positions it is.
    const std::uint8_t* coarse_chunk_at(int x, int y) const { return coarse_ + chunk_offset(x, y); }
    const std::uint8_t* fine_chunk_at(int x, int y) const { return fine_ + chunk_offset(x, y); }
    const std::uint8_t* folded_chunk_at(int x, int y) const { return folded_ + chunk_offset(x, y); }
    int place_in_chunk(int x) const { return (x - first_x_) % positions_per_chunk; }

  private:
    std::ptrdiff_t chunk_offset(int x, int y) const {
        return (y - first_y_) * bytes_stride_ + (x - first_x_) / positions_per_chunk * bytes_per_chunk;
    }
    void fill_slice(int slice) const;

    PlaneView reference_;
    int first_x_, first_y_, end_y_;
    CellKinds kinds_;
    int strips_ = 0; ///< Of 64 positions, in a row.
    std::ptrdiff_t stride_ = 0, bytes_stride_ = 0;
    BufferPool* buffers_;
    BufferPool::Buffer memory_;
    std::uint16_t* sums_ = nullptr;
    std::uint8_t *coarse_ = nullptr, *fine_ = nullptr, *folded_ = nullptr;
    std::unique_ptr<std::once_flag[]> slices_made_;
};

} // namespace tandem
