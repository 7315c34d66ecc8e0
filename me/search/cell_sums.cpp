// SPDX-License-Identifier: BSD-2-Clause
#include "me/search/cell_sums.h"

#include <algorithm>
#include <vector>

#include "me/elimination_kernels.h"

namespace tandem {

namespace {

constexpr int slack = 64;                        ///< Elements a kernel may read beyond a row of sums,
constexpr int means_slack = 5 * bytes_per_chunk; ///< and beyond a row of means, for blocks 128 samples wide.
constexpr int rows_per_item = 64;
constexpr int fine_side = 2;

} // namespace

CellSums::CellSums(PlaneView reference, int border, int first_y, int end_y, Workers& workers, BufferPool& buffers)
    : first_x_(-border), first_y_(first_y), count_(reference.width + 2 * border - cell_side + 1), buffers_(&buffers) {
    const int rows = end_y - first_y;
    if (rows <= 0 || count_ <= 0) return;
    stride_ = (count_ + positions_per_chunk - 1) / positions_per_chunk * positions_per_chunk;
    const std::size_t sums_bytes = (static_cast<std::size_t>(stride_ * rows) + slack) * sizeof(std::uint16_t);
    const std::size_t means_bytes = static_cast<std::size_t>(means_stride() * rows) + means_slack;
    const int fine_rows = rows + cell_side - fine_side;
    memory_ = buffers.take(sums_bytes + means_bytes + static_cast<std::size_t>(means_stride() * fine_rows));
    sums_ = static_cast<std::uint16_t*>(memory_.memory.get());
    means_ = static_cast<std::uint8_t*>(memory_.memory.get()) + sums_bytes;
    fine_means_ = means_ + means_bytes;
    workers.for_each((rows + rows_per_item - 1) / rows_per_item, [&](int item, int) {
        const int begin = first_y + item * rows_per_item;
        fill_rows(reference, begin, std::min(begin + rows_per_item, end_y));
        const bool last = begin + rows_per_item >= end_y;
        fill_fine_rows(reference, begin, last ? first_y + fine_rows : begin + rows_per_item);
    });
}

CellSums::~CellSums() { buffers_->give(std::move(memory_)); }

/// The sums of columns slide down, and each row of them is added up by doubling: 2, 4 columns.
void CellSums::fill_rows(PlaneView reference, int first_y, int end_y) {
    const EliminationKernels& kernels = elimination_kernels();
    const int columns_count = count_ + cell_side - 1;
    const std::vector<std::uint8_t> nothing(static_cast<std::size_t>(columns_count + slack));
    std::vector<std::uint16_t> columns(static_cast<std::size_t>(columns_count + slack)), partial(columns.size());
    std::vector<std::uint16_t> row(static_cast<std::size_t>(stride_ + slack));
    for (int y = first_y; y < first_y + cell_side - 1; ++y) {
        kernels.slide_columns(reference.row(y) + first_x_, nothing.data(), columns_count, columns.data());
    }
    const std::uint8_t* leaving = nothing.data();
    for (int y = first_y; y < end_y; ++y) {
        kernels.slide_columns(reference.row(y + cell_side - 1) + first_x_, leaving, columns_count, columns.data());
        leaving = reference.row(y) + first_x_;
        kernels.add_shifted(columns.data(), 1, columns_count - 1, partial.data());
        kernels.add_shifted(partial.data(), 2, count_, row.data());
        std::copy_n(row.data(), stride_, sums_ + (y - first_y_) * stride_);
        kernels.pack_means(row.data(), static_cast<int>(stride_ / positions_per_chunk),
                           means_ + (y - first_y_) * means_stride());
    }
}

void CellSums::fill_fine_rows(PlaneView reference, int first_y, int end_y) {
    const EliminationKernels& kernels = elimination_kernels();
    for (int y = first_y; y < end_y; ++y) {
        kernels.pack_fine_means(reference.row(y) + first_x_, reference.row(y + 1) + first_x_,
                                static_cast<int>(stride_ / positions_per_chunk),
                                fine_means_ + (y - first_y_) * means_stride());
    }
}

} // namespace tandem
