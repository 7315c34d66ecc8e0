// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/lookahead/lookahead.h"

#include <algorithm>
#include <utility>

#include "me/kernels/distortion.h"
#include "me/search/pyramid.h"

namespace tandem {

namespace {

constexpr int block = 8; ///< Samples of a macroblock's side at half size.
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

/// Calls body(macroblock, x, y) with the place of each macroblock in a picture of half size, rows side by side.
template <class Body> void for_macroblocks(PlaneView half, Workers& workers, Body body) {
    const int columns = half.width / block;
    workers.for_each(half.height / block, [&](int row, int) {
        for (int column = 0; column < columns; ++column)
            body(static_cast<std::size_t>(row * columns + column), column * block, row * block);
    });
}

CostRow::Costs intra_costs(PlaneView half, Workers& workers) {
    CostRow::Costs costs(static_cast<std::size_t>(half.width / block * (half.height / block)));
    for_macroblocks(half, workers, [&](std::size_t i, int x, int y) {
        std::array<std::uint8_t, block * block> flat;
        int sum = 0;
        for (int row = 0; row < block; ++row)
            for (int column = 0; column < block; ++column)
                sum += half.at(x + column, y + row);
        flat.fill(static_cast<std::uint8_t>((sum + block * block / 2) / (block * block)));
        costs[i] = distortion_kernels().satd(&half.at(x, y), half.stride, flat.data(), block, block, block);
    });
    return costs;
}

CostRow::PredictedCosts costs_of(const MotionField& field) {
    CostRow::PredictedCosts costs;
    for (int row = 0; row < field.rows(); ++row) {
        for (int column = 0; column < field.columns(); ++column) {
            const Candidate& best = field.best(column, row);
            costs.push_back(
                {best.cost, {static_cast<std::int16_t>(2 * best.mv.x), static_cast<std::int16_t>(2 * best.mv.y)}});
        }
    }
    return costs;
}

Mv halved(Mv mv) { return {static_cast<std::int16_t>(mv.x / 2), static_cast<std::int16_t>(mv.y / 2)}; }

/// From the mean of what two vectors predict.
CostRow::Costs both_costs(PlaneView half, const SubpelPlanes& first, const CostRow::PredictedCosts& forward,
                          const SubpelPlanes& last, const CostRow::PredictedCosts& backward, Workers& workers) {
    CostRow::Costs costs(forward.size());
    for_macroblocks(half, workers, [&](std::size_t i, int x, int y) {
        std::array<std::uint8_t, block * block> mean;
        const std::uint8_t* a = first.at(x, y, halved(forward[i].mv));
        const std::uint8_t* b = last.at(x, y, halved(backward[i].mv));
        for (int row = 0; row < block; ++row) {
            for (int column = 0; column < block; ++column) {
                mean[static_cast<std::size_t>(row * block + column)] = static_cast<std::uint8_t>(
                    (a[row * first.stride() + column] + b[row * last.stride() + column] + 1) >> 1);
            }
        }
        costs[i] = distortion_kernels().satd(&half.at(x, y), half.stride, mean.data(), block, block, block);
    });
    return costs;
}

} // namespace

Lookahead::Lookahead(const LookaheadSettings& settings, Coprocessor& motion, Workers& workers)
    : settings_(settings), motion_(motion), workers_(workers) {}

SearchParams Lookahead::search_params() {
    SearchParams params;
    params.algorithm = Algorithm::diamond;
    params.start = Start::predictors;
    params.block_width = params.block_height = block;
    params.range_x = params.range_y = 16;
    params.precision = 2;
    params.metric = Metric::satd;
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

std::vector<TypedPicture> Lookahead::finish() {
    std::vector<TypedPicture> all;
    while (held_.size() > (begun_ ? 1 : 0)) {
        for (TypedPicture& picture : decide(static_cast<int>(held_.size())))
            all.push_back(std::move(picture));
    }
    return all;
}

/// Takes the results of the first `count` pictures' searches into the table.
void Lookahead::take_costs(int count) {
    for (int at = static_cast<int>(table_.pictures.size()); at < count; ++at)
        fill_row(at);
}

void Lookahead::fill_row(int at) {
    Held& held = held_[static_cast<std::size_t>(at)];
    const PlaneView half = held.half->luma().view();
    table_.columns = half.width / block;
    table_.rows = half.height / block;
    CostRow& row = table_.pictures.emplace_back(intra_costs(half, workers_));
    for (std::size_t i = 0; i < held.forward.size(); ++i)
        row.set_forward(static_cast<int>(i) + 1, costs_of(held.forward[i].get().field));
    for (std::size_t i = 0; i < held.backward.size(); ++i) {
        const int after = static_cast<int>(i) + 1;
        if (at < after) continue; // Its picture has gone.
        fill_both(at - after, after, costs_of(held.backward[i].get().field));
    }
}

/// The costs of a picture before the newest one, whose backward prediction is known now.
void Lookahead::fill_both(int at, int after, CostRow::PredictedCosts backward) {
    CostRow& row = table_.pictures[static_cast<std::size_t>(at)];
    const Held& current = held_[static_cast<std::size_t>(at)];
    row.set_backward(after, backward);
    for (int before = 1; before + after <= settings_.rules.most_b + 1 && before <= at && row.knows(before); ++before) {
        const Held& first = held_[static_cast<std::size_t>(at - before)];
        const Held& last = held_[static_cast<std::size_t>(at + after)];
        row.set_both(before, after,
                     both_costs(current.half->luma().view(), first.half_pels, row.forward(before), last.half_pels,
                                backward, workers_));
    }
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
