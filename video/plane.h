// SPDX-License-Identifier: BSD-2-Clause
// Planes of 8-bit samples: Plane owns its memory, PlaneView and MutablePlaneView do not.
#pragma once

#include <cstddef>
#include <cstdint>

#include "video/sample_memory.h"

namespace tandem {

class Workers;

/// A rectangle of samples inside somebody else's memory; valid while its owner lives.
/// Row y starts at data + y * stride. Where the owner has a border, coordinates down to -border are readable.
template <class Sample> struct BasicPlaneView {
    Sample* data = nullptr;
    int width = 0;
    int height = 0;
    std::ptrdiff_t stride = 0; ///< Distance of two rows in samples.

    Sample* row(int y) const { return data + y * stride; }
    Sample& at(int x, int y) const { return data[y * stride + x]; }
    operator BasicPlaneView<const Sample>() const { return {data, width, height, stride}; }
};

using PlaneView = BasicPlaneView<const std::uint8_t>;
using MutablePlaneView = BasicPlaneView<std::uint8_t>;

/// One plane of 8-bit samples. Owns its memory; movable, not copyable: see copy_and_extend().
///
///     Plane plane(64, 48, 8);
///     plane.view().at(3, 5) = 255;      // column 3 of row 5
///     plane.extend_border();            // view().at(-8, -8) can be read now
/// Sample (0,0) is 64-byte aligned, the stride is a multiple of 64 but not of 512 (samples below one another are in
/// different sets of the cache, also in pictures 2048 wide), and at least 64 bytes after the last row and before the
/// first are readable, so a vector load may run over an edge (what it reads there is undefined).
class Plane {
  public:
    Plane() = default;
    /// Samples are uninitialised. `border` samples (0..4096) exist on every side; they hold nothing
    /// until extend_border() is called. Throws std::invalid_argument for a size below 1 or a bad border.
    Plane(int width, int height, int border = 0);

    int width() const { return width_; }
    int height() const { return height_; }
    int border() const { return border_; }
    std::ptrdiff_t stride() const { return stride_; }
    bool empty() const { return width_ == 0; }

    PlaneView view() const { return {origin_, width_, height_, stride_}; }
    MutablePlaneView view() { return {origin_, width_, height_, stride_}; }

    /// Fills the border by replicating the edge samples.
    void extend_border();
    /// Makes the plane larger to the right and below, to less than 16 more samples each way, without moving what it
    /// has; the new samples replicate its last column and row. For planes without a border.
    void grow(int width, int height);
    /// Sets every sample, border included.
    void fill(std::uint8_t value);

  private:
    void end_with_zeros();

    SampleMemory memory_;
    std::uint8_t* origin_ = nullptr;
    int width_ = 0, height_ = 0, border_ = 0;
    std::ptrdiff_t stride_ = 0;
};

/// Copies `from` into the top left of `to` and replicates its last column and row over the rest of `to`.
/// `to` must be at least as large as `from`. The workers, where there are any, share it.
void copy_and_extend(PlaneView from, MutablePlaneView to, Workers* workers = nullptr);

} // namespace tandem
