// SPDX-License-Identifier: BSD-2-Clause
// The multi-resolution search of one block, as plainly as Mazaré describes it.
#pragma once

#include "naive_block.h"

namespace tandem::test {

/// The same block on a smaller level, whose vectors count samples of that level.
inline NaiveBlock NaiveBlock::on_level(const MotionRequest& level_request, int level) const {
    NaiveBlock block = *this;
    block.current_ = level_request.current->luma().view();
    block.reference_ = level_request.reference->luma().view();
    block.x_ = x_ >> level;
    block.y_ = y_ >> level;
    block.width_ = std::max(((x_ + width_) >> level) - block.x_, 1);
    block.height_ = std::max(((y_ + height_) >> level) - block.y_, 1);
    block.p_.range_x = (p_.range_x + (1 << level) - 1) >> level;
    block.p_.range_y = (p_.range_y + (1 << level) - 1) >> level;
    block.level_ = level;
    block.rate_shift_ = 2 * level;
    block.p_.planes = Planes::luma;
    block.tried_.clear();
    return block;
}

inline std::vector<Mv> NaiveBlock::best_few(int count) const {
    std::vector<Candidate> sorted = tried_;
    std::sort(sorted.begin(), sorted.end(), comes_first);
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    sorted.resize(std::min(sorted.size(), static_cast<std::size_t>(count)));
    std::vector<Mv> vectors;
    for (const Candidate& candidate : sorted)
        vectors.push_back(candidate.mv);
    return vectors;
}

inline void NaiveBlock::about_each(const std::vector<Mv>& vectors) {
    for (const Mv mv : vectors) {
        const Mv centre = moved_inside(mv);
        for (int y = -1; y <= 1; ++y) {
            for (int x = -1; x <= 1; ++x)
                try_pels(centre.x / 8 + x, centre.y / 8 + y);
        }
    }
}

/// Both pictures at full size, half of it, and so on.
inline std::vector<MotionRequest> naive_levels(const MotionRequest& request, int count) {
    std::vector<MotionRequest> levels{request};
    for (int level = 1; level < count; ++level) {
        MotionRequest smaller = levels.back();
        smaller.current = frame_of(half_size(samples_of(levels.back().current->luma().view())));
        smaller.reference = frame_of(half_size(samples_of(levels.back().reference->luma().view())));
        levels.push_back(smaller);
    }
    return levels;
}

inline std::vector<Mv> doubled(std::vector<Mv> vectors) {
    for (Mv& mv : vectors)
        mv = {static_cast<std::int16_t>(2 * mv.x), static_cast<std::int16_t>(2 * mv.y)};
    return vectors;
}

inline void NaiveBlock::walk_hierarchy() {
    const std::vector<MotionRequest> levels = naive_levels(request_, p_.levels);
    std::vector<Mv> found;
    for (int level = p_.levels - 1; level > 0; --level) {
        NaiveBlock block = on_level(levels[static_cast<std::size_t>(level)], level);
        if (level == p_.levels - 1) {
            for (int y = -block.p_.range_y; y <= block.p_.range_y; ++y) {
                for (int x = -block.p_.range_x; x <= block.p_.range_x; ++x)
                    block.try_pels(x, y);
            }
        } else {
            block.about_each(found);
        }
        found = doubled(block.best_few(p_.level_candidates));
    }
    if (p_.levels > 1) {
        about_each(found);
        return;
    }
    NaiveBlock only = on_level(request_, 0);
    for (int y = -p_.range_y; y <= p_.range_y; ++y) {
        for (int x = -p_.range_x; x <= p_.range_x; ++x)
            only.try_pels(x, y);
    }
    for (const Mv mv : only.best_few(p_.level_candidates))
        try_pels(mv.x / 8, mv.y / 8);
}

/// All vectors of quarter size within the wide range of the best one, then the best few at half and at full size. Where
/// 12 a sample are left then, the same within 124 pels of zero, or the wide range if that is more.
inline void NaiveBlock::walk_widely() {
    const std::vector<MotionRequest> levels = naive_levels(request_, 3);
    const auto down = [](int eighths, int scale) { return (eighths + 8 * 10000) / (8 * scale) - 10000 / scale; };
    NaiveBlock quarter = on_level(levels[2], 2);
    const Mv best = best_mv();
    walk_widely_about(levels, quarter.moved_inside(mv_from_pels(down(best.x, 4), down(best.y, 4))), p_.wide_range);
    const std::uint32_t left = measure(best_mv()).distortion;
    if (keeps_best() && is_worth(left, 64) && left > 12U * static_cast<unsigned>(width_ * height_))
        walk_widely_about(levels, {}, std::max(p_.wide_range, 124));
}

/// Within so many pels of a vector of quarter size.
inline void NaiveBlock::walk_widely_about(const std::vector<MotionRequest>& levels, Mv centre, int pels) {
    NaiveBlock quarter = on_level(levels[2], 2), half = on_level(levels[1], 1);
    const int range = (pels + 3) / 4;
    for (int y = -range; y <= range; ++y) {
        for (int x = -range; x <= range; ++x)
            quarter.try_pels(centre.x / 8 + x, centre.y / 8 + y);
    }
    half.about_each(doubled(quarter.best_few(6)));
    about_each(doubled(half.best_few(6)));
}

/// Of all pairs of samples, each with itself too, a fifth are equal, and those that differ by one are fewer than these
/// times the spread / 256.
inline bool NaiveBlock::is_drawn() const {
    const int samples = width_ * height_;
    const auto sample = [&](int i) { return int{current_.at(x_ + i % width_, y_ + i / width_)}; };
    std::int64_t equal = 0, one_more = 0;
    int spread = 0;
    for (int i = 0; i < samples; ++i) {
        for (int j = 0; j < samples; ++j) {
            equal += sample(i) == sample(j);
            one_more += sample(i) == sample(j) + 1;
            spread = std::max(spread, sample(i) - sample(j));
        }
    }
    return 5 * equal >= samples * samples && 256 * one_more < spread * equal;
}

/// Every vector within 128 pels of zero.
inline void NaiveBlock::walk_whole() {
    for (int y = -128; y <= 128; ++y) {
        for (int x = -128; x <= 128; ++x)
            try_pels(x, y);
    }
}

} // namespace tandem::test
