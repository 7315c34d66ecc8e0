// SPDX-License-Identifier: BSD-2-Clause
#include "me/search/block_cells.h"

#include <cstring>

namespace tandem {

namespace {

constexpr std::size_t most_means = 256; ///< Of one position: the sum of more distances would not fit in 16 bits.
constexpr int worth_of_fine = 5;        ///< Times their slack: below that, sums of 4x4 samples exclude more.
constexpr int widest_of_fine = 16;      ///< A row of cells of 2x2 must fit in a lane of their chunk.

/// Means of cells of so many samples, and their slack: with sums n a + r and n b + s, 0 <= r, s < n,
/// |n (a - b) + r - s| >= n |a - b| - max(r, n - 1 - r).
template <std::int16_t samples>
int take_means(const std::vector<std::uint16_t>& sums, std::vector<std::uint8_t>& means) {
    const std::size_t count = sums.size();
    means.resize(count);
    const std::uint16_t* from = sums.data();
    std::uint8_t* to = means.data();
    for (std::size_t i = 0; i < count; ++i)
        to[i] = static_cast<std::uint8_t>(from[i] / samples);
    std::int16_t slack = 0; // At most 256 times 15. Words, of which the compiler puts eight in a register.
    for (std::size_t i = 0; i < count; ++i) {
        const auto rest = static_cast<std::int16_t>(from[i] & (samples - 1));
        const auto other = static_cast<std::int16_t>(samples - 1 - rest);
        slack = static_cast<std::int16_t>(slack + (rest > other ? rest : other));
    }
    return slack;
}

/// The sums of four pairs of bytes, in the same order.
std::uint64_t pair_sums(const std::uint8_t* samples) {
    constexpr std::uint64_t low_bytes = 0x00FF00FF00FF00FF;
    std::uint64_t eight;
    std::memcpy(&eight, samples, sizeof eight);
    return (eight & low_bytes) + (eight >> 8 & low_bytes);
}

} // namespace

void CellsOfBlock::set(const CellSums* sums, PlaneView current, const BlockRect& block) {
    sums_ = block.width % cell_side == 0 && block.height % cell_side == 0 ? sums : nullptr;
    if (!sums_) return;
    block_ = block;
    add_fine(current);
    add_coarse();
}

void CellsOfBlock::add_fine(PlaneView current) {
    const int across = block_.width / 2, down = block_.height / 2;
    fine_sums_.resize(static_cast<std::size_t>(across * down));
    for (int y = 0; y < down; ++y) {
        const std::uint8_t* upper = current.row(block_.y + 2 * y) + block_.x;
        const std::uint8_t* lower = upper + current.stride;
        std::uint16_t* sums = &fine_sums_[static_cast<std::size_t>(y * across)];
        int x = 0;
        for (; x + 4 <= across; x += 4) {
            const std::uint64_t four = pair_sums(upper + 2 * x) + pair_sums(lower + 2 * x);
            std::memcpy(sums + x, &four, sizeof four);
        }
        for (; x < across; ++x)
            sums[x] = static_cast<std::uint16_t>(upper[2 * x] + upper[2 * x + 1] + lower[2 * x] + lower[2 * x + 1]);
    }
    const bool fits = block_.width % 8 == 0 && block_.width <= widest_of_fine && fine_sums_.size() <= most_means;
    fine_ = {nullptr, sums_->means_stride(), nullptr, 2, fits ? across / 4 : 0, down, 0};
    if (fits) fine_.slack = take_means<4>(fine_sums_, fine_values_);
    fine_.values = fine_values_.data();
}

void CellsOfBlock::add_coarse() {
    const int across = block_.width / cell_side, down = block_.height / cell_side;
    cells_.resize(static_cast<std::size_t>(across * down));
    coarse_sums_.resize(cells_.size());
    for (int y = 0; y < down; ++y) {
        const std::uint16_t* upper = &fine_sums_[static_cast<std::size_t>(4 * y * across)];
        const std::uint16_t* lower = upper + 2 * across;
        const std::uint16_t* there = sums_->at(block_.x, block_.y + y * cell_side);
        for (int x = 0; x < across; ++x) {
            const auto sum =
                static_cast<std::uint16_t>(upper[2 * x] + upper[2 * x + 1] + lower[2 * x] + lower[2 * x + 1]);
            const auto index = static_cast<std::size_t>(y * across + x);
            coarse_sums_[index] = sum;
            cells_[index] = {there + x * cell_side, {sum, sum}};
        }
    }
    const bool fits = across % 4 == 0 && cells_.size() <= most_means;
    coarse_ = {nullptr, sums_->means_stride(), nullptr, cell_side, fits ? across / 4 : 0, down, 0};
    if (fits) coarse_.slack = take_means<16>(coarse_sums_, coarse_values_);
    coarse_.values = coarse_values_.data();
}

BlockCells CellsOfBlock::from(int x, int y, std::uint32_t limit) const {
    const std::ptrdiff_t stride = sums_->stride();
    BlockCells cells{cells_.data(), static_cast<int>(cells_.size()), stride, y * stride + x, 0, coarse_, fine_};
    x += block_.x;
    y += block_.y;
    cells.place = sums_->place_in_chunk(x);
    if (coarse_.fours > 0) cells.coarse.plane = sums_->chunk_at(x, y);
    if (fine_.fours > 0 && limit >= static_cast<std::uint32_t>(worth_of_fine * fine_.slack))
        cells.fine.plane = sums_->fine_chunk_at(x, y);
    return cells;
}

} // namespace tandem
