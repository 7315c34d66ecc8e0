// SPDX-License-Identifier: BSD-2-Clause
#include "naive_search.h"

#include <algorithm>

#include "naive_block.h"
#include "naive_coarse.h"

namespace tandem::test {

namespace {

void put(const std::vector<Candidate>& found, MotionField& field, int column, int row) {
    std::copy(found.begin(), found.end(), field.block(column, row).begin());
}

Mv naive_median(const MotionField& field, int column, int row) {
    const auto at = [&](int c, int r) { return c >= 0 && c < field.columns() ? field.best(c, r).mv : Mv{}; };
    if (row == 0) return at(column - 1, 0);
    const bool last = column == field.columns() - 1;
    const Mv three[] = {at(column - 1, row), at(column, row - 1), at(last ? column - 1 : column + 1, row - 1)};
    const auto middle = [](int a, int b, int c) {
        int sorted[] = {a, b, c};
        std::sort(sorted, sorted + 3);
        return static_cast<std::int16_t>(sorted[1]);
    };
    return {middle(three[0].x, three[1].x, three[2].x), middle(three[0].y, three[1].y, three[2].y)};
}

/// The fields that a search on the grid leaves, before refinement: all rows, whatever rows are wanted.
MotionField search_grid(const MotionRequest& request, const MotionField& geometry) {
    const SearchParams& p = request.params;
    MotionField field = geometry;
    const auto for_each_block = [&](MotionField& to, const MotionRequest& r, auto starts) {
        for (int row = 0; row < to.rows(); ++row) {
            for (int column = 0; column < to.columns(); ++column) {
                put(NaiveBlock(r, to, column, row).search(starts(column, row)), to, column, row);
            }
        }
    };
    const NaiveCoarseMotion coarse(request);
    const auto with_coarse = [&](int column, int row, std::vector<Mv> more) {
        std::vector<Mv> starts = coarse.starts(geometry, column, row);
        starts.insert(starts.end(), more.begin(), more.end());
        return starts;
    };
    if (p.algorithm != Algorithm::smpuhex) {
        for_each_block(field, request, [&](int c, int r) { return with_coarse(c, r, {}); });
    } else if (p.block_order == BlockOrder::raster) {
        for_each_block(field, request, [&](int c, int r) { return with_coarse(c, r, {naive_median(field, c, r)}); });
    } else {
        MotionField before;
        for (int pass = 0; pass < p.passes; ++pass) {
            MotionRequest one = request;
            if (pass + 1 < p.passes) one.params.candidates = 1;
            MotionField now(geometry.picture_width(), geometry.picture_height(), p.block_width, p.block_height,
                            one.params.candidates);
            for_each_block(now, one, [&](int c, int r) {
                if (pass == 0) return with_coarse(c, r, {});
                return with_coarse(c, r, {naive_median(before, c, r), before.best(c, r).mv});
            });
            before = now;
        }
        field = before;
    }
    return field;
}

/// Predictor::neighbours: a whole field first, whose medians are the hint of another.
MotionField naive_two_passes(const MotionRequest& request) {
    MotionRequest pass = request;
    pass.params.predictor = Predictor::hint;
    pass.params.candidates = 1;
    pass.first_row = 0;
    pass.end_row = -1;
    const MotionField before = naive_estimate(pass);
    auto medians = std::make_shared<MotionField>(before);
    for (int row = 0; row < before.rows(); ++row) {
        for (int column = 0; column < before.columns(); ++column)
            medians->block(column, row)[0] = {naive_median(before, column, row), 0, 0};
    }
    pass = request;
    pass.params.predictor = Predictor::hint;
    pass.hint = medians;
    return naive_estimate(pass);
}

} // namespace

MotionField naive_estimate(const MotionRequest& request) {
    if (request.params.predictor == Predictor::neighbours) return naive_two_passes(request);
    const SearchParams& params = request.params;
    MotionField field(request.current->width(), request.current->height(), params.block_width, params.block_height,
                      params.candidates);
    const MotionField found = search_grid(request, field);
    const int end = request.end_row < 0 ? field.rows() : request.end_row;
    for (int row = request.first_row; row < end; ++row) {
        for (int column = 0; column < field.columns(); ++column) {
            const auto slots = found.block(column, row);
            const auto last =
                std::find_if(slots.begin(), slots.end(), [](const Candidate& c) { return c.distortion == UINT32_MAX; });
            put(NaiveBlock(request, field, column, row).refine({slots.begin(), last}), field, column, row);
        }
    }
    return field;
}

} // namespace tandem::test
