// SPDX-License-Identifier: BSD-2-Clause
// Samples of pictures from a place on: as they are, displaced by a vector, and as a mode predicts them.
#pragma once

#include "coding/mpeg/decide.h"
#include "cuda/coding/kernels/half_pels.h"

namespace tandem::cuda {

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
    TANDEM_HOST_DEVICE int operator()(int x, int y) const {
        return half_pel_sample(at_ + static_cast<std::ptrdiff_t>(y) * stride_ + x, stride_, half_x_, half_y_);
    }

  private:
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
    TANDEM_HOST_DEVICE int operator()(int x, int y) const {
        return is_mean_ ? (first_(x, y) + second_(x, y) + 1) >> 1 : first_(x, y);
    }

  private:
    bool is_mean_ = false;
    DisplacedSamples first_, second_;
};

/// Samples of a picture from a place of a plane on.
struct SamplesFrom {
    const std::uint8_t* at;
    int stride;
    TANDEM_HOST_DEVICE SamplesFrom(const SamplePlanes& picture, int plane, int x, int y)
        : at(picture.plane[plane] + static_cast<std::ptrdiff_t>(y) * picture.stride[plane] + x),
          stride(picture.stride[plane]) {}
    TANDEM_HOST_DEVICE int operator()(int x, int y) const { return at[static_cast<std::ptrdiff_t>(y) * stride + x]; }
};

} // namespace tandem::cuda
