// SPDX-License-Identifier: BSD-2-Clause
#include "naive_coarse.h"

#include <cmath>

#include "naive_block.h"

namespace tandem::test {

namespace {

int scaled_up(int pels, int level) { return (pels + (1 << level) - 1) >> level; }

} // namespace

NaiveCoarseMotion::NaiveCoarseMotion(const MotionRequest& request) {
    if (!naive_begins_at_predictors(request.params)) return;
    width_ = request.current->width();
    height_ = request.current->height();
    farthest_x_ = naive_limit(width_, 255, request.params.farthest_x);
    farthest_y_ = naive_limit(height_, 127, request.params.farthest_y);
    int smallest = 1;
    for (; smallest < 4; ++smallest) {
        const auto side = static_cast<double>(8 << smallest);
        const double cells = std::ceil(width_ / side) * std::ceil(height_ / side);
        const double vectors =
            (2.0 * scaled_up(farthest_x_, smallest) + 1) * (2.0 * scaled_up(farthest_y_, smallest) + 1);
        if (cells * vectors <= 0.75 * width_ * height_) break;
    }
    std::vector<MotionRequest> levels{request};
    for (int level = 1; level <= smallest; ++level) {
        MotionRequest smaller = levels.back();
        smaller.current = frame_of(half_size(samples_of(levels.back().current->luma().view())));
        smaller.reference = frame_of(half_size(samples_of(levels.back().reference->luma().view())));
        levels.push_back(smaller);
    }
    for (int level = smallest; level > 0; --level)
        search_level(levels[static_cast<std::size_t>(level)], level, level == smallest);
}

void NaiveCoarseMotion::search_level(const MotionRequest& level_request, int level, bool smallest) {
    MotionRequest request = level_request;
    SearchParams& p = request.params;
    p.algorithm = Algorithm::full;
    p.start = Start::zero;
    p.planes = Planes::luma;
    p.predictor = Predictor::zero;
    p.range_x = scaled_up(farthest_x_, level);
    p.range_y = scaled_up(farthest_y_, level);
    p.block_width = p.block_height = 8;
    const MotionField cells(request.current->width(), request.current->height(), 8, 8, 1);
    std::vector<Mv> found;
    for (int row = 0; row < cells.rows(); ++row) {
        for (int column = 0; column < cells.columns(); ++column) {
            NaiveBlock cell = NaiveBlock::of_cell(request, cells, column, row, level);
            const int c = column / 2, r = row / 2, beside = column % 2 * 2 - 1, above = row % 2 * 2 - 1;
            found.push_back(smallest ? cell.best_of_all()
                                     : cell.best_about(of_cells(
                                           {{c, r}, {c + beside, r}, {c, r + above}, {c + beside, r + above}})));
        }
    }
    vectors_ = found;
    columns_ = cells.columns();
    rows_ = cells.rows();
}

std::vector<Mv> NaiveCoarseMotion::of_cells(const std::vector<std::pair<int, int>>& cells) const {
    std::vector<Mv> doubled;
    for (const auto& [column, row] : cells) {
        if (column < 0 || row < 0 || column >= columns_ || row >= rows_) continue;
        const Mv mv = vectors_[static_cast<std::size_t>(row * columns_ + column)];
        doubled.push_back({static_cast<std::int16_t>(2 * mv.x), static_cast<std::int16_t>(2 * mv.y)});
    }
    return doubled;
}

std::vector<Mv> NaiveCoarseMotion::starts(const MotionField& field, int column, int row) const {
    const int x = column * field.block_width(), y = row * field.block_height();
    const int width = std::min(field.block_width(), field.picture_width() - x);
    const int height = std::min(field.block_height(), field.picture_height() - y);
    const int c = (x + width / 2) / 16, r = (y + height / 2) / 16;
    return of_cells({{c, r}, {c - 1, r}, {c + 1, r}, {c, r - 1}, {c, r + 1}});
}

} // namespace tandem::test
