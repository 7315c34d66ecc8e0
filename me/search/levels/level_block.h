// SPDX-License-Identifier: BSD-2-Clause
// The search of one block on one level of two pyramids. Vectors are in samples of the level.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "me/rates.h"
#include "me/search/block_search.h"

namespace tandem {

/// A vector of a level with its cost as one number, in the order of better(): cost, length, y and the sign of x. So the
/// best are kept without a branch, of which none could be foretold.
class VectorKey {
  public:
    VectorKey() = default; ///< No vector.
    VectorKey(std::uint32_t cost, const Offset& vector)
        : key_(std::uint64_t{cost} << 32 | static_cast<std::uint64_t>(std::abs(vector.x) + std::abs(vector.y)) << 14 |
               static_cast<std::uint64_t>(vector.y + middle) << 1 | (vector.x > 0 ? 1 : 0)) {}
    auto operator<=>(const VectorKey&) const = default;

    std::uint32_t cost() const { return static_cast<std::uint32_t>(key_ >> 32); }
    Offset vector() const {
        const auto key = static_cast<std::uint32_t>(key_);
        const int length = static_cast<int>(key >> 14), y = static_cast<int>(key >> 1 & (2 * middle - 1)) - middle;
        const int x = length - std::abs(y);
        return {(key & 1) != 0 ? x : -x, y};
    }

  private:
    static constexpr int middle = 4096;
    static_assert(largest_range < middle);
    std::uint64_t key_ = UINT64_MAX;
};

/// The best vector of a level. One may be offered again.
class BestVector {
  public:
    void offer(std::uint32_t cost, const Offset& vector) { best_ = std::min(best_, VectorKey(cost, vector)); }
    /// A vector whose cost is above this cannot enter.
    std::uint32_t threshold() const { return best_.cost(); }
    const VectorKey& operator*() const { return best_; }

  private:
    VectorKey best_;
};

/// The best few. Each is offered once.
class BestVectors {
  public:
    /// `capacity`: 1..most_level_candidates.
    explicit BestVectors(int capacity) : capacity_(static_cast<std::size_t>(capacity)) {}

    void offer(std::uint32_t cost, const Offset& vector);
    std::uint32_t threshold() const { return kept_[capacity_ - 1].cost(); }
    std::size_t size() const;
    Offset operator[](std::size_t index) const { return kept_[index].vector(); }

  private:
    std::size_t capacity_;
    std::array<VectorKey, most_level_candidates + 1> kept_; ///< The last one stays empty.
};

/// What the blocks of one thread use one after another.
struct LevelScratch {
    static constexpr std::size_t most_vectors = 9 * most_level_candidates;
    std::vector<MeasuredPosition> good;
    std::array<const std::uint8_t*, most_vectors + 1> addresses;
    std::array<std::uint32_t, most_vectors> distortions;
    std::array<Offset, most_vectors + 1> vectors;
};

/// The centres, at most most_level_candidates inside the window, and their 8 neighbours there, each vector once. In the
/// scratch.
std::span<const Offset> vectors_about(std::span<const Offset> centres, const Window& window, LevelScratch& scratch);

/// A vector of the next smaller level as one of this level, moved into the window.
inline Offset doubled(const Offset& coarse, const Window& window) {
    return {std::clamp(2 * coarse.x, window.min_x, window.max_x), std::clamp(2 * coarse.y, window.min_y, window.max_y)};
}

/// The best few of the next smaller level, doubled, and their neighbours: as above.
std::span<const Offset> vectors_about_doubled(const BestVectors& found, const Window& window, LevelScratch& scratch);

/// The samples of a level whose centres lie in a block, or the one that is nearest.
BlockRect level_rect(const BlockRect& block, int level);

/// What a level's vectors cost beside their distortions. A level has fewer samples, so that rates weigh less on it.
struct LevelRate {
    Mv predictor;
    int level;
    const Rates* rates; ///< Outlives the LevelBlock.
};

/// The vectors of a small window about one of them, without itself, and how far from its samples theirs are.
struct Surroundings {
    static constexpr int most_reach = 2;
    static constexpr std::size_t most = (2 * most_reach + 1) * (2 * most_reach + 1);
    /// So far across and down: 0..most_reach.
    Surroundings(int reach_x, int reach_y, std::ptrdiff_t stride);

    /// The 8 vectors next to it.
    bool is_ring() const { return reach_x == 1 && reach_y == 1; }

    int reach_x, reach_y;
    std::size_t count = 0;
    std::array<Offset, most> offsets;
    std::array<std::ptrdiff_t, most> distances;
};

/// Its searches offer to a BestVector or BestVectors.
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

    /// All vectors of the window, from its middle on: what is good there is hard to beat.
    template <class Best> void search_all(Best& best, LevelScratch& scratch);
    /// These vectors of the window, each once.
    template <class Best> void search_these(std::span<const Offset> vectors, Best& best, LevelScratch& scratch);
    /// The vectors about one, as far as they are in the window.
    template <class Best>
    void search_about(Offset centre, const Surroundings& others, Best& best, LevelScratch& scratch);

    /// The vectors at scaled offsets from one, as far as they are in the window.
    template <class Best>
    void search_pattern(Offset centre, std::span<const Offset> offsets, int scale_x, int scale_y, Best& best,
                        LevelScratch& scratch);

    /// Of a vector.
    std::uint32_t rate(const Offset& vector) const {
        const int eighths = eighths_per_pel << rate_.level, unit = input_.params->rate_unit;
        return rate_.rates->of(component_bits(vector.x * eighths - rate_.predictor.x, unit) +
                               component_bits(vector.y * eighths - rate_.predictor.y, unit));
    }

  private:
    const std::uint8_t* current_samples() const { return current_.row(rect_.y) + rect_.x; }
    const std::uint8_t* reference_samples(int x, int y) const {
        return reference_.data + (rect_.y + y) * reference_.stride + rect_.x + x;
    }
    template <class Best> void search_rows(int first, int end, Best& best, LevelScratch& scratch);
    /// The vectors vector_at(0..count-1), whose addresses are in the scratch.
    template <class VectorAt, class Best>
    void measure(std::size_t count, const VectorAt& vector_at, Best& best, LevelScratch& scratch);
    /// A vector with more cannot enter.
    template <class Best> std::uint32_t most_distortion(const Best& best) const {
        return best.threshold() - rate_.rates->least();
    }
    template <class Best> void offer(const Offset& vector, std::uint32_t distortion, Best& best) const {
        best.offer(cost_of(distortion, rate(vector)), vector);
    }

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
