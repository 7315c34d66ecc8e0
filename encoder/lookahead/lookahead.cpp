// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/lookahead/lookahead.h"

#include <algorithm>
#include <utility>

#include "encoder/lookahead/macroblock_costs.h"
#include "me/search/levels/pyramid.h"

namespace tandem {

namespace {

/// Pictures whose searches may still be under way beside a decision.
constexpr int under_way = 4;
/// A flash of so many pictures is none but a cut.
constexpr int longest_flash = 2;

std::shared_ptr<const Frame> half_of(const Frame& picture, Workers& workers) {
    const Pyramid pyramid(picture.luma().view(), 2, 0, workers);
    auto half = std::make_shared<Frame>(picture.width() / 2, picture.height() / 2);
    copy_and_extend(pyramid.level(1), half->plane(0).view());
    half->plane(1).fill(128); // Not searched, but copied to devices.
    half->plane(2).fill(128);
    return half;
}

SubpelPlanes half_pels_of(const Frame& half, Workers& workers) {
    SubpelPlanes planes = SubpelPlanes::half_pels_of(half.luma().view());
    for_bands(&workers, half.height(), half.width(),
              [&](int first, int end) { planes.make_half_pel_rows(first, end); });
    return planes;
}

} // namespace

Lookahead::Lookahead(const LookaheadSettings& settings, Coprocessor& motion, Workers& workers)
    : settings_(settings), motion_(motion), workers_(workers) {}

SearchParams Lookahead::search_params() {
    SearchParams params;
    params.algorithm = Algorithm::diamond;
    params.start = Start::predictors;
    params.block_width = params.block_height = half_macroblock;
    params.range_x = params.range_y = 16;
    params.precision = 2;
    params.lambda_q8 = 256;
    return params;
}

int Lookahead::furthest_forward() const {
    return std::max(settings_.rules.most_b + 1, settings_.rules.scenecut > 0 ? longest_flash + 1 : 1);
}

std::vector<TypedPicture> Lookahead::push(FramePtr source) {
    Held held;
    held.half = half_of(*source, workers_);
    held.half_pels = half_pels_of(*held.half, workers_);
    held.source = std::move(source);
    const int before = static_cast<int>(held_.size());
    for (int d = 1; d <= std::min(furthest_forward(), before); ++d) {
        const Held& other = held_[static_cast<std::size_t>(before - d)];
        held.forward.push_back(motion_.submit({held.half, other.half, search_params(), nullptr, 0, -1}));
        if (d <= settings_.rules.most_b)
            held.backward.push_back(motion_.submit({other.half, held.half, search_params(), nullptr, 0, -1}));
    }
    held_.push_back(std::move(held));
    const int wanted = std::max(settings_.pictures, settings_.rules.most_b + 1) + 1;
    if (static_cast<int>(held_.size()) < wanted + under_way) return {};
    return decide(wanted);
}

std::vector<TypedPicture> Lookahead::rest() {
    if (held_.size() <= (begun_ ? 1 : 0)) return {};
    return decide(static_cast<int>(held_.size()));
}

/// Takes the results of the first `count` pictures' searches into the table.
void Lookahead::take_costs(int count) {
    for (int at = static_cast<int>(table_.pictures.size()); at < count; ++at)
        fill_row(at);
}

/// What the newest picture of the table and those before it are to each other.
struct Lookahead::NewCosts {
    struct Forward {
        int distance;
        MotionField field;
        const Held& reference;
        CostRow::PredictedCosts costs;
    };
    struct Both {
        int before;
        const Held& first;
        const CostRow::PredictedCosts& forward;
        CostRow::Costs costs;
    };
    struct Backward {
        int after;
        MotionField field;
        const Held& current;
        CostRow::PredictedCosts costs;
        std::vector<Both> both;
    };

    CostRow::Costs intra;
    std::vector<Forward> forward;
    std::vector<Backward> backward;

    void measure_row(const Held& newest, int row) {
        const PlaneView half = newest.half->luma().view();
        measure_intra(half, row, intra);
        for (Forward& from : forward)
            measure_predicted(from.field, half, from.reference.half_pels, row, from.costs);
        for (Backward& from : backward) {
            const PlaneView earlier = from.current.half->luma().view();
            measure_predicted(from.field, earlier, newest.half_pels, row, from.costs);
            for (Both& both : from.both)
                measure_both(earlier, {both.first.half_pels, both.forward, newest.half_pels, from.costs}, row,
                             both.costs);
        }
    }
};

/// Waits for the searches that end with a picture. Those with pictures that have gone are left out.
Lookahead::NewCosts Lookahead::take_fields(int at) {
    Held& held = held_[static_cast<std::size_t>(at)];
    const auto count = static_cast<std::size_t>(table_.columns) * static_cast<std::size_t>(table_.rows);
    NewCosts costs;
    costs.intra.resize(count);
    for (int distance = 1; distance <= static_cast<int>(held.forward.size()); ++distance) {
        MotionField field = held.forward[static_cast<std::size_t>(distance - 1)].get().field;
        if (at >= distance)
            costs.forward.push_back({distance, std::move(field), held_[static_cast<std::size_t>(at - distance)],
                                     CostRow::PredictedCosts(count)});
    }
    for (int after = 1; after <= static_cast<int>(held.backward.size()); ++after) {
        MotionField field = held.backward[static_cast<std::size_t>(after - 1)].get().field;
        if (at < after) continue;
        NewCosts::Backward& from = costs.backward.emplace_back(NewCosts::Backward{
            after, std::move(field), held_[static_cast<std::size_t>(at - after)], CostRow::PredictedCosts(count), {}});
        const CostRow& row = table_.pictures[static_cast<std::size_t>(at - after)];
        for (int before = 1; before + after <= settings_.rules.most_b + 1 && before <= at - after && row.knows(before);
             ++before)
            from.both.push_back({before, held_[static_cast<std::size_t>(at - after - before)], row.forward(before),
                                 CostRow::Costs(count)});
    }
    return costs;
}

void Lookahead::fill_row(int at) {
    const Held& held = held_[static_cast<std::size_t>(at)];
    table_.columns = held.half->width() / half_macroblock;
    table_.rows = held.half->height() / half_macroblock;
    NewCosts costs = take_fields(at);
    workers_.for_each(table_.rows, [&](int row, int) { costs.measure_row(held, row); });
    for (NewCosts::Backward& from : costs.backward) {
        CostRow& row = table_.pictures[static_cast<std::size_t>(at - from.after)];
        row.set_backward(from.after, std::move(from.costs));
        for (NewCosts::Both& both : from.both)
            row.set_both(both.before, from.after, std::move(both.costs));
    }
    CostRow& row = table_.pictures.emplace_back(std::move(costs.intra));
    for (NewCosts::Forward& from : costs.forward)
        row.set_forward(from.distance, std::move(from.costs));
}

/// Types of the pictures up to the next anchor, by the first `seen` of those that are held.
std::vector<TypedPicture> Lookahead::decide(int seen) {
    take_costs(seen);
    std::vector<PictureType> types{PictureType::intra};
    const std::vector<PictureType> decided = decide_types(table_, since_intra_, settings_.rules);
    types.insert(types.end(), decided.begin(), decided.end());
    int first = 1, last = 1;
    if (!begun_) first = last = 0;
    while (types[static_cast<std::size_t>(last)] == PictureType::bidirectional)
        ++last;
    std::vector<TypedPicture> out;
    for (int at = first; at <= last; ++at)
        out.push_back(typed(at, types));
    begun_ = true;
    since_intra_ = types[static_cast<std::size_t>(last)] == PictureType::intra ? 0 : since_intra_ + last;
    held_.erase(held_.begin(), held_.begin() + last);
    table_.pictures.erase(table_.pictures.begin(), table_.pictures.begin() + last);
    return out;
}

TypedPicture Lookahead::typed(int at, std::span<const PictureType> types) const {
    TypedPicture picture;
    picture.source = held_[static_cast<std::size_t>(at)].source;
    picture.type = types[static_cast<std::size_t>(at)];
    if (settings_.importance)
        picture.importance =
            std::make_shared<Importance>(importance_of(table_, types, at, settings_.quantiser, settings_.strength));
    return picture;
}

} // namespace tandem
