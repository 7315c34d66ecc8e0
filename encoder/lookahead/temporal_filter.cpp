// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/lookahead/temporal_filter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "encoder/lookahead/fine_prediction.h"
#include "encoder/lookahead/kernels/filter_kernels.h"
#include "me/kernels/distortion.h"

namespace tandem {

namespace {

/// Coding errors have a deviation of about so many quantisers. Measured: docs/plan.md.
constexpr double deviation_of_quantiser = 1.75;
/// By the distance of a neighbour, from 1 on.
constexpr std::array<float, farthest_filter_neighbour> nearness{0.85F, 0.57F};
/// Whether a weight is not too small to add anything.
bool counts(float weight) { return weight >= 1.0F / 256; }

constexpr int macroblock_side = 16, block_side = 8; ///< Of a macroblock of luma, and of the blocks that are weighed.

/// Samples of 16x16, in a picture or by themselves.
struct Square {
    const std::uint8_t* data;
    std::ptrdiff_t stride;
};

Square square_of(const SquareOf<macroblock_side>& samples) { return {samples.data(), macroblock_side}; }

std::uint32_t squared_error(const Square& a, const Square& b) {
    return distortion_kernels().ssd(a.data, a.stride, b.data, b.stride, macroblock_side, macroblock_side);
}

/// How far the prediction is to move for `own`, in eighth-pels, by its gradient: the least squares of Lucas and Kanade,
/// at most a pel.
Mv step_towards(const Square& own, const Square& predicted) {
    const GradientSums sums = filter_kernels().gradients(predicted.data, predicted.stride, own.data, own.stride);
    constexpr double noise = 512; // So that what has no gradient does not move.
    const double a = sums.xx + noise, b = sums.xy, c = sums.yy + noise, determinant = a * c - b * b;
    const auto eighths = [&](double moved) { // A difference of two samples is twice the gradient.
        return static_cast<std::int16_t>(std::lround(std::clamp(16 * moved / determinant, -8.0, 8.0)));
    };
    return {eighths(c * sums.x_missing - b * sums.y_missing), eighths(a * sums.y_missing - b * sums.x_missing)};
}

/// exp(-x), about, and 0 from 4 on.
float falling(float x) {
    const float root = std::max(0.0F, 1 - x / 4);
    const float square = root * root;
    return square * square;
}

/// Of a prediction beside the mean of the macroblock: in full from half the cost on.
float gain(std::uint32_t predicted, std::uint32_t intra) {
    if (predicted >= intra) return 0;
    return std::min(1.0F, 2 - 2 * static_cast<float>(predicted) / static_cast<float>(intra));
}

/// What is added to a block of 8x8, and its weights.
struct Sums {
    std::array<float, static_cast<std::size_t>(block_side) * block_side> added{}, weights{};
};

/// Two blocks of 8x8 samples.
struct Pair {
    const std::uint8_t* own;
    std::ptrdiff_t own_stride;
    const std::uint8_t* other;
    std::ptrdiff_t other_stride;
};

void add(const Pair& pair, SampleWeight weight, Sums& sums) {
    const auto error = static_cast<float>(
        distortion_kernels().ssd(pair.own, pair.own_stride, pair.other, pair.other_stride, block_side, block_side));
    constexpr float samples = block_side * block_side;
    weight.most *= falling(error / samples * weight.half_inverse_variance);
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
            const int x = block % 2 * block_side, y = block / 2 * block_side;
            tandem::add({&luma_.at(x_ + x, y_ + y), luma_.stride,
                         &predicted_[static_cast<std::size_t>(y * macroblock_side + x)], macroblock_side},
                        weight, sums_[static_cast<std::size_t>(block)]);
        }
        for (int plane = 1; plane < 3; ++plane) {
            SquareOf<block_side> predicted; // Eighths of a luma sample are sixteenths of a chroma sample.
            predict_finely<block_side>(neighbour.picture->plane(plane).view(), x_ / 2, y_ / 2, mv.x, mv.y, predicted);
            const PlaneView own = picture_.plane(plane).view();
            tandem::add({&own.at(x_ / 2, y_ / 2), own.stride, predicted.data(), block_side}, weight,
                        sums_[static_cast<std::size_t>(3 + plane)]);
        }
    }

    void write(Frame& to) const {
        for (int block = 0; block < 6; ++block) {
            const bool is_luma = block < 4;
            const int plane = is_luma ? 0 : block - 3;
            const int x = is_luma ? x_ + block % 2 * block_side : x_ / 2,
                      y = is_luma ? y_ + block / 2 * block_side : y_ / 2;
            write_block(sums_[static_cast<std::size_t>(block)], picture_.plane(plane).view(), x, y,
                        to.plane(plane).view());
        }
    }

  private:
    static void write_block(const Sums& sums, PlaneView from, int x, int y, MutablePlaneView to) {
        for (int row = 0; row < block_side; ++row) {
            for (int column = 0; column < block_side; ++column) {
                const auto i = static_cast<std::size_t>(row * block_side + column);
                const float mean =
                    static_cast<float>(from.at(x + column, y + row)) + sums.added[i] / (1 + sums.weights[i]);
                to.at(x + column, y + row) = static_cast<std::uint8_t>(mean + 0.5F);
            }
        }
    }

    Square own() const { return {&luma_.at(x_, y_), luma_.stride}; }

    struct Found {
        Mv mv;
        std::uint32_t error = UINT32_MAX;
    };

    /// The best of zero, the macroblock's vector and its neighbours', in whole pels inside the picture.
    Found best_start(const CostRow::PredictedCosts& motion, PlaneView reference) const {
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

TemporalFilter::TemporalFilter(double quantiser) {
    const double deviation = deviation_of_quantiser * quantiser;
    half_inverse_variance_ = static_cast<float>(1 / (2 * deviation * deviation));
}

FramePtr TemporalFilter::filtered(const FilterInput& input, Workers& workers) const {
    const Frame& picture = *input.picture;
    if (input.neighbours.empty() || std::ranges::none_of(input.strength, counts)) return input.picture;
    auto filtered = std::make_shared<Frame>(picture.width(), picture.height());
    const int columns = picture.width() / macroblock_side;
    workers.for_each(picture.height() / macroblock_side, [&](int row, int) {
        for (int column = 0; column < columns; ++column) {
            Macroblock macroblock(picture, column, row);
            const auto i = static_cast<std::size_t>(row * columns + column);
            for (const FilterNeighbour& neighbour : input.neighbours) {
                const float strength = input.strength[i] * nearness[static_cast<std::size_t>(neighbour.distance - 1)] *
                                       gain(neighbour.motion[i].cost, input.intra[i]);
                if (counts(strength)) macroblock.add(neighbour, {strength, half_inverse_variance_});
            }
            macroblock.write(*filtered);
        }
    });
    return filtered;
}

} // namespace tandem
