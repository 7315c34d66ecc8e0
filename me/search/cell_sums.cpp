// SPDX-License-Identifier: BSD-2-Clause
#include "me/search/cell_sums.h"

#include <algorithm>
#include <array>
#include <vector>

#include "me/kernels/elimination_kernels.h"

namespace tandem {

namespace {

/// Beyond each row of sums and of chunks, where kernels may read (the chunks for blocks 128 samples wide): the next row
/// may be another thread's, which is writing it.
constexpr int sums_beyond = 64, chunks_beyond = 5;
constexpr int rows_per_slice = 32;

/// Sums of 2x2 samples of the last rows, which those of 4x4 are made of.
class RecentRows {
  public:
    explicit RecentRows(int strips) {
        const std::size_t count = static_cast<std::size_t>(strips * positions_per_strip / 2 + sums_beyond);
        for (Row& row : rows_)
            row = {std::vector<std::uint16_t>(count), std::vector<std::uint16_t>(count)};
    }
    FineRow at(int y, std::uint8_t* means, std::uint8_t* folded) {
        Row& row = rows_[static_cast<std::size_t>(y & 3)];
        return {row.even.data(), row.odd.data(), means, folded};
    }

  private:
    struct Row {
        std::vector<std::uint16_t> even, odd;
    };
    std::array<Row, 4> rows_;
};

void add_up_sums(const FineRow& upper, const FineRow& lower, int strips, std::uint16_t* sums) {
    const auto add = [](const std::uint16_t* a, const std::uint16_t* b) {
        return static_cast<std::uint16_t>(a[0] + a[1] + b[0] + b[1]);
    };
    for (int i = 0; i < strips * positions_per_strip / 2; ++i) {
        sums[2 * i] = add(upper.even + i, lower.even + i);
        sums[2 * i + 1] = add(upper.odd + i, lower.odd + i);
    }
}

} // namespace

CellKinds kinds_of_cells(int block_width, int block_height) {
    const int samples = block_width * block_height;
    const bool divided = block_width % cell_side == 0 && block_height % cell_side == 0;
    CellKinds kinds;
    kinds.coarse = divided && block_width % 16 == 0 && samples / 16 <= most_block_bytes;
    kinds.fine = divided && block_width % 8 == 0 && samples / 4 <= most_block_bytes;
    kinds.sums = divided && !kinds.fine;
    return kinds;
}

CellSums::CellSums(PlaneView reference, int border, int first_y, int end_y, CellKinds kinds, BufferPool& buffers)
    : reference_(reference), first_x_(-border), first_y_(first_y), end_y_(end_y), kinds_(kinds), buffers_(&buffers) {
    const int rows = end_y - first_y, width = reference.width + 2 * border;
    if (rows <= 0 || width < cell_side) return;
    const int fine_cells = width - 1; // The last of 4x4 samples needs the last of 2x2.
    strips_ = (fine_cells + positions_per_strip - 1) / positions_per_strip;
    stride_ = std::ptrdiff_t{strips_} * positions_per_strip + sums_beyond;
    // An odd number of lines of the cache: rows of a window are in different sets of it.
    bytes_stride_ = (2 * strips_ + chunks_beyond) * bytes_per_chunk;
    const int fine_rows = rows + cell_side - 2;
    const auto bytes = static_cast<std::size_t>(bytes_stride_ * fine_rows);
    const std::size_t sums_bytes = kinds.sums ? static_cast<std::size_t>(stride_ * rows) * sizeof(std::uint16_t) : 0;
    memory_ = buffers.take(sums_bytes + 3 * bytes);
    sums_ = static_cast<std::uint16_t*>(memory_.memory.get());
    coarse_ = static_cast<std::uint8_t*>(memory_.memory.get()) + sums_bytes;
    fine_ = coarse_ + bytes;
    folded_ = fine_ + bytes;
    slices_made_ =
        std::make_unique<std::once_flag[]>(static_cast<std::size_t>((fine_rows + rows_per_slice - 1) / rows_per_slice));
}

CellSums::~CellSums() { buffers_->give(std::move(memory_)); }

void CellSums::prepare(int first_y, int end_y) const {
    if (!slices_made_) return;
    const int first = std::max(first_y, first_y_) - first_y_;
    const int end = std::min(end_y - 1, end_y_ + cell_side - 2) - first_y_; // A cell of 2x2 in the last two rows.
    for (int slice = first / rows_per_slice; slice * rows_per_slice < end; ++slice)
        std::call_once(slices_made_[static_cast<std::size_t>(slice)], [&] { fill_slice(slice); });
}

/// The sums of 2x2 samples at y and y + 2 make those of 4x4 at y, so that two more rows of them are needed.
void CellSums::fill_slice(int slice) const {
    const EliminationKernels& kernels = elimination_kernels();
    const int begin = first_y_ + slice * rows_per_slice, end = std::min(begin + rows_per_slice, end_y_ + cell_side - 2);
    RecentRows recent(strips_);
    std::vector<std::uint8_t> unused(static_cast<std::size_t>(bytes_stride_));
    for (int y = begin; y < std::min(end + 2, end_y_ + cell_side - 2); ++y) {
        const std::ptrdiff_t offset = (y - first_y_) * bytes_stride_;
        const bool inside = y < end;
        const FineRow lower =
            recent.at(y, inside ? fine_ + offset : unused.data(), inside ? folded_ + offset : unused.data());
        kernels.fine_row(reference_.row(y) + first_x_, reference_.row(y + 1) + first_x_, strips_, lower);
        if (y - 2 < begin) continue;
        const FineRow upper = recent.at(y - 2, nullptr, nullptr);
        if (kinds_.coarse) kernels.coarse_row(upper, lower, strips_, coarse_ + offset - 2 * bytes_stride_);
        if (kinds_.sums) add_up_sums(upper, lower, strips_, sums_ + (y - 2 - first_y_) * stride_);
    }
}

} // namespace tandem
