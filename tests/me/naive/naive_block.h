// SPDX-License-Identifier: BSD-2-Clause
// One block's search, as plainly as the definitions of the searches.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "me/estimator.h"
#include "me/search.h"
#include "naive_distortion.h"
#include "naive_samples.h"
#include "naive_walk.h"

namespace tandem::test {

inline bool naive_begins_at_predictors(const SearchParams& p) {
    return p.algorithm == Algorithm::predictive || p.start == Start::predictors;
}

/// Along one side of a picture, of which as many pels as `near` are always plausible.
inline int naive_limit(int side, int near, int farthest) {
    int plausible = side / 4;
    if (plausible < near) plausible = side < near ? side : near;
    return plausible < farthest ? plausible : farthest;
}

class NaiveBlock {
  public:
    NaiveBlock(const MotionRequest& request, const MotionField& field, int column, int row)
        : request_(request), p_(request.params), current_(request.current->luma().view()),
          reference_(request.reference->luma().view()), x_(column * p_.block_width), y_(row * p_.block_height),
          width_(std::min(p_.block_width, field.picture_width() - x_)),
          height_(std::min(p_.block_height, field.picture_height() - y_)) {
        if (p_.predictor == Predictor::hint && request.hint &&
            request.hint->best(column, row).distortion != UINT32_MAX) {
            predictor_ = request.hint->best(column, row).mv;
        }
        reach_x_ = p_.range_x;
        reach_y_ = p_.range_y;
        if (naive_begins_at_predictors(p_)) {
            p_.range_x = naive_limit(field.picture_width(), 255, p_.farthest_x);
            p_.range_y = naive_limit(field.picture_height(), 127, p_.farthest_y);
        }
    }

    /// A cell of 8x8 samples of a level, whose range bounds its vectors.
    static NaiveBlock of_cell(const MotionRequest& level_request, const MotionField& cells, int column, int row,
                              int level) {
        NaiveBlock cell(level_request, cells, column, row);
        cell.level_ = level;
        cell.rate_shift_ = 2;
        return cell;
    }
    /// The best of every vector in the range, in eighths of a sample.
    Mv best_of_all() {
        for (int y = -p_.range_y; y <= p_.range_y; ++y) {
            for (int x = -p_.range_x; x <= p_.range_x; ++x)
                try_pels(x, y);
        }
        return best_mv();
    }
    /// The best of zero, the starts moved into the window, and then the 8 neighbours of the best of those.
    Mv best_about(const std::vector<Mv>& starts) {
        tried_.push_back(measure({}));
        for (const Mv mv : starts)
            tried_.push_back(measure(moved_inside(mv)));
        ring(1, 1);
        return best_mv();
    }

    /// The search on its grid, from zero, the predictor, and `starts` moved into the window.
    std::vector<Candidate> search(const std::vector<Mv>& starts) {
        const Candidate zero = measure({});
        if (is_good_enough(zero)) return {zero};
        const Mv on_grid{rounded(predictor_.x), rounded(predictor_.y)};
        std::vector<Mv> forced{{}};
        if (in_range(on_grid) && inside(on_grid)) forced.push_back(on_grid);
        for (const Mv mv : forced)
            tried_.push_back(measure(mv));
        for (const Mv mv : starts)
            tried_.push_back(measure(moved_inside(mv)));
        walk();
        return finish(tried_, forced, p_.precision == p_.grid);
    }

    std::vector<Candidate> refine(const std::vector<Candidate>& best) const {
        if (p_.precision == p_.grid) return best;
        const Candidate zero = measure({});
        if (is_good_enough(zero)) return {zero};
        std::vector<Candidate> refined;
        for (const Candidate& candidate : best)
            refined.push_back(refine(candidate));
        std::vector<Mv> forced{Mv{}};
        const int step = 8 / p_.precision;
        if (in_range(predictor_) && inside(predictor_) && predictor_.x % step == 0 && predictor_.y % step == 0)
            forced.push_back(predictor_);
        return finish(refined, forced, true);
    }

  private:
    /// Massanes' equation 4, or the threshold.
    bool is_good_enough(const Candidate& zero) const {
        return (p_.null_threshold > 0 && zero.distortion <= p_.null_threshold) ||
               (p_.null_level > 0 && zero.distortion <= std::int64_t{p_.null_level} * width_ * height_);
    }

    std::int16_t rounded(int eighths) const {
        const int step = 8 / p_.grid;
        return static_cast<std::int16_t>(((eighths + step / 2 + 8 * 10000) / step - 10000 * p_.grid) * step);
    }

    bool in_range(Mv mv) const { return std::abs(mv.x) <= 8 * p_.range_x && std::abs(mv.y) <= 8 * p_.range_y; }

    /// Each sample that the prediction reads lies in the picture.
    bool inside(Mv mv) const {
        if (p_.boundary == Boundary::padded) return true;
        const auto floor8 = [](int v) { return (v + 8 * 10000) / 8 - 10000; };
        const int left = x_ + floor8(mv.x), top = y_ + floor8(mv.y);
        return left >= 0 && top >= 0 && left + width_ - 1 + (mv.x % 8 != 0) < reference_.width &&
               top + height_ - 1 + (mv.y % 8 != 0) < reference_.height;
    }

    Candidate measure(Mv mv) const {
        Candidate candidate{mv, 0, 0};
        candidate.distortion = naive_distortion(
            p_.metric, width_, height_, [&](int x, int y) -> std::int64_t { return current_.at(x_ + x, y_ + y); },
            [&](int x, int y) -> std::int64_t { return interpolated(reference_, x_ + x, y_ + y, mv); });
        if (p_.planes == Planes::all) candidate.distortion += chroma_distortion(mv);
        const int length = code_length((mv.x << level_) - predictor_.x, p_.rate_unit) +
                           code_length((mv.y << level_) - predictor_.y, p_.rate_unit);
        const std::uint64_t rate = std::uint64_t{p_.lambda_q8} * static_cast<std::uint64_t>(length) / 256;
        candidate.cost = candidate.distortion + static_cast<std::uint32_t>(rate >> rate_shift_);
        return candidate;
    }

    /// Of the chroma samples (x, y) whose luma sample (2x, 2y) is in the block.
    std::uint32_t chroma_distortion(Mv mv) const {
        const int left = (x_ + 1) / 2, top = (y_ + 1) / 2;
        const int width = (x_ + width_ + 1) / 2 - left, height = (y_ + height_ + 1) / 2 - top;
        std::uint32_t sum = 0;
        for (int plane = 1; plane < 3; ++plane) {
            sum += naive_distortion(
                p_.metric, width, height,
                [&](int x, int y) -> std::int64_t {
                    return request_.current->plane(plane).view().at(left + x, top + y);
                },
                [&](int x, int y) -> std::int64_t {
                    return chroma_sample_at(request_.reference->plane(plane).view(), left + x, top + y, mv);
                });
        }
        return sum;
    }

    static bool comes_first(const Candidate& a, const Candidate& b) {
        const auto key = [](const Candidate& c) {
            return std::tuple(c.cost, std::abs(c.mv.x) + std::abs(c.mv.y), c.mv.y, c.mv.x);
        };
        return key(a) < key(b);
    }

    void try_pels(int x, int y) { try_eighths(8 * x, 8 * y); }

    void try_eighths(int x, int y) {
        const Mv mv{static_cast<std::int16_t>(x), static_cast<std::int16_t>(y)};
        if (in_range(mv) && inside(mv)) tried_.push_back(measure(mv));
    }

    Mv moved_inside(Mv mv) const {
        int x = mv.x / 8, y = mv.y / 8;
        const auto bad = [&](int dx, int dy) {
            return !in_range(mv_from_pels(dx, dy)) || !inside(mv_from_pels(dx, dy));
        };
        while (x != 0 && bad(x, 0))
            x += x > 0 ? -1 : 1;
        while (y != 0 && bad(0, y))
            y += y > 0 ? -1 : 1;
        return mv_from_pels(x, y);
    }

    Mv best_mv() const { return std::min_element(tried_.begin(), tried_.end(), comes_first)->mv; }

    void ring(int step_x, int step_y) {
        const Mv centre = best_mv();
        for (int dy = -1; dy <= 1; ++dy) {
            for (int dx = -1; dx <= 1; ++dx)
                try_pels(centre.x / 8 + dx * step_x, centre.y / 8 + dy * step_y);
        }
    }

    void walk() {
        if (p_.algorithm == Algorithm::full) {
            const int step = 8 / p_.grid;
            for (int y = -8 * reach_y_; y <= 8 * reach_y_; y += step) {
                for (int x = -8 * reach_x_; x <= 8 * reach_x_; x += step)
                    try_eighths(x, y);
            }
        } else if (p_.algorithm == Algorithm::three_step) {
            int sx = reach_x_ == 0 ? 0 : p_.first_step > 0 ? p_.first_step : (reach_x_ + 1) / 2;
            int sy = reach_y_ == 0 ? 0 : p_.first_step > 0 ? p_.first_step : (reach_y_ + 1) / 2;
            for (; sx > 0 || sy > 0; sx /= 2, sy /= 2)
                ring(std::max(sx, 1), std::max(sy, 1));
        } else if (p_.algorithm == Algorithm::logarithmic && p_.step_sequence == StepSequence::halving) {
            int step = p_.first_step > 0 ? p_.first_step : (std::max(reach_x_, reach_y_) + 1) / 2;
            while (step > 1) {
                if (!about_best(is_small_diamond, step)) step /= 2;
            }
            ring(1, 1);
        } else if (p_.algorithm == Algorithm::logarithmic) {
            const auto first = [&](int range) {
                if (p_.first_step > 0 && range > 0) return p_.first_step;
                int m = 0;
                while (m * (m + 1) / 2 < range)
                    ++m;
                return m;
            };
            int sx = first(reach_x_), sy = first(reach_y_);
            for (; sx > 0 || sy > 0; sx = std::max(sx - 1, 0), sy = std::max(sy - 1, 0)) {
                ring(std::max(sx, 1), std::max(sy, 1));
            }
        } else if (p_.algorithm == Algorithm::diamond) {
            while (about_best(is_large_diamond)) {
            }
            about_best(is_small_diamond);
        } else if (p_.algorithm == Algorithm::hexagon) {
            while (about_best(is_hexagon)) {
            }
            about_best(is_small_diamond);
        } else if (p_.algorithm == Algorithm::smpuhex) {
            walk_smpuhex();
        } else if (p_.algorithm == Algorithm::hierarchical) {
            walk_hierarchy();
        } else if (p_.algorithm == Algorithm::predictive) {
            const Mv centre = best_mv();
            for (int y = -reach_y_; y <= reach_y_; ++y) {
                for (int x = -reach_x_; x <= reach_x_; ++x)
                    try_pels(centre.x / 8 + x, centre.y / 8 + y);
            }
            const std::uint32_t left = measure(best_mv()).distortion;
            const bool is_copy = left == 0 && best_mv() != Mv{};
            if (p_.wide_range > 0) {
                if (is_copy || is_worth(left, 64)) walk_widely();
                if (keeps_best() && measure(best_mv()).distortion != 0 && is_drawn()) walk_whole();
            }
        } else if (const Walk* data = search_row(p_.algorithm).walk; data != nullptr) {
            NaiveWalk(
                *data, p_, reach_x_, reach_y_, [&](int x, int y) { try_pels(x, y); }, [&] { return best_mv(); })
                .run();
        } else {
            throw std::logic_error("no naive search for this algorithm");
        }
    }

    /// Zero is not put in the best one's place by a gain.
    bool keeps_best() const { return p_.null_gain == 0 || p_.precision != p_.grid; }
    bool is_worth(std::uint32_t distortion, std::uint32_t bits) const {
        return std::uint64_t{distortion} * 256 > std::uint64_t{p_.lambda_q8} * bits;
    }

    using Shape = bool (*)(int x, int y);
    static bool is_small_diamond(int x, int y) { return std::abs(x) + std::abs(y) == 1; }
    static bool is_large_diamond(int x, int y) { return std::abs(x) + std::abs(y) == 2; }
    static bool is_hexagon(int x, int y) {
        return (std::abs(x) == 2 && y == 0) || (std::abs(x) == 1 && std::abs(y) == 2);
    }
    static bool is_large_hexagon(int x, int y) {
        return (std::abs(x) == 4 && std::abs(y) <= 2) || (std::abs(x) == 2 && std::abs(y) == 3) ||
               (x == 0 && std::abs(y) == 4);
    }

    void about(Mv centre, Shape shape, int scale) {
        for (int y = -4; y <= 4; ++y) {
            for (int x = -4; x <= 4; ++x) {
                if (shape(x, y)) try_pels(centre.x / 8 + scale * x, centre.y / 8 + scale * y);
            }
        }
    }

    bool about_best(Shape shape, int scale = 1) {
        const Mv centre = best_mv();
        about(centre, shape, scale);
        return best_mv() != centre;
    }

    /// JVT-P021, step by step.
    void walk_smpuhex() {
        const auto cost = [&] { return std::min_element(tried_.begin(), tried_.end(), comes_first)->cost; };
        const auto samples = static_cast<std::uint64_t>(width_ * height_);
        const std::uint64_t converged = p_.smpuhex_converged * samples / 256;
        const std::uint64_t wide = (samples >= 256 ? p_.smpuhex_wide : p_.smpuhex_wide_small) * samples / 256;
        const int range = std::max(reach_x_, reach_y_);
        if (cost() < converged) {
            about_best(is_small_diamond);
            return;
        }
        about_best(is_small_diamond);
        if (cost() > wide) {
            const Mv centre = best_mv();
            for (int i = 1; i < range; i += 2)
                about(centre, is_small_diamond, i);
            about(centre, is_hexagon, 1);
            for (int i = 1; i <= range / 4; ++i)
                about(centre, is_large_hexagon, i);
        }
        if (best_mv() != Mv{}) about_best(is_small_diamond);
        if (cost() < converged) {
            about_best(is_small_diamond);
            return;
        }
        int steps = 0;
        while (steps++ < range && about_best(is_hexagon)) {
        }
        steps = 0;
        while (steps++ < range && about_best(is_small_diamond)) {
        }
    }

    NaiveBlock on_level(const MotionRequest& level_request, int level) const;
    std::vector<Mv> best_few(int count) const;
    void about_each(const std::vector<Mv>& vectors);
    void walk_hierarchy();
    void walk_widely();
    void walk_widely_about(const std::vector<MotionRequest>& levels, Mv centre, int pels);
    bool is_drawn() const;
    void walk_whole();

    Candidate refine(Candidate best) const {
        for (int step = 4 / p_.grid; step >= 8 / p_.precision; step /= 2) {
            const Mv centre = best.mv;
            for (int dy = -1; dy <= 1; ++dy) {
                for (int dx = -1; dx <= 1; ++dx) {
                    const Mv mv{static_cast<std::int16_t>(centre.x + dx * step),
                                static_cast<std::int16_t>(centre.y + dy * step)};
                    if (!inside(mv)) continue;
                    const Candidate candidate = measure(mv);
                    if (comes_first(candidate, best)) best = candidate;
                }
            }
        }
        return best;
    }

    /// The best, then what is forced while there is room, then the best of the others; in order; then the null gain.
    std::vector<Candidate> finish(std::vector<Candidate> all, const std::vector<Mv>& forced, bool apply_gain) const {
        std::sort(all.begin(), all.end(), comes_first);
        all.erase(std::unique(all.begin(), all.end()), all.end());
        const auto room = static_cast<std::size_t>(p_.candidates);
        std::vector<Candidate> kept{all.front()};
        const auto add = [&](const Candidate& c) {
            if (kept.size() < room && std::find(kept.begin(), kept.end(), c) == kept.end()) kept.push_back(c);
        };
        for (const Mv mv : forced)
            add(measure(mv));
        for (const Candidate& candidate : all)
            add(candidate);
        std::sort(kept.begin(), kept.end(), comes_first);
        if (apply_gain && p_.null_gain > 0) {
            const Candidate zero = measure({});
            const std::int64_t gain = std::int64_t{zero.distortion} - kept.front().distortion;
            if (gain <= std::int64_t{p_.null_gain} * width_ * height_) {
                std::erase(kept, zero);
                kept.insert(kept.begin(), zero);
                kept.resize(std::min(kept.size(), room));
            }
        }
        return kept;
    }

    int interpolated(PlaneView plane, int x, int y, Mv mv) const {
        const bool six = p_.interpolation == Interpolation::six_tap;
        return six ? six_tap_sample_at(plane, x, y, mv) : sample_at(plane, x, y, mv);
    }

    const MotionRequest& request_;
    SearchParams p_;
    int level_ = 0;
    int rate_shift_ = 0;
    int reach_x_, reach_y_; ///< Pels about where the search begins; p_'s ranges bound the vectors.
    PlaneView current_, reference_;
    int x_, y_, width_, height_;
    Mv predictor_;
    std::vector<Candidate> tried_;
};

} // namespace tandem::test

#include "naive_hierarchy.h"
