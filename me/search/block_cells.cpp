// SPDX-License-Identifier: BSD-2-Clause
#include "me/search/block_cells.h"

#include "me/kernels/elimination_kernels.h"

namespace tandem {

void CellsOfBlock::set(const CellSums* sums, PlaneView current, const BlockRect& block) {
    sums_ = nullptr;
    if (sums == nullptr) return;
    kinds_ = kinds_of_cells(block.width, block.height);
    kinds_.coarse &= sums->kinds().coarse;
    if ((kinds_.fine && !sums->kinds().fine) || (kinds_.sums && !sums->kinds().sums)) return;
    if (!kinds_.fine && !kinds_.sums) return;
    sums_ = sums;
    block_ = block;
    if (kinds_.coarse || kinds_.fine) {
        const std::uint8_t* here = current.row(block.y) + block.x;
        elimination_kernels().block_bytes(here, current.stride, block.width, block.height, bytes_);
    }
    if (kinds_.sums) add_sums(current);
}

void CellsOfBlock::add_sums(PlaneView current) {
    cells_.clear();
    for (int y = block_.y; y < block_.y + block_.height; y += cell_side) {
        for (int x = block_.x; x < block_.x + block_.width; x += cell_side) {
            int sum = 0;
            for (int i = 0; i < cell_side * cell_side; ++i)
                sum += current.at(x + i % cell_side, y + i / cell_side);
            const auto value = static_cast<std::uint16_t>(sum);
            cells_.push_back({sums_->at(x, y), {value, value}});
        }
    }
}

BlockCells CellsOfBlock::from(int x, int y) const {
    const std::ptrdiff_t stride = sums_->stride();
    BlockCells cells{cells_.data(), static_cast<int>(cells_.size()), stride, y * stride + x, 0, {}, {}, {}};
    x += block_.x;
    y += block_.y;
    cells.place = sums_->place_in_chunk(x);
    const std::ptrdiff_t bytes = sums_->bytes_stride();
    const int width = block_.width, height = block_.height;
    if (kinds_.coarse) {
        const std::uint8_t* chunk = sums_->coarse_chunk_at(x, y);
        cells.coarse = {chunk, bytes, bytes_.coarse, 4, width / 16, height / 4, 16, bytes_.coarse_slack};
    }
    if (!kinds_.fine) return cells;
    cells.fine = {sums_->fine_chunk_at(x, y), bytes, bytes_.fine, 2, width / 8, height / 2, 4, bytes_.fine_slack};
    cells.folded = {sums_->folded_chunk_at(x, y), bytes, bytes_.folded, 2, width / 8, height / 2, 1, 0};
    return cells;
}

} // namespace tandem
