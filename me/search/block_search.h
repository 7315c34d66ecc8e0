// SPDX-License-Identifier: BSD-2-Clause
// What all searches of one block share: a search proposes vectors, this measures them and keeps the best.
#pragma once

#include <array>
#include <vector>

#include "me/block.h"
#include "me/candidate_list.h"
#include "me/cost.h"
#include "me/search.h"
#include "me/search/pattern.h"

namespace tandem {

/// The vector a block's rate is measured against.
Mv predictor_of(const SearchParams& params, const MotionField* hint, int column, int row);

/// The candidates that are kept whatever they cost where there is room beside the best: zero, then the predictor.
struct ForcedCandidates {
    std::array<Candidate, 2> candidates;
    int count = 0;
    void add(const Candidate& candidate);
    std::span<const Candidate> span() const { return {candidates.data(), static_cast<std::size_t>(count)}; }
};

/// The last step of every search: forces zero and the predictor in, applies SearchParams::null_gain (`zero` is the
/// candidate at the zero vector), and writes the block's slots.
void store_block(const SearchParams& params, const BlockRect& block, const Candidate& zero,
                 const ForcedCandidates& forced, CandidateList& list, std::span<Candidate> slots);

inline std::span<const Offset> offsets_of(const Pattern& pattern) {
    return {pattern.places, static_cast<std::size_t>(pattern.count)};
}

class BlockSearch {
  public:
    /// Measures zero and, where the window allows it, the predictor rounded to the grid (halves up).
    BlockSearch(const SearchInput& input, const MotionField& field, int column, int row);

    const BlockRect& block() const { return block_; }
    const Window& window() const { return window_; } ///< In pels.
    Mv predictor() const { return predictor_; }
    /// True where settles_for_zero(), so that nothing else is to be tried.
    bool settled() const { return settled_; }

    const std::uint8_t* current() const { return current_; }
    /// Address of the reference displaced by a whole vector.
    const std::uint8_t* reference(int x, int y) const {
        return input_->reference.data + (block_.y + y) * input_->reference.stride + block_.x + x;
    }

    /// Measures the whole vector (x, y), in pels, and keeps it if it is good; ignores what the window excludes.
    void propose(int x, int y);
    /// The same for a vector in eighth-pels, whose fraction is one of the planes'.
    void propose(Mv mv);
    /// The same for (x + scale_x * offset.x, y + scale_y * offset.y) for each offset.
    void propose_all(int x, int y, std::span<const Offset> offsets, int scale_x, int scale_y);
    /// The same for every whole vector of a rectangle inside the window, at most 64 rows. `good` is scratch.
    void propose_window(const Window& vectors, std::vector<MeasuredPosition>& good);
    /// Distortions of luma blocks of the reference at `count` addresses.
    void measure_many(const std::uint8_t* const* addresses, std::ptrdiff_t stride, int count,
                      std::uint32_t* distortions);
    /// Counts positions that a search measured by itself.
    void count(int positions) { evaluated_ += static_cast<std::uint64_t>(positions); }
    /// What the chroma planes add to the distortion at an allowed vector; 0 where luma alone is measured.
    std::uint32_t chroma_distortion(Mv mv) const {
        return input_->chroma ? input_->chroma->distortion(input_->kernels->of(input_->params->metric), block_, mv) : 0;
    }
    /// Keeps an allowed vector, whose distortion and cost are known already, if it is good.
    void offer(const Candidate& candidate) { list_.offer(candidate); }

    const CandidateList& list() const { return list_; }
    int best_x() const { return list_.best().mv.x / eighths_per_pel; }
    int best_y() const { return list_.best().mv.y / eighths_per_pel; }

    /// Writes the block's slots, and how many positions were measured for them.
    void store(MotionField& field);

  private:
    /// The candidate at an allowed vector, which is not kept.
    Candidate measure(Mv mv);
    void offer(Mv mv, std::uint32_t distortion);
    Window fill_list(const Window& vectors);
    void limit_rows(const Window& vectors, std::int32_t* limits) const;
    void propose_rows(const Window& vectors, const Window& tried, std::vector<MeasuredPosition>& good);

    const SearchInput* input_;
    int column_, row_;
    std::uint64_t evaluated_ = 0;
    BlockRect block_;
    Window window_;
    Mv predictor_;
    const std::uint8_t* current_;
    CandidateList list_;
    Candidate zero_;
    ForcedCandidates forced_;
    bool settled_ = false;
};

/// Tries the offsets, scaled, about the best vector; what is better than that is the next best. True when something
/// was.
inline bool try_pattern(BlockSearch& search, std::span<const Offset> offsets, int scale_x = 1, int scale_y = 1) {
    const Mv centre = search.list().best().mv;
    search.propose_all(search.best_x(), search.best_y(), offsets, scale_x, scale_y);
    return search.list().best().mv != centre;
}
inline bool try_pattern(BlockSearch& search, const Pattern& pattern, int scale_x = 1, int scale_y = 1) {
    return try_pattern(search, offsets_of(pattern), scale_x, scale_y);
}

} // namespace tandem
