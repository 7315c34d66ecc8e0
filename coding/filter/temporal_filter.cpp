// SPDX-License-Identifier: BSD-2-Clause
#include "coding/filter/temporal_filter.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "coding/filter/filter_arithmetic.h"
#include "coding/filter/fine_prediction.h"
#include "coding/filter/kernels/filter_kernels.h"
#include "me/kernels/distortion.h"

namespace tandem {

namespace {

/// Coding errors have a deviation of about so many quantisers. Measured: docs/plan.md.
constexpr double deviation_of_quantiser = 2.2;

/// Samples of 16x16, in a picture or by themselves.
struct Square {
    const std::uint8_t* data;
    std::ptrdiff_t stride;
};

Square square_of(const SquareOf<macroblock_side>& samples) { return {samples.data(), macroblock_side}; }

std::uint32_t squared_error(const Square& a, const Square& b) {
    return distortion_kernels().ssd(a.data, a.stride, b.data, b.stride, macroblock_side, macroblock_side);
}

/// How far the prediction is to move for `own`.
Mv step_towards(const Square& own, const Square& predicted) {
    return step_of(filter_kernels().gradients(predicted.data, predicted.stride, own.data, own.stride));
}

/// What is added to a block of 8x8, and its weights.
struct Sums {
    std::array<float, static_cast<std::size_t>(filtered_side) * filtered_side> added{}, weights{};
};

/// Two blocks of 8x8 samples.
struct Pair {
    const std::uint8_t* own;
    std::ptrdiff_t own_stride;
    const std::uint8_t* other;
    std::ptrdiff_t other_stride;
};

void add(const Pair& pair, SampleWeight weight, Sums& sums) {
    const std::uint32_t error = distortion_kernels().ssd(pair.own, pair.own_stride, pair.other, pair.other_stride,
                                                         filtered_side, filtered_side);
    weight.most = weight_of_block(error, weight);
    if (!counts(weight.most)) return;
    filter_kernels().weigh(pair.own, pair.own_stride, pair.other, pair.other_stride, weight, sums.added.data(),
                           sums.weights.data());
}

/// A macroblock of a picture. Blocks in MPEG's order: four of luma, Cb, Cr.
class Macroblock {
  public:
    Macroblock(const Frame& picture, int column, int row)
        : picture_(picture), column_(column), row_(row), luma_(picture.luma().view()), x_(column * macroblock_side),
          y_(row * macroblock_side) {}

    void add(const FilterNeighbour& neighbour, SampleWeight weight) {
        const Mv mv = refined(neighbour);
        for (int block = 0; block < 4; ++block) {
            const int x = block % 2 * filtered_side, y = block / 2 * filtered_side;
            tandem::add({&luma_.at(x_ + x, y_ + y), luma_.stride,
                         &predicted_[static_cast<std::size_t>(y * macroblock_side + x)], macroblock_side},
                        weight, sums_[static_cast<std::size_t>(block)]);
        }
        for (int plane = 1; plane < 3; ++plane) {
            SquareOf<filtered_side> predicted; // Eighths of a luma sample are sixteenths of a chroma sample.
            predict_finely<filtered_side>(neighbour.picture->plane(plane).view(), x_ / 2, y_ / 2, mv.x, mv.y,
                                          predicted);
            const PlaneView own = picture_.plane(plane).view();
            tandem::add({&own.at(x_ / 2, y_ / 2), own.stride, predicted.data(), filtered_side}, weight,
                        sums_[static_cast<std::size_t>(3 + plane)]);
        }
    }

    void write(Frame& to) const {
        for (int block = 0; block < 6; ++block) {
            const bool is_luma = block < 4;
            const int plane = is_luma ? 0 : block - 3;
            const int x = is_luma ? x_ + block % 2 * filtered_side : x_ / 2,
                      y = is_luma ? y_ + block / 2 * filtered_side : y_ / 2;
            write_block(sums_[static_cast<std::size_t>(block)], picture_.plane(plane).view(), x, y,
                        to.plane(plane).view());
        }
    }

  private:
    static void write_block(const Sums& sums, PlaneView from, int x, int y, MutablePlaneView to) {
        for (int row = 0; row < filtered_side; ++row) {
            for (int column = 0; column < filtered_side; ++column) {
                const auto i = static_cast<std::size_t>(row * filtered_side + column);
                to.at(x + column, y + row) =
                    filtered_sample(from.at(x + column, y + row), sums.added[i], sums.weights[i]);
            }
        }
    }

    Square own() const { return {&luma_.at(x_, y_), luma_.stride}; }

    struct Found {
        Mv mv;
        std::uint32_t error = UINT32_MAX;
    };

    /// The best of zero, the macroblock's vector and its neighbours', in whole pels inside the picture.
    Found best_start(const std::vector<PredictedCost>& motion, PlaneView reference) const {
        const int columns = luma_.width / macroblock_side, rows = luma_.height / macroblock_side;
        Found best;
        const auto measure = [&](int right, int down) {
            const int x = x_ + right, y = y_ + down;
            if (x < 0 || y < 0 || x + macroblock_side > reference.width || y + macroblock_side > reference.height)
                return;
            const std::uint32_t error = squared_error(own(), {&reference.at(x, y), reference.stride});
            if (error < best.error) best = {mv_from_pels(right, down), error};
        };
        const auto measure_that_of = [&](int column, int row) {
            if (column < 0 || row < 0 || column >= columns || row >= rows) return;
            const Mv mv = motion[static_cast<std::size_t>(row * columns + column)].mv;
            measure(mv.x / eighths_per_pel, mv.y / eighths_per_pel);
        };
        measure(0, 0);
        measure_that_of(column_, row_);
        measure_that_of(column_ - 1, row_);
        measure_that_of(column_ + 1, row_);
        measure_that_of(column_, row_ - 1);
        measure_that_of(column_, row_ + 1);
        return best;
    }

    /// Where the neighbour has the macroblock; leaves what it has there in predicted_.
    Mv refined(const FilterNeighbour& neighbour) {
        const PlaneView reference = neighbour.picture->luma().view();
        const Found start = best_start(neighbour.motion, reference);
        const Square whole{&reference.at(x_ + start.mv.x / eighths_per_pel, y_ + start.mv.y / eighths_per_pel),
                           reference.stride};
        const Found once = stepped(start, whole, reference, predicted_);
        if (once.error >= start.error) {
            predict(reference, start.mv, predicted_);
            return start.mv;
        }
        SquareOf<macroblock_side> again;
        const Found twice = stepped(once, square_of(predicted_), reference, again);
        if (twice.error >= once.error) return once.mv;
        predicted_ = again;
        return twice.mv;
    }

    /// A step on from what was predicted, and what is predicted there; where there is none, the same.
    Found stepped(const Found& from, const Square& predicted, PlaneView reference,
                  SquareOf<macroblock_side>& to) const {
        const Mv step = step_towards(own(), predicted);
        if (step == Mv{}) return from;
        const Mv mv{static_cast<std::int16_t>(from.mv.x + step.x), static_cast<std::int16_t>(from.mv.y + step.y)};
        predict(reference, mv, to);
        return {mv, squared_error(own(), square_of(to))};
    }

    void predict(PlaneView reference, Mv mv, SquareOf<macroblock_side>& to) const {
        predict_finely<macroblock_side>(reference, x_, y_, 2 * mv.x, 2 * mv.y, to);
    }

    const Frame& picture_;
    const int column_, row_;
    const PlaneView luma_;
    const int x_, y_; ///< Of the first sample of luma.
    std::array<Sums, 6> sums_;
    SquareOf<macroblock_side> predicted_;
};

} // namespace

float half_inverse_variance(double quantiser) {
    const double deviation = deviation_of_quantiser * quantiser;
    return static_cast<float>(1 / (2 * deviation * deviation));
}

float nearness_of(int distance) {
    constexpr std::array<float, farthest_filter_neighbour> nearness{0.85F, 0.57F};
    return nearness[static_cast<std::size_t>(distance - 1)];
}

bool is_left_alone(const FilterInput& input) {
    return input.neighbours.empty() || std::ranges::none_of(input.strength, counts);
}

FramePtr temporally_filtered(const FilterInput& input, Workers& workers) {
    const Frame& picture = *input.picture;
    if (is_left_alone(input)) return input.picture;
    auto filtered = std::make_shared<Frame>(picture.width(), picture.height());
    const int columns = picture.width() / macroblock_side;
    const float sharpness = half_inverse_variance(input.quantiser);
    workers.for_each(picture.height() / macroblock_side, [&](int row, int) {
        for (int column = 0; column < columns; ++column) {
            Macroblock macroblock(picture, column, row);
            const auto i = static_cast<std::size_t>(row * columns + column);
            for (const FilterNeighbour& neighbour : input.neighbours) {
                const float strength = input.strength[i] * nearness_of(neighbour.distance) *
                                       gain(neighbour.motion[i].cost, input.intra[i]);
                if (counts(strength)) macroblock.add(neighbour, {strength, sharpness});
            }
            macroblock.write(*filtered);
        }
    });
    return filtered;
}

} // namespace tandem
