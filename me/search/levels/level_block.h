// SPDX-License-Identifier: BSD-2-Clause
// The search of one block on one level of two pyramids. Vectors are in samples of the level.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "me/search/block_search.h"

namespace tandem {

/// The best few vectors of a level by the order of better(). Cost, length, y and the sign of x stand in one number: so
/// they are kept without a branch, of which none could be foretold.
class BestVectors {
  public:
    /// `capacity`: 1..most_level_candidates.
    explicit BestVectors(int capacity) : capacity_(static_cast<std::size_t>(capacity)) { kept_.fill(UINT64_MAX); }

    /// Each vector once.
    void offer(std::uint32_t cost, const Offset& vector);
    /// A vector whose cost is above this cannot enter.
    std::uint32_t threshold() const { return static_cast<std::uint32_t>(kept_[capacity_ - 1] >> 32); }
    std::size_t size() const;
    Offset operator[](std::size_t index) const;

  private:
    static constexpr int middle = 4096;
    static_assert(largest_range < middle);
    std::size_t capacity_;
    std::array<std::uint64_t, most_level_candidates + 1> kept_; ///< The last one stays empty.
};

/// What the blocks of one thread use one after another.
struct LevelScratch {
    static constexpr std::size_t most_vectors = 9 * most_level_candidates;
    std::vector<MeasuredPosition> good;
    std::array<const std::uint8_t*, most_vectors> addresses;
    std::array<std::uint32_t, most_vectors> distortions;
    std::array<Offset, most_vectors + 1> vectors;
};

/// The centres, at most most_level_candidates inside the window, and their 8 neighbours there, each vector once. In the
/// scratch.
std::span<const Offset> vectors_about(std::span<const Offset> centres, const Window& window, LevelScratch& scratch);

/// The centre's 8 neighbours in the window, without itself. In the scratch.
std::span<const Offset> neighbours_of(const Offset& centre, const Window& window, LevelScratch& scratch);

/// A vector of the next smaller level as one of this level, moved into the window.
inline Offset doubled(const Offset& coarse, const Window& window) {
    return {std::clamp(2 * coarse.x, window.min_x, window.max_x), std::clamp(2 * coarse.y, window.min_y, window.max_y)};
}

/// How the rate of a vector is weighed against the distortions of a level, which has fewer samples.
struct LevelRate {
    Mv predictor;
    int level = 0;
    int shift = 0; ///< The rate is divided by 2^shift.
};

class LevelBlock {
  public:
    /// The rectangle of samples is inside the current picture, and so is the window's every block in the reference and
    /// its border.
    LevelBlock(const SearchInput& input, PlaneView current, PlaneView reference, const BlockRect& rect,
               const Window& window, const LevelRate& rate)
        : input_(input), current_(current), reference_(reference), rect_(rect), window_(window), rate_(rate) {}

    const Window& window() const { return window_; }
    /// Positions measured so far.
    int evaluated() const { return evaluated_; }

    /// All vectors of the window, first the rows in its middle: what is good there is hard to beat.
    void search_all(BestVectors& best, LevelScratch& scratch);
    /// These vectors of the window, each once.
    void search_these(std::span<const Offset> vectors, BestVectors& best, LevelScratch& scratch);

  private:
    const std::uint8_t* current_samples() const { return current_.row(rect_.y) + rect_.x; }
    const std::uint8_t* reference_samples(int x, int y) const {
        return reference_.data + (rect_.y + y) * reference_.stride + rect_.x + x;
    }
    void search_rows(int first, int end, BestVectors& best, LevelScratch& scratch);
    void offer(const Offset& vector, std::uint32_t distortion, BestVectors& best) const;

    const SearchInput& input_;
    PlaneView current_, reference_;
    BlockRect rect_;
    Window window_;
    LevelRate rate_;
    int evaluated_ = 0;
};

/// The search's window on a level for a rectangle of its samples, its range rounded up.
Window level_window(const BlockRect& rect, PlaneView picture, const SearchParams& params, int level);

} // namespace tandem
