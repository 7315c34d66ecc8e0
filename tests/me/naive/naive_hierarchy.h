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

inline std::vector<Mv> NaiveBlock::best_few() const {
    std::vector<Candidate> sorted = tried_;
    std::sort(sorted.begin(), sorted.end(), comes_first);
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    sorted.resize(std::min(sorted.size(), static_cast<std::size_t>(p_.level_candidates)));
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

inline void NaiveBlock::walk_hierarchy() {
    std::vector<MotionRequest> levels{request_};
    for (int level = 1; level < p_.levels; ++level) {
        MotionRequest smaller = levels.back();
        smaller.current = frame_of(half_size(samples_of(levels.back().current->luma().view())));
        smaller.reference = frame_of(half_size(samples_of(levels.back().reference->luma().view())));
        levels.push_back(smaller);
    }
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
        found.clear();
        for (const Mv mv : block.best_few()) {
            found.push_back({static_cast<std::int16_t>(2 * mv.x), static_cast<std::int16_t>(2 * mv.y)});
        }
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
    for (const Mv mv : only.best_few())
        try_pels(mv.x / 8, mv.y / 8);
}

} // namespace tandem::test
