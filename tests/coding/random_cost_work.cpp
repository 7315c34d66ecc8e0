// SPDX-License-Identifier: BSD-2-Clause
#include "tests/coding/random_cost_work.h"

#include <algorithm>

namespace tandem::test {

namespace {

constexpr int farthest = 3;

} // namespace

RandomCosts::RandomCosts(std::mt19937& random) : random_(random), columns_(number(1, 9)), rows_(number(1, 7)) {}

int RandomCosts::number(int least, int most) { return std::uniform_int_distribution<int>(least, most)(random_); }

/// Of noise, or flat and light or dark.
HalfPicture RandomCosts::next_picture() {
    Frame picture(columns_ * 16, rows_ * 16);
    const int kind = number(0, 3);
    for (int p = 0; p < 3; ++p) {
        const MutablePlaneView plane = picture.plane(p).view();
        for (int y = 0; y < plane.height; ++y)
            for (int x = 0; x < plane.width; ++x)
                plane.at(x, y) = static_cast<std::uint8_t>(kind == 0   ? 255 * number(0, 1)
                                                           : kind == 1 ? 255 * (number(0, 99) / 99)
                                                                       : number(0, 255));
    }
    return half_picture_of(picture);
}

/// Vectors of half pels that stay inside of the picture, up to the half pels that lean on its edges.
MotionField RandomCosts::field() {
    const int width = columns_ * half_macroblock, height = rows_ * half_macroblock;
    MotionField field(width, height, half_macroblock, half_macroblock, number(1, 3));
    const auto component = [&](int at, int size) {
        return static_cast<std::int16_t>(4 * number(-2 * at, 2 * (size - half_macroblock - at) + 1));
    };
    for (int row = 0; row < rows_; ++row) {
        for (int column = 0; column < columns_; ++column) {
            for (Candidate& candidate : field.block(column, row)) {
                candidate.mv = {component(column * half_macroblock, width), component(row * half_macroblock, height)};
                candidate.distortion = static_cast<std::uint32_t>(number(0, 9999));
                candidate.cost = candidate.distortion + static_cast<std::uint32_t>(number(0, 60));
            }
        }
    }
    return field;
}

/// For all costs of a picture, or, by chance, none: each has its own.
std::shared_ptr<CostMemory> RandomCosts::memory() {
    constexpr std::size_t most_arrays = 16;
    const auto count = static_cast<std::size_t>(columns_ * rows_);
    if (number(0, 2) == 0) return nullptr;
    return std::make_shared<CostMemory>(most_arrays * CostMemory::bytes_of<PredictedCost>(count));
}

template <class Array>
Array& RandomCosts::add(std::deque<Array>& arrays, const std::shared_ptr<CostMemory>& memory) const {
    const auto count = static_cast<std::size_t>(columns_ * rows_);
    return memory ? arrays.emplace_back(memory, count) : arrays.emplace_back(count);
}

CostWork::Predicted RandomCosts::predicted(const HalfPicture& picture, const HalfPicture& reference,
                                           const std::shared_ptr<CostMemory>& memory) {
    return {&picture, &reference, field(), &add(predicted_, memory)};
}

CostWork RandomCosts::next() {
    CostWork work;
    for (int more = number(1, 4); more > 0; --more) {
        const HalfPicture& newest = pictures_.emplace_back(next_picture());
        const int at = static_cast<int>(pictures_.size()) - 1;
        const auto before = [&](int distance) { return &pictures_[static_cast<std::size_t>(at - distance)]; };
        const std::shared_ptr<CostMemory> memory = this->memory();
        work.intra.push_back({&newest, &add(costs_, memory)});
        auto& forward = forward_.emplace_back();
        for (int distance = 1; distance <= std::min(at, farthest); ++distance) {
            work.predicted.push_back(predicted(newest, *before(distance), memory));
            forward.push_back(work.predicted.back().costs);
        }
        for (int after = 1; after <= std::min(at, farthest - 1); ++after) {
            work.predicted.push_back(predicted(*before(after), newest, memory));
            const PredictedCosts* const backward = work.predicted.back().costs;
            const auto& known = forward_[static_cast<std::size_t>(at - after)];
            for (int distance = 1; distance <= static_cast<int>(known.size()); ++distance)
                work.both.push_back({before(after), before(after + distance), &newest,
                                     known[static_cast<std::size_t>(distance - 1)], backward, &add(costs_, memory)});
        }
    }
    poison(work);
    return work;
}

std::vector<std::uint32_t> RandomCosts::measured(const CostWork& work) {
    std::vector<std::uint32_t> all;
    for (const CostWork::Intra& each : work.intra)
        all.insert(all.end(), each.costs->begin(), each.costs->end());
    for (const CostWork::Predicted& each : work.predicted) {
        for (const PredictedCost& cost : *each.costs) {
            all.push_back(cost.cost);
            all.push_back(static_cast<std::uint16_t>(cost.mv.x) |
                          static_cast<std::uint32_t>(static_cast<std::uint16_t>(cost.mv.y)) << 16);
        }
    }
    for (const CostWork::Both& each : work.both)
        all.insert(all.end(), each.costs->begin(), each.costs->end());
    return all;
}

std::vector<std::uint32_t> RandomCosts::measured_by_cpu(const CostWork& work) {
    poison(work);
    for (int row = 0; row < work.any_picture().height() / half_macroblock; ++row)
        measure_row(work, row);
    return measured(work);
}

void RandomCosts::poison(const CostWork& work) {
    constexpr std::uint32_t poison = 0xA5A5A5A5;
    for (const CostWork::Intra& each : work.intra)
        std::ranges::fill(*each.costs, poison);
    for (const CostWork::Predicted& each : work.predicted)
        std::ranges::fill(*each.costs, PredictedCost{poison, {0x25A5, 0x25A5}});
    for (const CostWork::Both& each : work.both)
        std::ranges::fill(*each.costs, poison);
}

} // namespace tandem::test
