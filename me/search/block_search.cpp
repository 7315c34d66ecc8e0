// SPDX-License-Identifier: BSD-2-Clause
#include "me/search/block_search.h"

#include <algorithm>
#include <utility>

#include "me/null_rules.h"

namespace tandem {

Mv predictor_of(const SearchParams& params, const MotionField* hint, int column, int row) {
    if (params.predictor == Predictor::zero || hint == nullptr) return {};
    const Candidate& hinted = hint->best(column, row);
    return has_vector(hinted) ? hinted.mv : Mv{};
}

void ForcedCandidates::add(const Candidate& candidate) { candidates[static_cast<std::size_t>(count++)] = candidate; }

void store_block(const SearchParams& params, const BlockRect& block, const Candidate& zero,
                 const ForcedCandidates& forced, CandidateList& list, std::span<Candidate> slots) {
    for (std::size_t i = 0; i < forced.span().size(); ++i)
        list.force(forced.span()[i], forced.span().first(i));
    if (gains_too_little(params, list.best().distortion, zero.distortion, block.samples())) {
        if (slots.size() == 1) list = CandidateList(1);
        list.offer(zero);
        list.promote(zero.mv);
    }
    list.store(slots);
}

BlockSearch::BlockSearch(const SearchInput& input, const MotionField& field, int column, int row)
    : input_(&input), column_(column), row_(row), block_(block_rect(field, column, row)),
      window_(
          window_within(input.limits, block_, field.picture_width(), field.picture_height(), input.params->boundary)),
      predictor_(predictor_of(*input.params, input.hint, column, row)),
      current_(input.current.row(block_.y) + block_.x), list_(input.params->candidates), zero_(measure({})) {
    list_.offer(zero_);
    forced_.add(zero_);
    settled_ = settles_for_zero(*input.params, zero_.distortion, block_.samples());
    if (settled_) return;
    const int step = eighths_per_pel / input.params->grid;
    const auto rounded = [step](int eighths) { return (eighths + step / 2) & -step; };
    const int x = rounded(predictor_.x);
    const int y = rounded(predictor_.y);
    const Window& w = window_;
    const Window eighths{w.min_x * eighths_per_pel, w.max_x * eighths_per_pel, w.min_y * eighths_per_pel,
                         w.max_y * eighths_per_pel};
    if ((x == 0 && y == 0) || !eighths.contains(x, y)) return;
    forced_.add(measure({static_cast<std::int16_t>(x), static_cast<std::int16_t>(y)}));
    list_.offer(forced_.candidates[1]);
}

Candidate BlockSearch::measure(Mv mv) {
    ++evaluated_;
    const SearchParams& params = *input_->params;
    const bool whole = mv.x % eighths_per_pel == 0 && mv.y % eighths_per_pel == 0;
    const std::uint8_t* there =
        whole ? reference(mv.x / eighths_per_pel, mv.y / eighths_per_pel) : input_->planes->at(block_.x, block_.y, mv);
    const std::ptrdiff_t stride = whole ? input_->reference.stride : input_->planes->stride();
    const std::uint32_t distortion = input_->kernels->of(params.metric)(current_, input_->current.stride, there, stride,
                                                                        block_.width, block_.height) +
                                     chroma_distortion(mv);
    return {mv, distortion, cost_of(distortion, mv, predictor_, params.lambda_q8, params.rate_unit)};
}

void BlockSearch::propose(int x, int y) {
    if (window_.contains(x, y)) list_.offer(measure(mv_from_pels(x, y)));
}

void BlockSearch::propose(Mv mv) {
    const Window eighths{window_.min_x * eighths_per_pel, window_.max_x * eighths_per_pel,
                         window_.min_y * eighths_per_pel, window_.max_y * eighths_per_pel};
    if (eighths.contains(mv.x, mv.y)) list_.offer(measure(mv));
}

void BlockSearch::propose_all(int x, int y, std::span<const Offset> offsets, int scale_x, int scale_y) {
    constexpr std::size_t most = 16;
    std::array<const std::uint8_t*, most> addresses;
    std::array<Mv, most> vectors;
    std::array<std::uint32_t, most> distortions;
    while (!offsets.empty()) {
        const std::span<const Offset> now = offsets.first(std::min(most, offsets.size()));
        offsets = offsets.subspan(now.size());
        std::size_t count = 0;
        for (const Offset& offset : now) {
            const int to_x = x + scale_x * offset.x, to_y = y + scale_y * offset.y;
            if (!window_.contains(to_x, to_y)) continue;
            addresses[count] = reference(to_x, to_y);
            vectors[count++] = mv_from_pels(to_x, to_y);
        }
        measure_many(addresses.data(), input_->reference.stride, static_cast<int>(count), distortions.data());
        for (std::size_t i = 0; i < count; ++i) {
            if (distortions[i] <= list_.threshold()) offer(vectors[i], distortions[i] + chroma_distortion(vectors[i]));
        }
    }
}

void BlockSearch::propose_window(const Window& vectors, std::vector<MeasuredPosition>& good) {
    const int columns = vectors.max_x - vectors.min_x + 1, rows = vectors.max_y - vectors.min_y + 1;
    good.resize(static_cast<std::size_t>(columns * rows));
    const Window tried = fill_list(vectors);
    evaluated_ += static_cast<std::uint64_t>(columns * rows);
    propose_rows(vectors, tried, good);
}

/// What is next to the best is hard to beat, so that few of a window's other vectors are looked at again. Returns where
/// all vectors have been tried: about the best, if that lies inside the window, or nowhere. They are measured once more
/// with the window, and counted then.
Window BlockSearch::fill_list(const Window& vectors) {
    const int x = best_x(), y = best_y();
    const bool is_inside = vectors.contains(x - 1, y - 1) && vectors.contains(x + 1, y + 1);
    if (list_.full() || !is_inside) return {0, -1, 0, -1};
    const std::uint64_t evaluated = evaluated_;
    propose_all(x, y, offsets_of(patterns::square), 1, 1);
    evaluated_ = evaluated;
    return {x - 1, x + 1, y - 1, y + 1};
}

/// The largest distortions with which vectors of these rows may enter the list.
void BlockSearch::limit_rows(const Window& vectors, std::int32_t* limits) const {
    const SearchParams& params = *input_->params;
    const int nearest = std::clamp<int>(predictor_.x, vectors.min_x * eighths_per_pel, vectors.max_x * eighths_per_pel);
    const int bits_x = component_bits(nearest - predictor_.x, params.rate_unit);
    const std::uint32_t threshold = list_.threshold();
    for (int y = vectors.min_y; y <= vectors.max_y; ++y) {
        const int bits = bits_x + component_bits(y * eighths_per_pel - predictor_.y, params.rate_unit);
        const std::int64_t limit = std::int64_t{threshold} - rate_of(bits, params.lambda_q8);
        *limits++ = threshold >= largest_cost
                        ? INT32_MAX
                        : static_cast<std::int32_t>(std::clamp<std::int64_t>(limit, -1, INT32_MAX));
    }
}

void BlockSearch::propose_rows(const Window& vectors, const Window& tried, std::vector<MeasuredPosition>& good) {
    std::array<std::int32_t, 64> limits;
    limit_rows(vectors, limits.data());
    const int count = input_->kernels->within(input_->params->metric)(
        current_, input_->current.stride, reference(vectors.min_x, vectors.min_y), input_->reference.stride,
        block_.width, block_.height, vectors.max_x - vectors.min_x + 1, vectors.max_y - vectors.min_y + 1,
        limits.data(), good.data());
    for (const auto& [position, distortion] : std::span(good).first(static_cast<std::size_t>(count))) {
        const int x = vectors.min_x + position.column, y = vectors.min_y + position.row;
        if (distortion > list_.threshold() || tried.contains(x, y)) continue;
        const Mv mv = mv_from_pels(x, y);
        offer(mv, distortion + chroma_distortion(mv));
    }
}

void BlockSearch::measure_many(const std::uint8_t* const* addresses, std::ptrdiff_t stride, int count,
                               std::uint32_t* distortions) {
    evaluated_ += static_cast<std::uint64_t>(count);
    input_->kernels->many(input_->params->metric, current_, input_->current.stride, addresses, stride, block_.width,
                          block_.height, count, distortions);
}

void BlockSearch::offer(Mv mv, std::uint32_t distortion) {
    const SearchParams& params = *input_->params;
    const std::uint32_t cost = cost_of(distortion, mv, predictor_, params.lambda_q8, params.rate_unit);
    if (cost <= list_.threshold()) list_.offer({mv, distortion, cost});
}

void BlockSearch::store(MotionField& field) {
    store_block(*input_->params, block_, zero_, forced_, list_, field.block(column_, row_));
    field.add_evaluated(row_, evaluated_);
}

} // namespace tandem
