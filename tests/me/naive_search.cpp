// SPDX-License-Identifier: BSD-2-Clause
#include "naive_search.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <tuple>

namespace tandem::test {

namespace {

int clamped(PlaneView plane, int x, int y) {
    return plane.at(std::clamp(x, 0, plane.width - 1), std::clamp(y, 0, plane.height - 1));
}

int bits(int difference, int unit) {
    int magnitude = std::abs(difference) / unit;
    int length = 1;
    for (; magnitude > 0; magnitude /= 2)
        length += 2;
    return length;
}

std::uint32_t hadamard4x4(const int (&d)[4][4]) {
    constexpr int h[4][4] = {{1, 1, 1, 1}, {1, -1, 1, -1}, {1, 1, -1, -1}, {1, -1, -1, 1}};
    int sum = 0;
    for (int u = 0; u < 4; ++u) {
        for (int v = 0; v < 4; ++v) {
            int coefficient = 0;
            for (int y = 0; y < 4; ++y) {
                for (int x = 0; x < 4; ++x)
                    coefficient += h[u][y] * h[v][x] * d[y][x];
            }
            sum += std::abs(coefficient);
        }
    }
    return static_cast<std::uint32_t>((sum + 1) / 2);
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
    }

    std::vector<Candidate> search() {
        const Candidate zero = measure({});
        if (p_.null_threshold > 0 && zero.distortion <= p_.null_threshold) return {zero};
        const Mv on_grid{rounded(predictor_.x), rounded(predictor_.y)};
        std::vector<Mv> forced{{}};
        if (in_range(on_grid) && inside(on_grid)) forced.push_back(on_grid);
        for (const Mv mv : forced)
            tried_.push_back(measure(mv));
        walk();
        std::vector<Candidate> best = finish(tried_, forced, p_.precision == p_.grid);
        if (p_.precision == p_.grid) return best;
        std::vector<Candidate> refined;
        for (const Candidate& candidate : best)
            refined.push_back(refine(candidate));
        forced = {Mv{}};
        const int step = 8 / p_.precision;
        if (inside(predictor_) && predictor_.x % step == 0 && predictor_.y % step == 0) forced.push_back(predictor_);
        return finish(refined, forced, true);
    }

  private:
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
        const auto difference = [&](int x, int y) {
            return current_.at(x_ + x, y_ + y) - sample_at(reference_, x_ + x, y_ + y, mv);
        };
        for (int y = 0; y < height_; ++y) {
            for (int x = 0; x < width_; ++x) {
                const int d = difference(x, y);
                const bool transformed = p_.metric == Metric::satd && x < width_ / 4 * 4 && y < height_ / 4 * 4;
                if (transformed && (x % 4 != 0 || y % 4 != 0)) continue;
                if (transformed) {
                    int block[4][4];
                    for (int i = 0; i < 16; ++i)
                        block[i / 4][i % 4] = difference(x + i % 4, y + i / 4);
                    candidate.distortion += hadamard4x4(block);
                } else {
                    candidate.distortion += static_cast<std::uint32_t>(p_.metric == Metric::ssd ? d * d : std::abs(d));
                }
            }
        }
        const int length = bits(mv.x - predictor_.x, p_.rate_unit) + bits(mv.y - predictor_.y, p_.rate_unit);
        candidate.cost = candidate.distortion + static_cast<std::uint32_t>(std::uint64_t{p_.lambda_q8} *
                                                                           static_cast<std::uint64_t>(length) / 256);
        return candidate;
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
            for (int y = -8 * p_.range_y; y <= 8 * p_.range_y; y += step) {
                for (int x = -8 * p_.range_x; x <= 8 * p_.range_x; x += step)
                    try_eighths(x, y);
            }
        } else if (p_.algorithm == Algorithm::three_step) {
            int sx = (p_.range_x + 1) / 2, sy = (p_.range_y + 1) / 2;
            for (; sx > 0 || sy > 0; sx /= 2, sy /= 2)
                ring(std::max(sx, 1), std::max(sy, 1));
        } else if (p_.algorithm == Algorithm::logarithmic) {
            const auto first = [](int range) {
                int m = 0;
                while (m * (m + 1) / 2 < range)
                    ++m;
                return m;
            };
            int sx = first(p_.range_x), sy = first(p_.range_y);
            for (; sx > 0 || sy > 0; sx = std::max(sx - 1, 0), sy = std::max(sy - 1, 0)) {
                ring(std::max(sx, 1), std::max(sy, 1));
            }
        } else {
            throw std::logic_error("no naive search for this algorithm");
        }
    }

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

    const MotionRequest& request_;
    const SearchParams& p_;
    PlaneView current_, reference_;
    int x_, y_, width_, height_;
    Mv predictor_;
    std::vector<Candidate> tried_;
};

} // namespace

int sample_at(PlaneView plane, int x, int y, Mv mv) {
    const int eighths_x = 8 * x + mv.x + 8 * 10000, eighths_y = 8 * y + mv.y + 8 * 10000;
    const int x0 = eighths_x / 8 - 10000, y0 = eighths_y / 8 - 10000, ax = eighths_x % 8, ay = eighths_y % 8;
    const int a = clamped(plane, x0, y0), b = clamped(plane, x0 + 1, y0);
    const int c = clamped(plane, x0, y0 + 1), d = clamped(plane, x0 + 1, y0 + 1);
    return ((8 - ax) * (8 - ay) * a + ax * (8 - ay) * b + (8 - ax) * ay * c + ax * ay * d + 32) / 64;
}

MotionField naive_estimate(const MotionRequest& request) {
    const SearchParams& params = request.params;
    MotionField field(request.current->width(), request.current->height(), params.block_width, params.block_height,
                      params.candidates);
    const int end = request.end_row < 0 ? field.rows() : request.end_row;
    for (int row = request.first_row; row < end; ++row) {
        for (int column = 0; column < field.columns(); ++column) {
            const std::vector<Candidate> found = NaiveBlock(request, field, column, row).search();
            std::copy(found.begin(), found.end(), field.block(column, row).begin());
        }
    }
    return field;
}

} // namespace tandem::test
