// SPDX-License-Identifier: BSD-2-Clause
// A coarse search of the whole picture tells where searches of its blocks may begin. It goes over a pyramid from the
// smallest level to half size, cells of 8x8 samples on each, one vector a cell: on the smallest level the best of all
// vectors within the search's limits, on each larger one the best of zero and of the vectors that four cells of the
// level before found, doubled, and then the best of its 8 neighbours. Cells of half size are 16x16 pels.
// A level reads nothing but the level before, so its cells are independent of one another.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "me/search/levels/coarse_rules.h"
#include "me/search/levels/level_block.h"
#include "me/search/levels/pyramid_store.h"

namespace tandem {

/// At most `most` vectors in pels, each once.
class Starts {
  public:
    static constexpr std::size_t most = 6;
    /// Without a branch: none could be foretold.
    void add(const Offset& vector) {
        std::size_t is_new = 1;
        for (std::size_t i = 0; i < count_; ++i)
            is_new &= static_cast<std::size_t>(vectors_[i] != vector);
        vectors_[count_] = vector;
        count_ += is_new;
    }
    std::span<const Offset> span() const { return {vectors_.data(), count_}; }

  private:
    std::array<Offset, most + 1> vectors_;
    std::size_t count_ = 0;
};

/// The smallest level that is searched, 1..4: the first on which all vectors of all cells are at most three quarters as
/// many as the picture's samples, or the last.
int smallest_coarse_level(const VectorLimits& limits, int width, int height);

/// Levels that both pyramids of a search that begins at predictors have, full size among them.
int pyramid_levels(const SearchParams& params, int width, int height);

/// What a search's limits are on a level, in its samples: rounded up.
VectorLimits on_level(const VectorLimits& limits, int level);

class CoarseMotion {
  public:
    /// Searches what blocks of rows first_row..end_row-1 ask for. What it finds does not depend on those.
    CoarseMotion(const SearchInput& input, int first_row, int end_row);

    /// Where a block may begin: at the vectors of the cell in which its middle lies and of that cell's four neighbours.
    Starts starts(const BlockRect& block, const Window& window) const;

    const std::shared_ptr<const Pyramid>& current() const { return current_; }
    const std::shared_ptr<const Pyramid>& reference() const { return reference_; }

    /// How many positions were measured for one row of blocks: those of all cells whose middle lies in it.
    std::uint64_t evaluated(int row) const { return evaluated_[static_cast<std::size_t>(row)]; }

  private:
    /// One vector for each cell of a level, in samples of it; zero in rows that were not searched.
    struct Cells {
        int columns = 0, rows = 0;
        std::vector<Offset> vectors;
        const Offset& at(CellPlace cell) const {
            return vectors[static_cast<std::size_t>(cell.row * columns + cell.column)];
        }
        bool has(CellPlace cell) const {
            return cell.column >= 0 && cell.row >= 0 && cell.column < columns && cell.row < rows;
        }
    };
    struct Level;

    void search_level(int level, int first_y, int end_y);
    /// Of one row of cells.
    void search_row(const Level& level, int row, Cells& found, std::uint64_t& evaluated) const;
    Starts starts_on_level(int column, int row, const Window& window) const;
    /// `first` is a vector that has been added: mostly it is this cell's too, and nothing is to be done.
    void add_start(CellPlace cell, const Offset& first, const Window& window, Starts& starts) const {
        if (!before_.has(cell)) return;
        const Offset& its = before_.at(cell);
        if (its != first) starts.add(doubled(its, window));
    }

    const SearchInput& input_;
    Rates rates_;
    VectorLimits limits_;
    int smallest_;
    std::shared_ptr<const Pyramid> current_, reference_;
    Cells before_; ///< Of the level before the one in work; in the end, of half size.
    std::vector<std::uint64_t> evaluated_;
};

} // namespace tandem
