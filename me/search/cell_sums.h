// SPDX-License-Identifier: BSD-2-Clause
// The sums of samples of all cells of one size of a plane, for the elimination of positions.
#pragma once

#include <cstdint>

#include "me/buffer_pool.h"
#include "video/plane.h"
#include "video/workers.h"

namespace tandem {

/// Owns a plane of sums: sum (x, y) is that of the cell whose top left sample is (x, y), for every cell that lies
/// inside the reference extended by its border in x, and whose y is in first_y..end_y-1.
class CellSums {
  public:
    /// Cells of 4, 8 or 16 samples a side. The rows of samples first_y .. end_y + height - 2 must exist.
    CellSums(PlaneView reference, int border, int first_y, int end_y, int width, int height, Workers& workers,
             BufferPool& buffers);
    ~CellSums();
    CellSums(CellSums&&) noexcept = default;
    CellSums& operator=(CellSums&&) = delete;

    int width() const { return width_; }
    int height() const { return height_; }
    std::ptrdiff_t stride() const { return stride_; }
    const std::uint16_t* at(int x, int y) const { return sums_ + (y - first_y_) * stride_ + (x - first_x_); }

  private:
    void fill_rows(PlaneView reference, int first_y, int end_y);

    int width_, height_, first_x_, first_y_, count_;
    std::ptrdiff_t stride_ = 0;
    BufferPool* buffers_;
    BufferPool::Buffer memory_;
    std::uint16_t* sums_ = nullptr;
};

} // namespace tandem
