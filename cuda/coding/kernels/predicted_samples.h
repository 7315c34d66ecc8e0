// SPDX-License-Identifier: BSD-2-Clause
// Samples of pictures from a place on: as they are, displaced by a vector, and as a mode predicts them. Four in a row
// are a word, the first in its lowest byte.
#pragma once

#include "coding/mpeg/decide.h"
#include "cuda/coding/kernels/half_pels.h"

namespace tandem::cuda {

/// Four samples whose first has an address that is a multiple of 4.
TANDEM_HOST_DEVICE inline std::uint32_t aligned_word_at(const std::uint8_t* samples) {
#ifdef __CUDA_ARCH__
    return *reinterpret_cast<const std::uint32_t*>(samples);
#else
    return word_at(samples);
#endif
}

/// Four samples in a row, and the four that begin `step` (0 or 1) further.
struct Neighbours {
    std::uint32_t four, beside;
    TANDEM_HOST_DEVICE Neighbours(const std::uint8_t* samples, int step) {
#ifdef __CUDA_ARCH__
        const auto offset = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(samples) % 4);
        const auto further = offset + static_cast<unsigned>(step);
        // The second word may lie outside of the picture where none of its samples is asked for.
        const std::uint32_t low = aligned_word_at(samples - offset),
                            high = aligned_word_at(samples - offset + (further > 0 ? 4 : 0));
        four = __funnelshift_r(low, high, 8 * offset);
        beside = __funnelshift_rc(low, high, 8 * further);
#else
        four = word_at(samples);
        beside = word_at(samples + step);
#endif
    }
    TANDEM_HOST_DEVICE PairSums sums() const { return pair_sums(four, beside); }
};

/// Four samples of each of two rows.
struct TwoRows {
    std::uint32_t above, below;
};

/// Samples of a reference from a place on that a vector in half pels displaces. Chroma's vector is halved towards zero
/// and again at half-pel precision (13818-2 clause 7.6.3.7).
class DisplacedSamples {
  public:
    DisplacedSamples() = default;
    TANDEM_HOST_DEVICE DisplacedSamples(const SamplePlanes& reference, int plane, int x, int y, Mv mv)
        : stride_(reference.stride[plane]) {
        const int share = plane == 0 ? 1 : 2;
        const int dx = mv.x / eighths_per_half_pel / share, dy = mv.y / eighths_per_half_pel / share;
        at_ = reference.plane[plane] + static_cast<std::ptrdiff_t>(y + (dy >> 1)) * stride_ + x + (dx >> 1);
        half_x_ = dx & 1;
        half_y_ = dy & 1;
    }
    /// 13818-2 clause 7.6.4, whose formulas become one where a phase is 0 and two of the samples are the same.
    TANDEM_HOST_DEVICE std::uint32_t four(int x, int y) const {
        return means_of(row(x, y).sums(), row(x, y + half_y_).sums());
    }
    /// From (x, y) and from (x, y + 1) on.
    TANDEM_HOST_DEVICE TwoRows two_rows(int x, int y) const {
        const PairSums first = row(x, y).sums(), second = row(x, y + 1).sums(), third = row(x, y + 1 + half_y_).sums();
        return {means_of(first, half_y_ != 0 ? second : first), means_of(second, third)};
    }

  private:
    TANDEM_HOST_DEVICE Neighbours row(int x, int y) const {
        return {at_ + static_cast<std::ptrdiff_t>(y) * stride_ + x, half_x_};
    }

    const std::uint8_t* at_ = nullptr;
    int stride_ = 0, half_x_ = 0, half_y_ = 0;
};

/// What a mode predicts from a place of a plane on: neither direction is forward with the zero vector.
class PredictedSamples {
  public:
    PredictedSamples() = default; ///< Nothing is predicted: not to be asked.
    TANDEM_HOST_DEVICE PredictedSamples(const CodingTask& task, int flags, Mv forward, Mv backward, int plane, int x,
                                        int y)
        : is_mean_((flags & mb_forward) != 0 && (flags & mb_backward) != 0) {
        const bool is_backward = (flags & mb_backward) != 0 && !is_mean_;
        first_ = {task.direction[is_backward ? 1 : 0].reference, plane, x, y, is_backward ? backward : forward};
        if (is_mean_) second_ = {task.direction[1].reference, plane, x, y, backward};
    }
    TANDEM_HOST_DEVICE std::uint32_t four(int x, int y) const {
        const std::uint32_t first = first_.four(x, y);
        return is_mean_ ? means_of(first, second_.four(x, y)) : first;
    }
    TANDEM_HOST_DEVICE TwoRows two_rows(int x, int y) const {
        const TwoRows first = first_.two_rows(x, y);
        if (!is_mean_) return first;
        const TwoRows second = second_.two_rows(x, y);
        return {means_of(first.above, second.above), means_of(first.below, second.below)};
    }

  private:
    bool is_mean_ = false;
    DisplacedSamples first_, second_;
};

/// Samples of a picture from a place of a plane on: x of a multiple of 4.
struct SamplesFrom {
    const std::uint8_t* at;
    int stride;
    TANDEM_HOST_DEVICE SamplesFrom(const SamplePlanes& picture, int plane, int x, int y)
        : at(picture.plane[plane] + static_cast<std::ptrdiff_t>(y) * picture.stride[plane] + x),
          stride(picture.stride[plane]) {}
    TANDEM_HOST_DEVICE std::uint32_t four(int x, int y) const {
        return aligned_word_at(at + static_cast<std::ptrdiff_t>(y) * stride + x);
    }
    TANDEM_HOST_DEVICE TwoRows two_rows(int x, int y) const { return {four(x, y), four(x, y + 1)}; }
};

/// Where a lane's share of a macroblock begins: of luma four samples of two rows, of one plane of chroma four samples.
struct LaneShare {
    int x, y, plane, chroma_x, chroma_y;
    TANDEM_HOST_DEVICE explicit LaneShare(int lane)
        : x(lane % 4 * 4), y(lane / 4 * 2), plane(1 + lane / 16), chroma_x(lane % 2 * 4), chroma_y(lane % 16 / 2) {}
};

/// Of a lane's luma, the absolute differences of `source` and the mean of two predictions.
TANDEM_HOST_DEVICE inline std::uint32_t mean_difference(const TwoRows& source, const DisplacedSamples& predicted,
                                                        const TwoRows& other, const LaneShare& share) {
    const TwoRows own = predicted.two_rows(share.x, share.y);
    return add_differences(source.above, means_of(own.above, other.above),
                           add_differences(source.below, means_of(own.below, other.below), 0));
}

} // namespace tandem::cuda
